import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { createTrainingService, type TrainingService } from '../../../../electron/service/index.ts'

const token = 'pictures'

describe('what the links of the service lead to', () => {
  let service: TrainingService
  beforeAll(() => {
    service = createTrainingService({
      file: ':memory:',
      tokens: [token],
      publicUrl: 'https://shop.invalid/',
      seed: { customers: 5 }
    })
  })
  afterAll(() => service.close())

  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = new Request(`https://shop.invalid/api${path}`, { ...init, headers })
    return (await service.fetch(request)).json()
  }
  const pictureAt = async (url: string): Promise<Uint8Array> => {
    const response = await service.fetch(new Request(url))
    expect(response.headers.get('content-type')).toBe('image/png')
    return new Uint8Array(await response.arrayBuffer())
  }
  /** Width and height as the header of a PNG file gives them. */
  const sizeOf = (png: Uint8Array) => {
    const view = new DataView(png.buffer)
    expect(view.getUint32(0)).toBe(0x89504e47)
    return [view.getUint32(16), view.getUint32(20)]
  }

  it('is the logo, without a token', async () => {
    const { logo } = v.parse(v.object({ logo: v.string() }), await ask('/account'))
    expect(sizeOf(await pictureAt(logo))).toEqual([256, 256])
  })

  it('is one avatar for each customer, always the same', async () => {
    const page = v.object({ data: v.array(v.object({ avatar: v.string() })) })
    const { data } = v.parse(page, await ask('/customers'))
    const avatars = await Promise.all(data.map(({ avatar }) => pictureAt(avatar)))
    expect(avatars.map(sizeOf)).toEqual(data.map(() => [96, 96]))
    expect(new Set(avatars.map((png) => Buffer.from(png).toString('base64'))).size).toBe(data.length)
    expect(await pictureAt(data[0]?.avatar ?? '')).toEqual(avatars[0])
  })

  it('is an image of the QR code, which decodes to its address', async () => {
    const created = await ask('/qr?image=1', { method: 'POST', body: '{"points":30}' })
    const { qrURL, qrImageURL } = v.parse(v.object({ qrURL: v.string(), qrImageURL: v.string() }), created)
    const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
    const { buffer } = Uint8Array.from(await readFile(wasm))
    prepareZXingModule({ overrides: { wasmBinary: buffer } })
    const [decoded] = await readBarcodes(await pictureAt(qrImageURL))
    expect(decoded?.text).toBe(qrURL)
  })

  it('is a page that says that a code and joining are training', async () => {
    for (const path of ['/q/7QK2M0ZC4T9A', '/join']) {
      const response = await service.fetch(new Request(`https://shop.invalid${path}`))
      expect(response.headers.get('content-type')).toContain('text/plain')
      expect(await response.text()).toContain('TRAINING - NO VALUE')
    }
  })

  it.each(['/pictures/avatars/..%2Flogo.png', '/q/%3Cscript%3E', '/pictures/none.png', '/'])(
    'is nothing at %s',
    async (path) => {
      const response = await service.fetch(new Request(`https://shop.invalid${path}`))
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: 'Not Found', statusCode: 404 })
    }
  )
})
