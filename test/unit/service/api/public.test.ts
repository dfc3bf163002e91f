import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { LoyaltyPointsService } from '../../../../electron/service/index.ts'

const token = 'public'

describe('the public routes', () => {
  let service: LoyaltyPointsService
  beforeAll(async () => {
    service = await LoyaltyPointsService.open({
      file: ':memory:',
      tokens: [token],
      publicUrl: 'https://shop.invalid/',
      seed: { customers: 5 }
    })
  })
  afterAll(() => service.close())

  const callApi = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = new Request(`https://shop.invalid/api${path}`, { ...init, headers })
    return (await service.fetch(request)).json()
  }
  const imageAt = async (url: string): Promise<Uint8Array> => {
    const response = await service.fetch(new Request(url))
    expect(response.headers.get('content-type')).toBe('image/png')
    return new Uint8Array(await response.arrayBuffer())
  }
  /** Width and height from the header of a PNG file. */
  const sizeOf = (png: Uint8Array) => {
    const view = new DataView(png.buffer)
    expect(view.getUint32(0)).toBe(0x89504e47)
    return [view.getUint32(16), view.getUint32(20)]
  }

  it('serve the logo without a token', async () => {
    const { logo } = v.parse(v.object({ logo: v.string() }), await callApi('/account'))
    expect(sizeOf(await imageAt(logo))).toEqual([256, 256])
  })

  it('serve initials as an image that contains no markup of the address', async () => {
    for (const letters of ['%3Cscript%3E', '%26', '%00']) {
      const response = await service.fetch(new Request(`https://shop.invalid/images/initials/${letters}`))
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
      expect(await response.text()).not.toMatch(/<script|&(?!amp;|lt;|gt;)|\0/)
    }
  })

  it('serve a different avatar for each customer, the same on each request', async () => {
    const page = v.object({ data: v.array(v.object({ avatar: v.string() })) })
    const { data } = v.parse(page, await callApi('/customers'))
    const avatars = await Promise.all(data.map(({ avatar }) => imageAt(avatar)))
    expect(avatars.map(sizeOf)).toEqual(data.map(() => [96, 96]))
    expect(new Set(avatars.map((png) => Buffer.from(png).toString('base64'))).size).toBe(data.length)
    expect(await imageAt(data[0]?.avatar ?? '')).toEqual(avatars[0])
  })

  it('serve an image of a QR code that decodes to its link', async () => {
    const created = await callApi('/qr?image=1', { method: 'POST', body: '{"points":30}' })
    const { qrURL, qrImageURL } = v.parse(v.object({ qrURL: v.string(), qrImageURL: v.string() }), created)
    const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
    const { buffer } = Uint8Array.from(await readFile(wasm))
    prepareZXingModule({ overrides: { wasmBinary: buffer } })
    const [decoded] = await readBarcodes(await imageAt(qrImageURL))
    expect(decoded?.text).toBe(qrURL)
  })

  it('serve text pages for a code and for joining that are marked as training', async () => {
    for (const path of ['/q/7QK2M0ZC4T9A', '/join/usr_a']) {
      const response = await service.fetch(new Request(`https://shop.invalid${path}`))
      expect(response.headers.get('content-type')).toContain('text/plain')
      expect(await response.text()).toContain('TRAINING - NO VALUE')
    }
  })

  it.each(['/images/avatars/..%2Flogo.png', '/q/%3Cscript%3E', '/images/none.png', '/'])(
    'respond with 404 for %s',
    async (path) => {
      const response = await service.fetch(new Request(`https://shop.invalid${path}`))
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: 'Not Found', statusCode: 404 })
    }
  )
})
