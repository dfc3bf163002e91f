/** Slips whose codes the till makes while its service cannot be reached, and what the service is told of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isProved, readOfflineCode } from '../../../../electron/codes/offline-code.ts'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { NewQrCode } from '../../../../electron/contract/loyalty.ts'
import type { OfflineKeyAnswer, OfflineRefusal } from '../../../../electron/contract/offline.ts'
import type { ReportedOfflineCode } from '../../../../electron/main/loyalty/sent-cashier.ts'
import {
  createOfflineKeys,
  OFFLINE_SECRET,
  offlineKeyAnswer as answer
} from '../../../support/offline-keys.ts'
import { business } from '../../../support/sample-business.ts'
import { MemorySettings } from '../../../support/session.ts'
import { qrCode, type SlipDoubles } from '../../../support/slip-service.ts'
import { openSlipService, press, temporaryFolder, valueOf } from '../slips/slip-service-fixture.ts'

const NOON = new Date('2026-11-21T12:05:33.000Z')
const DAY_MS = 24 * 60 * 60_000
const offlineBusiness = { ...business, extensions: ['codes/1', 'offline-codes/1'] as const }

/** A till with a key, and a service that `line` lets it reach. */
async function openTill(changes: Partial<SlipDoubles> = {}) {
  const world = {
    line: 'cut' as 'cut' | 'mended',
    isKnownOffline: true,
    now: NOON,
    issue: err({ kind: 'offline' }) as Result<NewQrCode>,
    refused: new Map<string, OfflineRefusal>(),
    reports: [] as (readonly ReportedOfflineCode[])[],
    asked: [] as unknown[],
    requests: 0
  }
  const settings = new MemorySettings()
  const session = {
    mode: 'business' as const,
    accepted: true,
    get offlineSince() {
      return world.line === 'cut' && world.isKnownOffline ? NOON.toISOString() : null
    },
    businessKey: 'business https://points.shop.example/ b1'
  }
  const newKeys = () => createOfflineKeys({ session, settings })
  const offlineKeys = newKeys()
  await offlineKeys.accept(answer, session.businessKey)
  const doubles = (): Partial<SlipDoubles> => ({
    offlineKeys: newKeys(),
    currentBusiness: () => offlineBusiness,
    now: () => world.now,
    retryDelaysMs: [],
    issueCode: () => {
      world.requests += 1
      return Promise.resolve(world.issue)
    },
    offlineKey: (asked) => {
      world.asked.push(asked)
      return Promise.resolve(ok({ ...answer, secret: undefined, ticket: 'T2', day: '2026-11-22' }))
    },
    reportOfflineCodes: (codes) => {
      world.reports.push(codes)
      return Promise.resolve(
        ok(codes.map(({ code }) => ({ code, refusal: world.refused.get(code) ?? null })))
      )
    },
    ...changes
  })
  return { world, settings, session, doubles, till: openSlipService({ ...doubles(), offlineKeys }) }
}

const issue = async ({ till }: Pick<Awaited<ReturnType<typeof openTill>>, 'till'>, points: number) =>
  till.slips.counter.issue(press(points))

it('issues a code that the service can prove, without a request, once for its intent', async () => {
  const { till, world } = await openTill()
  const pressed = press(250)
  const { slip } = valueOf(await till.slips.counter.issue(pressed))
  const code = slip.code ?? ''
  const read = readOfflineCode(code)
  expect(read).toMatchObject({ key: 'K7Q2M0', points: 250, day: '2026-11-21' })
  expect(read !== null && isProved(read, OFFLINE_SECRET)).toBe(true)
  expect(slip).toMatchObject({
    url: `HTTPS://POINTS.SHOP.EXAMPLE/Q/${code}`,
    issuedAt: NOON.toISOString(),
    // The end of the day in Berlin, and 90 days.
    expiresAt: '2027-02-19T23:00:00.000Z',
    offline: { reportedAt: null, refusal: null }
  })
  world.line = 'mended'
  expect(valueOf(await till.slips.counter.issue(pressed)).slip.code).toBe(code)
  expect(world.requests).toBe(0)
})

