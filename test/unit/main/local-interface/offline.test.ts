/** Slips of programs whose codes the till makes while the service cannot be reached. */
import { expect, it } from 'vitest'
import { isProved, readOfflineCode } from '../../../../electron/codes/offline-code.ts'
import { ok } from '../../../../electron/contract/failure.ts'
import { KNOWN_CUSTOMERS } from '../../../../electron/service/index.ts'
import { createOfflineKeys, OFFLINE_SECRET, offlineKeyAnswer } from '../../../support/offline-keys.ts'
import { business } from '../../../support/sample-business.ts'
import { MemorySettings } from '../../../support/session.ts'
import { openInterface, setTime } from './interface-fixture.ts'

const [known] = KNOWN_CUSTOMERS
const NOON = new Date('2026-11-21T12:05:33.000Z')
const bill = (reference: string, change: object = {}) => ({
  reference,
  points: 250,
  deliver: 'return',
  ...change
})

/** A till whose line is cut, and who has seen `known` before. */
async function openCutTill() {
  setTime(NOON.getTime())
  const line = { isCut: false }
  const offlineKeys = createOfflineKeys({
    session: {
      mode: 'business',
      accepted: true,
      businessKey: 'b1',
      get offlineSince() {
        return line.isCut ? NOON.toISOString() : null
      }
    },
    settings: new MemorySettings()
  })
  await offlineKeys.accept(offlineKeyAnswer, 'b1')
  const fixture = await openInterface({
    slips: {
      offlineKeys,
      currentBusiness: () => ({ ...business, extensions: ['codes/1', 'offline-codes/1'] }),
      now: () => NOON,
      offlineKey: () => Promise.resolve(ok(offlineKeyAnswer)),
      reportOfflineCodes: (codes) =>
        Promise.resolve(ok(codes.map(({ code }) => ({ code, refusal: 'key-revoked' }))))
    }
  })
  const pos = await fixture.pair()
  const found = await pos.get(`/v1/customers?phone=${encodeURIComponent(known.phone)}`)
  expect(found).toMatchObject({ status: 200 })
  const cut = () => {
    line.isCut = true
    fixture.till.respond = () =>
      Promise.reject(Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' }))
  }
  const mend = () => {
    line.isCut = false
    fixture.till.respond = null
  }
  cut()
  return { ...fixture, pos, mend }
}

it('are issued for a customer whom the till saw lately, once for their reference, and say so', async () => {
  const { pos, codesRequested, mend } = await openCutTill()
  const wanted = bill('R-1', { customer: { phone: known.phone } })
  const { status, body } = await pos.post('/v1/slips', wanted)
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { state: 'given', points: 250, offline: true, customer: { name: known.name } }
  })
  const read = readOfflineCode(body.code ?? '')
  expect(read !== null && isProved(read, OFFLINE_SECRET)).toBe(true)
  expect(body.receipt?.text).toContain(body.url)
  expect(await pos.post('/v1/slips', wanted)).toMatchObject({ status: 200, body: { code: body.code } })
  expect(await pos.get('/v1/slips/R-1')).toMatchObject({ status: 200, body: { offline: true } })
  expect(codesRequested()).toBe(0)
  mend()
  expect(await pos.post('/v1/slips', wanted)).toMatchObject({ status: 200, body: { code: body.code } })
})

it('are not issued for others, above the limits, and for credits: their references stay unused', async () => {
  const { pos, mend } = await openCutTill()
  const unreachable = { status: 503, body: { error: 'service-unreachable' } }
  const stranger = bill('R-2', { customer: { phone: '+30 690 000 0000' } })
  expect(await pos.post('/v1/slips', stranger)).toMatchObject(unreachable)
  expect(await pos.post('/v1/slips', bill('R-3', { points: 501 }))).toMatchObject(unreachable)
  expect(await pos.get('/v1/customers?id=cus_1')).toMatchObject(unreachable)
  mend()
  const issued = await pos.post('/v1/slips', bill('R-3', { points: 501 }))
  expect(issued).toMatchObject({ status: 201, body: { offline: false } })
})

it('that the service does not take have no code for a repeated request', async () => {
  const { pos, slips, mend } = await openCutTill()
  await pos.post('/v1/slips', bill('R-4'))
  mend()
  const { offlineReports } = await slips()
  offlineReports.start()
  await expect
    .poll(() => pos.post('/v1/slips', bill('R-4')))
    .toMatchObject({ status: 410, body: { error: 'code-ended' } })
})
