import { existsSync, readFileSync } from 'node:fs'
import { refuse, strict } from '../strict.ts'

const PNG_SIGNATURE = '89504e470d0a1a0a'

/** Electron's `NativeImage`, as far as PNG data goes. */
export class NativeImage {
  readonly #png: Buffer

  private constructor(png: Buffer) {
    this.#png = png
  }

  static fromPng(png: Buffer): NativeImage {
    // A proxy would hide the private field from the methods, so each method reads it from the closure of its image.
    const image = new NativeImage(png)
    const bound = {
      isEmpty: () => image.isEmpty(),
      getSize: () => image.getSize(),
      toPNG: () => image.toPNG(),
      toDataURL: () => image.toDataURL()
    }
    return strict('NativeImage', Object.assign(Object.create(NativeImage.prototype) as NativeImage, bound))
  }

  isEmpty(): boolean {
    return this.#png.length === 0
  }

  getSize(): { width: number; height: number } {
    if (this.isEmpty()) return { width: 0, height: 0 }
    return { width: this.#png.readUInt32BE(16), height: this.#png.readUInt32BE(20) }
  }

  toPNG(): Buffer {
    return Buffer.from(this.#png)
  }

  toDataURL(): string {
    return `data:image/png;base64,${this.#png.toString('base64')}`
  }
}

function fromBuffer(buffer: Buffer): NativeImage {
  if (buffer.subarray(0, 8).toString('hex') !== PNG_SIGNATURE) refuse('nativeImage of anything but PNG')
  return NativeImage.fromPng(Buffer.from(buffer))
}

/** Electron's `nativeImage` module. A file that is missing gives an empty image, as in Electron. */
export const nativeImage = strict('nativeImage', {
  createEmpty: () => NativeImage.fromPng(Buffer.alloc(0)),
  createFromPath: (path: string) =>
    existsSync(path) ? fromBuffer(readFileSync(path)) : NativeImage.fromPng(Buffer.alloc(0)),
  createFromBuffer: (buffer: Buffer) => fromBuffer(buffer),
  createFromDataURL: (url: string) => fromBuffer(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
})