it('issues when nothing could be sent, and never when a request may have arrived', async () => {
  const { till, world } = await openTill()
  world.isKnownOffline = false
  expect(valueOf(await issue({ till }, 250)).slip.offline).not.toBeNull()
  expect(world.requests).toBe(1)
  const lost: Failure = { kind: 'unknown-outcome', cause: 'connection-lost' }
  world.issue = err(lost)
  const pressed = press(100)
  expect(await till.slips.counter.issue(pressed)).toEqual(err(lost))
  // The line is cut now: its own code decides it.
  world.isKnownOffline = true
  world.issue = err({ kind: 'offline' })
  expect(await till.slips.counter.issue(pressed)).toEqual(err(lost))
  world.issue = ok(qrCode('CODE-1', 100))
  expect(valueOf(await till.slips.counter.issue(pressed)).slip).toMatchObject({
    code: 'CODE-1',
    offline: null
  })
})

it('keeps the limits of a slip and of a day, also after a start and without its journal', async () => {
  const opened = await openTill()
  const { till, world, doubles, settings } = opened
  const unsent = err({ kind: 'offline' })
  expect(await issue(opened, 501)).toEqual(unsent)
  expect((await issue(opened, 500)).ok).toBe(true)
  expect(till.slips.offline.state).toEqual({ pointsLeft: 200, pointsOfSlip: 200, obstacle: null })
  expect(await issue(opened, 201)).toEqual(unsent)
  const restarted = await till.restart(doubles())
  expect(restarted.slips.offline.state).toMatchObject({ obstacle: 'no-key' })
  restarted.slips.offlineReports.start()
  await expect.poll(() => restarted.slips.offline.state?.pointsLeft).toBe(200)
  expect((await issue({ till: restarted }, 200)).ok).toBe(true)
  expect(restarted.slips.offline.state).toEqual({ pointsLeft: 0, pointsOfSlip: 0, obstacle: 'day-limit' })
  await restarted.slips.close()
  expect(settings.values.offlineKey?.spent?.points).toBe(700)
  const empty = openSlipService(doubles())
  empty.slips.offlineReports.start()
  await expect.poll(() => empty.slips.offline.state?.obstacle).toBe('day-limit')
  world.now = new Date(NOON.getTime() + DAY_MS)
  expect(empty.slips.offline.state?.pointsLeft).toBe(700)
})

it('issues nothing where a slip whose answer is lost would not get its own code', async () => {
  const opened = await openTill({
    currentBusiness: () => ({ ...business, extensions: ['offline-codes/1'] }),
    createQr: () => Promise.resolve(err({ kind: 'offline' }))
  })
  expect(opened.till.slips.offline.state).toBeNull()
  expect(await issue(opened, 1)).toEqual(err({ kind: 'offline' }))
})

it.each([
  ['before the day of the key', -DAY_MS],
  ['after its days', 4 * DAY_MS]
])('issues nothing %s', async (_, ms) => {
  const opened = await openTill()
  opened.world.now = new Date(NOON.getTime() + ms)
  expect(opened.till.slips.offline.state).toMatchObject({ obstacle: 'key-ended' })
  expect(await issue(opened, 1)).toEqual(err({ kind: 'offline' }))
})

it('issues nothing at a service that does not offer it, with a token that is refused, and for another business', async () => {
  const opened = await openTill({ currentBusiness: () => ({ ...business, extensions: ['codes/1'] }) })
  expect(opened.till.slips.offline.state).toBeNull()
  expect(await issue(opened, 1)).toEqual(err({ kind: 'offline' }))
  const refused = await openTill()
  refused.session.accepted = false
  refused.world.issue = err({ kind: 'unauthorised' })
  expect(await issue(refused, 1)).toEqual(err({ kind: 'unauthorised' }))
  const other = await openTill()
  other.session.businessKey = 'business https://points.shop.example/ b2'
  expect(other.till.slips.offline.state).toMatchObject({ obstacle: 'no-key' })
  expect(await issue(other, 1)).toEqual(err({ kind: 'offline' }))
})

