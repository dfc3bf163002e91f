import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { icnsOf } from '../../../resources/packaging/icons/icns.ts'
import { icoOf } from '../../../resources/packaging/icons/ico.ts'

const read = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../../resources/icons/${name}`, import.meta.url)))

/** A PNG of one colour. */
const plain = (size: number, colour: readonly [number, number, number, number]): Uint8Array => {
  const png = new PNG({ width: size, height: size })
  for (let at = 0; at < png.data.length; at += 4) png.data.set(colour, at)
  return PNG.sync.write(png)
}

/** Widths of an .ico's pictures as its directory and as the pictures themselves tell them. */
const icoSizes = (ico: Buffer): [number, number][] =>
  Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index
    const offset = ico.readUInt32LE(entry + 12)
    const isPng = ico.toString('latin1', offset + 1, offset + 4) === 'PNG'
    return [ico.readUInt8(entry) || 256, isPng ? ico.readUInt32BE(offset + 16) : ico.readUInt32LE(offset + 4)]
  })

/** Types of an .icns, with the widths of their pictures. */
const icnsSizes = (icns: Buffer): [string, number][] => {
  const found: [string, number][] = []
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
    found.push([icns.toString('latin1', at, at + 4), icns.readUInt32BE(at + 8 + 16)])
  }
  return found
}

describe('the till’s icons', () => {
  it('have every size that Windows asks for', () => {
    expect(icoSizes(read('icon.ico'))).toEqual(
      [16, 20, 24, 32, 40, 48, 64, 128, 256].map((size) => [size, size])
    )
  })

  it('have every size that macOS asks for', () => {
    const icns = read('icon.icns')
    expect(icns.toString('latin1', 0, 4)).toBe('icns')
    expect(icns.readUInt32BE(4)).toBe(icns.length)
    expect(icnsSizes(icns)).toEqual([
      ['ic11', 32],
      ['ic12', 64],
      ['ic07', 128],
      ['ic13', 256],
      ['ic08', 256],
      ['ic14', 512],
      ['ic09', 512],
      ['ic10', 1024]
    ])
  })

  it('have the sizes of a Linux desktop', () => {
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512]
    const widths = sizes.map((size) => PNG.sync.read(read(`linux/${size}x${size}.png`)).width)
    expect(widths).toEqual(sizes)
  })
})

describe('packing icons', () => {
  it('writes a bitmap’s rows from the bottom, blue first, with its alpha', () => {
    const ico = Buffer.from(icoOf(new Map([[16, plain(16, [10, 20, 30, 40])]])))
    const pixels = ico.readUInt32LE(6 + 12) + 40
    expect([...ico.subarray(pixels, pixels + 4)]).toEqual([30, 20, 10, 40])
    expect(ico.length).toBe(pixels + 16 * 16 * 4 + 16 * 4)
  })

  it('refuses an icon of macOS without one of its sizes', () => {
    expect(() => icnsOf(new Map([[32, plain(32, [0, 0, 0, 255])]]))).toThrow('64 pixels')
  })
})
