import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SEEDED_CODES } from '../../../../electron/service/index.ts'
import { bodyOf, errorOf, everyWay, exactly, openInProcess, post, type Caller } from '../ways.ts'

const now = new Date('2026-11-21T10:00:00.000Z')

describe.each(everyWay)('QR codes, $way', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open({ now: () => now })
  })
  afterAll(() => caller.close())

  it.each([1, 250, 250.0, 9_999_999])('creates a code for %d points and reads it again', async (points) => {
    const reply = await caller.call('/qr', post({ points }))
    expect(reply.status).toBe(200)
    const created = bodyOf(reply, exactly.qr)
    expect(created).toMatchObject({
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      rewardPoints: points,
      status: 'active',
      usedDate: '',
      qrURL: `${caller.baseUrl.replace(/\/api$/, '')}/q/${created.code}`,
      qrImageURL: ''
    })
    expect(created.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
    expect(bodyOf(await caller.call(`/qr/${created.code}`), exactly.qr)).toEqual(created)
    expect(bodyOf(await caller.call(`/qr/${created.code.toLowerCase()}`), exactly.qr)).toEqual(created)
  })

  it('makes an image when asked for, and only then', async () => {
    const created = bodyOf(await caller.call('/qr?image=1', post({ points: 5 })), exactly.qr)
    expect(created.qrImageURL).toBe(`${created.qrURL}.png`)
    expect(bodyOf(await caller.call(`/qr/${created.code}`), exactly.qr).qrImageURL).toBe(created.qrImageURL)
    for (const query of ['?image=0', '?image=', '?image=true']) {
      const plain = bodyOf(await caller.call(`/qr${query}`, post({ points: 5 })), exactly.qr)
      expect(plain.qrImageURL).toBe('')
    }
  })

  it.each([10_000_000, 9_999_999.5, 1e300])('answers 406 for %d points', async (points) => {
    const reply = await caller.call('/qr', post({ points }))
    expect(reply.status).toBe(406)
    expect(errorOf(reply)).toMatchObject({
      message: 'points must not be above 9999999',
      error: 'Not Acceptable'
    })
  })

  it.each([
    ['zero', '{"points":0}'],
    ['negative', '{"points":-5}'],
    ['fractional', '{"points":2.5}'],
    ['text', '{"points":"250"}'],
    ['null', '{"points":null}'],
    ['a list', '{"points":[250]}'],
    ['absent', '{}']
  ])('refuses points that are %s', async (_what, body) => {
    const reply = await caller.call('/qr', { ...post({}), body })
    expect(reply.status).toBe(400)
    expect(errorOf(reply).message).toBe('points must be a whole number, 1 or more')
  })

  it('answers 406 for more points than a number can be', async () => {
    expect((await caller.call('/qr', { ...post({}), body: '{"points":1e999}' })).status).toBe(406)
  })

  it('has codes to check from the start: unused ones, and one that was used', async () => {
    for (const code of SEEDED_CODES.unused) {
      expect(bodyOf(await caller.call(`/qr/${code}`), exactly.qr)).toMatchObject({
        status: 'active',
        usedDate: ''
      })
    }
    const used = bodyOf(await caller.call(`/qr/${SEEDED_CODES.used[0]}`), exactly.qr)
    expect(used.status).toBe('used')
    expect(Date.parse(used.usedDate)).toBeLessThan(now.getTime())
    expect(used.updatedAt).toBe(used.usedDate)
  })

  it.each(['/qr/NEVERISSUED', '/qr/%00', '/qr/%2e%2e%2f'])('answers 404 for %s', async (path) => {
    const reply = await caller.call(path)
    expect(reply.status).toBe(404)
    expect(errorOf(reply).error).toBe('Not Found')
  })
})

describe('a source of random bytes that repeats', () => {
  it('is tried again, so that no two codes are the same', async () => {
    const draws = [1, 1, 2]
    const random = (size: number) => new Uint8Array(size).fill(draws.shift() ?? 3)
    const caller = await openInProcess({ random })
    const first = bodyOf(await caller.call('/qr', post({ points: 1 })), exactly.qr)
    const second = bodyOf(await caller.call('/qr', post({ points: 1 })), exactly.qr)
    expect([first.code, second.code]).toEqual(['111111111111', '222222222222'])
    await caller.close()
  })

  it('is given up on with a 500 that says nothing of the inside, and reported', async () => {
    const faults: unknown[] = []
    const caller = await openInProcess({
      random: (size) => new Uint8Array(size),
      onFault: (fault) => faults.push(fault)
    })
    expect((await caller.call('/qr', post({ points: 1 }))).status).toBe(200)
    const reply = await caller.call('/qr', post({ points: 1 }))
    expect(errorOf(reply)).toEqual({
      message: 'The service failed; please try again',
      error: 'Internal Server Error',
      statusCode: 500
    })
    expect(faults).toHaveLength(1)
    await caller.close()
  })
})