it('reports each slip once, renews the key after that, and tells what was refused until it is discarded', async () => {
  const opened = await openTill({ currentCashier: () => ({ id: 'r', name: 'Rosa', number: 3 }) })
  const { till, world, settings } = opened
  const calculation = { bill: { amount: '50.00' }, rules: 4 }
  const first = valueOf(await till.slips.counter.issue({ ...press(100), reference: 'R-1', calculation })).slip
  const second = valueOf(await issue(opened, 100)).slip
  world.refused.set(second.code ?? '', 'day-not-allowed')
  world.line = 'mended'
  till.slips.offlineReports.start()
  await expect.poll(() => world.asked).toEqual([{ key: 'K7Q2M0', ticket: 'T1' }])
  expect(world.reports).toEqual([
    [
      {
        code: first.code,
        issuedAt: NOON.toISOString(),
        reference: 'R-1',
        cashier: { number: 3, name: 'Rosa' },
        ...calculation
      },
      {
        code: second.code,
        issuedAt: NOON.toISOString(),
        reference: null,
        cashier: { number: 3, name: 'Rosa' }
      }
    ]
  ])
  await expect.poll(() => settings.values.offlineKey).toMatchObject({ ticket: 'T2', day: '2026-11-22' })
  const slipOf = (intentId: string) =>
    valueOf(till.slips.queries.list({ offset: 0 })).slips.find((slip) => slip.intentId === intentId)
  expect(slipOf(first.intentId)?.offline).toEqual({ reportedAt: NOON.toISOString(), refusal: null })
  await expect.poll(() => slipOf(second.intentId)?.state).toBe('printed')
  expect(valueOf(till.slips.queries.attentionList({ offset: 0 })).slips).toMatchObject([
    { action: 'discard', slip: { intentId: second.intentId, offline: { refusal: 'day-not-allowed' } } }
  ])
  expect(valueOf(till.slips.queries.attention())).toBe(1)
  expect((await till.slips.printouts.discard({ intentId: first.intentId, reason: 'No' })).ok).toBe(false)
  // Reported again, until a person has seen it.
  till.slips.offlineReports.start()
  await expect.poll(() => world.reports.map((codes) => codes.length)).toEqual([2, 1])
  const { intentId } = second
  expect(valueOf(await till.slips.printouts.discard({ intentId, reason: 'Torn' })).state).toBe('discarded')
  expect(valueOf(till.slips.queries.attention())).toBe(0)
  await expect.poll(() => world.asked.length).toBe(2)
  till.slips.offlineReports.start()
  await expect.poll(() => world.asked.length).toBe(3)
  expect(world.reports).toHaveLength(2)
})

it('asks for a first key, and has none when the owner has switched it off', async () => {
  let answers: Result<OfflineKeyAnswer> = ok(answer)
  const { settings, till, world, doubles } = await openTill()
  settings.update({ offlineKey: null })
  const fresh = await till.restart({ ...doubles(), offlineKey: () => Promise.resolve(answers) })
  fresh.slips.offlineReports.start()
  await expect.poll(() => settings.values.offlineKey?.sealed.ciphertext).toBe(`sealed ${answer.secret ?? ''}`)
  expect(JSON.stringify({ ...settings.values.offlineKey, sealed: null })).not.toContain(answer.secret)
  expect(fresh.slips.offline.state?.pointsLeft).toBe(700)
  answers = err({ kind: 'rejected', status: 409, message: 'Off' })
  fresh.slips.offlineReports.start()
  await expect.poll(() => settings.values.offlineKey).toBeNull()
  expect(fresh.slips.offline.state?.obstacle).toBe('no-key')
  expect(world.requests).toBe(0)
})

it('keeps what a slip says until the service was told of it, however old it is', async () => {
  const opened = await openTill({
    retention: () => ({ pdfs: null, names: 90, quarantinedJournals: null, slips: null })
  })
  const { till, world } = opened
  const customer = { id: 'customer-zoe', name: 'Zoe' }
  const { intentId } = valueOf(await till.slips.counter.issue({ ...press(100), customer })).slip
  const own = () =>
    valueOf(till.slips.queries.list({ offset: 0 })).slips.filter((slip) => slip.intentId === intentId)
  await expect.poll(() => own()[0]?.state).toBe('printed')
  // Its time is the till's own: it does not show that the clock is right.
  expect(await till.slips.retention.apply()).toBeNull()
  world.now = new Date(NOON.getTime() + 100 * DAY_MS)
  world.line = 'mended'
  world.issue = ok({ ...qrCode('CODE-1', 1), createdAt: world.now.toISOString() })
  await issue(opened, 1)
  expect(await till.slips.retention.apply()).not.toBeNull()
  expect(own()).toMatchObject([{ intentId, customer }])
  till.slips.offlineReports.start()
  await expect.poll(() => own()[0]?.offline?.reportedAt).toEqual(expect.any(String))
  await till.slips.retention.apply()
  expect(own()).toMatchObject([{ intentId, customer: null }])
})

it('makes a batch within the limits, and goes on with the service', async () => {
  const { till, world } = await openTill()
  const batchId = '0a6f58f4-6d3c-4d8e-9a86-6f9a5f0f6d11'
  const asked = { batchId, points: 100, count: 9, oneJob: false }
  const { batches, queries } = till.slips
  expect((await batches.start(asked)).ok).toBe(true)
  const own = () => valueOf(queries.unfinishedBatches()).find((batch) => batch.batchId === batchId)
  // 700 points of a day.
  await expect
    .poll(own)
    .toMatchObject({ state: 'stopped', reason: { kind: 'offline' }, issued: 7, unknown: 0 })
  const made = valueOf(queries.list({ offset: 0, search: { batchId } })).slips.filter(
    ({ code }) => code !== null
  )
  expect(made.map(({ offline }) => offline)).toEqual(
    Array.from(made, () => ({ reportedAt: null, refusal: null }))
  )
  expect(new Set(made.map(({ code }) => code)).size).toBe(7)
  world.line = 'mended'
  let codes = 0
  const online = await till.restart({
    ...(await openTill()).doubles(),
    issueCode: () => Promise.resolve(ok(qrCode(`CODE-${String((codes += 1))}`, 100)))
  })
  valueOf(await online.slips.batches.resume({ batchId, issueUnknownAgain: false }))
  await expect.poll(() => codes).toBe(2)
  await expect.poll(() => valueOf(online.slips.queries.unfinishedBatches())).toEqual([])
  expect(valueOf(online.slips.queries.list({ offset: 0, search: { batchId } })).slips).toHaveLength(11)
})

it('prints a slip again, and counts it in the report and the export', async () => {
  const { till, world } = await openTill()
  const { slip } = valueOf(await till.slips.counter.issue(press(250)))
  const { printouts, queries, reports } = till.slips
  await expect.poll(() => valueOf(queries.list({ offset: 0 })).slips[0]?.state).toBe('printed')
  const copied = valueOf(await printouts.reprint({ intentId: slip.intentId }))
  expect(copied.slip).toMatchObject({ code: slip.code, copies: 1, lastCopy: { state: 'printed' } })
  world.isKnownOffline = false
  world.issue = ok(qrCode('CODE-1', 40))
  await till.slips.counter.issue(press(40))
  const day = { from: '2026-11-21', to: '2026-11-21' }
  expect(valueOf(await reports.report(day))).toMatchObject({ slips: 2, points: 290, offline: 1 })
  const file = join(temporaryFolder(), 'slips.csv')
  expect(await reports.exportSlips(file, {})).toEqual(ok(2))
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\r\n')
  expect(header).toContain(',Made without a connection,')
  expect(lines.map((line) => line.split(',').at(-2))).toEqual(['no', 'yes'])
})

it('tells the page when the key is there after a start, and when it is gone', async () => {
  const { settings, session } = await openTill()
  const changes: unknown[] = []
  const keys = createOfflineKeys({
    session,
    settings,
    onChange: () => changes.push(keys.current?.key ?? null)
  })
  expect(keys.current).toBeNull()
  await keys.open()
  await keys.open()
  keys.drop()
  expect(changes).toEqual(['K7Q2M0', null])
})

it('promises no rewards on paper: the balance may be old', async () => {
  const withRewards = { ...offlineBusiness, slip: { ...offlineBusiness.slip, rewards: true } }
  const opened = await openTill({
    currentBusiness: () => withRewards,
    affordable: () => ({ best: 'Coffee', others: 0, next: null })
  })
  const customer = { id: 'customer-zoe', name: 'Zoe' }
  const made = valueOf(await opened.till.slips.counter.issue({ ...press(100), customer }))
  opened.world.isKnownOffline = false
  opened.world.issue = ok(qrCode('CODE-1', 100))
  const asked = valueOf(await opened.till.slips.counter.issue({ ...press(100), customer }))
  expect([made.affordable, asked.affordable?.best]).toEqual([null, 'Coffee'])
})
