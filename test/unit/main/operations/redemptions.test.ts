import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Failure } from '../../../../electron/contract/failure.ts'
import { canUndo } from '../../../../electron/contract/operations.ts'
import { type RedeemRequest, type Redemption } from '../../../../electron/contract/redemptions.ts'
import type { RetentionSettings } from '../../../../electron/contract/privacy.ts'
import {
  fingerprintOf,
  readCustomerSlips,
  removeCustomerFromSlips
} from '../../../../electron/main/journal/customer-slips.ts'
import { redemptionOf } from '../../../../electron/main/operations/redemptions.ts'
import type { OperationTable } from '../../../../electron/main/journal/operation-table.ts'
import type { RemovalStep } from '../../../../electron/main/journal/row-removal.ts'
import { openJournal } from '../../../../electron/main/journal/open-journal.ts'
import type { SlipService } from '../../../../electron/main/slips/slip-service.ts'
import {
  BreakingLine,
  openRedeemingTill,
  RedemptionService,
  type LineFault
} from '../../../support/redemption-service.ts'
import { business } from '../../../support/sample-business.ts'
import { failWrites, valueOf } from '../slips/slip-service-fixture.ts'

let service: RedemptionService
let folder: string
let line: BreakingLine
let till: SlipService
let request: RedeemRequest
let now: Date
let changes: Redemption[]
let shown: Redemption[]
let balances: (readonly [string, number | null])[]

const doubles = {
  now: () => now,
  onRedemption: (redemption: Redemption) => changes.push(redemption),
  showRedeemed: (redemption: Redemption) => shown.push(redemption),
  onBalance: (id: string, balance: number | null) => balances.push([id, balance])
}

const rowOf = (intentId = request.intentId): Redemption | undefined => {
  const found = till.redemptions.find(intentId)
  return found.ok ? found.value?.shown : undefined
}

/** As after a crash: the journal is opened again. */
const restart = async (): Promise<void> => {
  await till.close()
  till = openRedeemingTill(folder, line, doubles)
}

const json = (status: number, body: object) => (): Response => Response.json(body, { status })
const notStored = (): Response =>
  Response.json({}, { status: 503, headers: { 'not-stored': 'storage-full' } })
const html = (status: number) => (): Response =>
  new Response('<html><body>Welcome</body></html>', { status, headers: { 'content-type': 'text/html' } })

beforeEach(async () => {
  now = new Date()
  changes = []
  shown = []
  balances = []
  service = await RedemptionService.open(':memory:', () => now)
  folder = mkdtempSync(join(tmpdir(), 'redemptions-'))
  line = new BreakingLine(service)
  till = openRedeemingTill(folder, line, doubles)
  const { customer, reward } = await service.customerAndReward()
  request = {
    intentId: randomUUID(),
    customer: { id: customer.id, name: customer.name },
    reward: { id: reward.id, name: reward.name },
    cost: reward.cost,
    balanceBefore: customer.balance
  }
})

afterEach(async () => {
  await till.close()
  await service.close()
  rmSync(folder, { recursive: true })
})

/** The points that were taken from the customer. */
const taken = async (): Promise<number> =>
  (request.balanceBefore ?? 0) - (await service.balanceOf(request.customer.id))

describe('redeeming', () => {
  test('takes the points, and says so only with the answer on disk', async () => {
    const redeemed = await till.redemptions.redeem(request)

    const balance = (request.balanceBefore ?? 0) - request.cost
    expect(redeemed).toMatchObject({ ok: true, value: { state: 'redeemed', balance } })
    expect(changes.map(({ state }) => state)).toEqual(['requested', 'redeemed'])
    expect(line.keys).toEqual([request.intentId])
    expect(await taken()).toBe(request.cost)
    expect(balances).toEqual([[request.customer.id, balance]])
    expect(shown).toMatchObject([{ reward: request.reward, balance }])
  })

  test('happens once for an intent, at once and later', async () => {
    const [first, second] = await Promise.all([
      till.redemptions.redeem(request),
      till.redemptions.redeem(request)
    ])

    expect(second).toEqual(first)
    expect(await till.redemptions.redeem(request)).toEqual(first)
    expect(line.keys).toHaveLength(1)
  })

  test('lists what a customer redeemed, the newest first', async () => {
    await till.redemptions.redeem(request)
    const other = { ...request, intentId: randomUUID(), cost: request.cost + 1 }
    await till.redemptions.redeem(other)

    const listed = till.redemptions.ofCustomer(request.customer.id)
    expect(listed.ok && listed.value.map(({ intentId, state }) => [intentId, state])).toEqual([
      [other.intentId, 'refused'],
      [request.intentId, 'redeemed']
    ])
  })

  test('is not offered by a service without the extension, and nothing is sent', async () => {
    await till.close()
    till = openRedeemingTill(folder, line, { currentBusiness: () => ({ ...business, extensions: [] }) })

    expect(await till.redemptions.redeem(request)).toEqual({ ok: false, failure: { kind: 'not-offered' } })
    expect(line.keys).toEqual([])
  })

  test.each<[string, Partial<RedeemRequest>, Failure]>([
    ['another price', { cost: 1 }, { kind: 'operation-refused', reason: 'price-changed' }],
    [
      'no such reward',
      { reward: { id: 'none', name: '' } },
      { kind: 'operation-refused', reason: 'reward-unknown' }
    ],
    [
      'no such customer',
      { customer: { id: 'none', name: '' } },
      { kind: 'operation-refused', reason: 'customer-unknown' }
    ]
  ])('is refused with %s', async (_name, change, failure) => {
    expect(await till.redemptions.redeem({ ...request, ...change })).toEqual({ ok: false, failure })
    expect(rowOf()).toMatchObject({ state: 'refused', failure })
    expect(await taken()).toBe(0)
  })

  test('is refused without enough points, until they are there', async () => {
    const times = Math.floor((request.balanceBefore ?? 0) / request.cost) + 1
    const answers = []
    for (let count = 0; count < times; count++) {
      answers.push(await till.redemptions.redeem({ ...request, intentId: randomUUID() }))
    }
    expect(answers.map(({ ok }) => ok)).toEqual([...Array<boolean>(times - 1).fill(true), false])
    expect(answers.at(-1)).toEqual({
      ok: false,
      failure: { kind: 'operation-refused', reason: 'points-too-few' }
    })
    expect(shown).toHaveLength(times - 1)
  })
})

describe('a service that answers something else', () => {
  test.each<[string, LineFault, Redemption['state'], Failure['kind']]>([
    ['404 as HTML', html(404), 'refused', 'not-offered'],
    [
      '404 as the interface has it',
      json(404, { message: '', error: '', statusCode: 404 }),
      'refused',
      'not-offered'
    ],
    ['405', html(405), 'refused', 'not-offered'],
    ['401', json(401, {}), 'refused', 'unauthorised'],
    ['403', json(403, {}), 'refused', 'forbidden'],
    ['408', html(408), 'unknown', 'unknown-outcome'],
    ['409 with an unknown word', json(409, { code: 'tired' }), 'refused', 'rejected'],
    ['429', html(429), 'refused', 'busy'],
    ['500', html(500), 'unknown', 'unknown-outcome'],
    ['500 with a word', json(500, { code: 'points-too-few' }), 'unknown', 'unknown-outcome'],
    ['503 that stored nothing', notStored, 'refused', 'service-full'],
    ['200 as HTML', html(200), 'unknown', 'unknown-outcome'],
    ['200 without fields', json(200, {}), 'unknown', 'unknown-outcome'],
    ['200 as a list', json(200, []), 'unknown', 'unknown-outcome'],
    ['200 of another reward', json(200, { id: 'x', reward: 'other', cost: 1 }), 'unknown', 'unknown-outcome']
  ])('%s', async (_name, fault, state, kind) => {
    line.fault = fault
    const answer = await till.redemptions.redeem(request)

    expect(answer).toMatchObject({ ok: false, failure: { kind } })
    expect(rowOf()).toMatchObject({ state })
    expect(shown).toEqual([])
    expect(await taken()).toBe(0)
  })

  test('an answer without a balance and a time counts, with the till’s time', async () => {
    line.fault = json(200, { id: 'red_1', reward: request.reward.id, cost: request.cost })
    expect(await till.redemptions.redeem(request)).toMatchObject({
      ok: true,
      value: { state: 'redeemed', balance: null, doneAt: now.toISOString(), reversibleUntil: null }
    })
  })
})

test('a reversal that was not stored can be asked for again', async () => {
  await till.redemptions.redeem(request)
  line.fault = notStored
  const undo = { intentId: request.intentId, reason: 'Wrong reward' }
  expect(await till.redemptions.undo(undo)).toEqual({ ok: false, failure: { kind: 'service-full' } })
  line.fault = 'none'
  expect(await till.redemptions.undo(undo)).toMatchObject({ ok: true, value: { state: 'undone' } })
  expect(await taken()).toBe(0)
})

describe('a lost answer', () => {
  test.each(['lost-before', 'lost-after'] as const)('(%s) is asked for with the same key', async (fault) => {
    line.fault = fault
    expect(await till.redemptions.redeem(request)).toMatchObject({
      ok: false,
      failure: { kind: 'unknown-outcome' }
    })
    expect(rowOf()).toMatchObject({ state: 'unknown' })
    expect(till.operations.attention()).toEqual({ ok: true, value: 1 })

    line.fault = 'none'
    expect(await till.lostAnswers.askAgain()).toEqual({ ok: true, value: [] })

    expect(rowOf()).toMatchObject({ state: 'redeemed' })
    expect(line.keys).toEqual([request.intentId, request.intentId])
    expect(await taken()).toBe(request.cost)
    // The customer may have left.
    expect(shown).toEqual([])
  })

  test('is asked for by a second press of the same intent', async () => {
    line.fault = 'lost-after'
    await till.redemptions.redeem(request)
    line.fault = 'none'
    expect(await till.redemptions.redeem(request)).toMatchObject({ ok: true, value: { state: 'redeemed' } })
    expect(await taken()).toBe(request.cost)
  })

  test('stays unknown whatever else is answered, and refused only by name', async () => {
    line.fault = 'lost-after'
    await till.redemptions.redeem(request)
    for (const fault of ['not-sent', html(404), json(401, {}), html(429), html(200)] as const) {
      line.fault = fault
      const waiting = await till.lostAnswers.askAgain()
      expect(waiting.ok && waiting.value.map(({ key }) => key)).toEqual([request.intentId])
    }
    line.fault = json(409, { code: 'points-too-few' })
    await till.lostAnswers.askAgain()
    expect(rowOf()).toMatchObject({ state: 'refused' })
  })

  test('is asked for by itself, with delays, and then no more', async () => {
    await till.close()
    till = openRedeemingTill(folder, line, { ...doubles, retryDelaysMs: [0, 0] })
    line.fault = html(500)
    await till.redemptions.redeem(request)
    await expect.poll(() => line.keys.length).toBe(3)
    await new Promise((resolve) => setTimeout(resolve))
    expect(new Set(line.keys)).toEqual(new Set([request.intentId]))
    line.fault = 'none'
    till.lostAnswers.start()
    await expect.poll(() => rowOf()?.state).toBe('redeemed')
  })

  test('of a stopped till is asked for at the next start', async () => {
    line.fault = 'lost-after'
    await till.redemptions.redeem(request)
    await restart()
    line.fault = 'none'
    till.lostAnswers.start()
    await expect.poll(() => rowOf()?.state).toBe('redeemed')
    expect(await taken()).toBe(request.cost)
  })

  test('is not asked for after a year: the service may have forgotten the key', async () => {
    line.fault = 'lost-before'
    await till.redemptions.redeem(request)
    now = new Date(now.getTime() + 366 * 24 * 60 * 60_000)
    line.fault = 'none'
    await till.lostAnswers.askAgain()
    expect(line.keys).toHaveLength(1)
    expect(rowOf()).toMatchObject({ state: 'unknown' })
  })

  test('can be given up by a manager, with a reason', async () => {
    line.fault = 'lost-before'
    await till.redemptions.redeem(request)
    const reason = 'Looked at the points'
    expect(await till.operations.discard({ key: request.intentId, reason })).toEqual({
      ok: true,
      value: null
    })
    expect(rowOf()).toMatchObject({ state: 'discarded', ending: { note: reason } })
    expect(till.operations.attention()).toEqual({ ok: true, value: 0 })
    expect(await till.operations.discard({ key: request.intentId, reason })).toMatchObject({
      ok: false
    })
  })

  test.each<[string, LineFault]>([
    ['404 as HTML', html(404)],
    ['401', json(401, {})],
    ['409 with an unknown word', json(409, { code: 'tired' })],
    ['429', html(429)],
    ['a full disk', notStored],
    ['no connection', 'not-sent']
  ])('is still unknown to a second press that meets %s', async (_name, fault) => {
    line.fault = 'lost-after'
    await till.redemptions.redeem(request)
    line.fault = fault
    expect(await till.redemptions.redeem(request)).toMatchObject({
      ok: false,
      failure: { kind: 'unknown-outcome' }
    })
  })

  describe('that is being asked for', () => {
    let answer: PromiseWithResolvers<Response>

    /** Loses the answer to `work`, and asks for it; the test gives the answer. */
    const ask = async (work: Promise<unknown>): Promise<void> => {
      await work
      answer = Promise.withResolvers()
      line.fault = () => answer.promise
      const sent = line.keys.length
      void till.operations.askFor(line.keys.at(-1) ?? '')
      await expect.poll(() => line.keys.length).toBe(sent + 1)
    }

    test('is ended afterwards with the reason of the manager', async () => {
      line.fault = 'lost-before'
      await ask(till.redemptions.redeem(request))
      const reason = 'Looked at the points'
      const discarded = till.operations.discard({ key: request.intentId, reason })
      answer.resolve(html(500)())
      expect(await discarded).toEqual({ ok: true, value: null })
      expect(rowOf()).toMatchObject({ state: 'discarded', ending: { note: reason } })
    })

    test('is not ended when the answer comes', async () => {
      line.fault = 'lost-before'
      await ask(till.redemptions.redeem(request))
      const discarded = till.operations.discard({ key: request.intentId, reason: 'Gone' })
      answer.resolve(json(409, { code: 'points-too-few' })())
      expect(await discarded).toEqual({ ok: false, failure: { kind: 'not-found' } })
    })

    test('is refused to the call that redeems, too', async () => {
      line.fault = 'lost-before'
      await ask(till.redemptions.redeem(request))
      const redeemed = till.redemptions.redeem(request)
      answer.resolve(json(409, { code: 'points-too-few' })())
      expect(await redeemed).toEqual({
        ok: false,
        failure: { kind: 'operation-refused', reason: 'points-too-few' }
      })
    })

    test('and was not undone is undone afterwards, with the new reason', async () => {
      await till.redemptions.redeem(request)
      line.fault = 'lost-before'
      await ask(till.redemptions.undo({ intentId: request.intentId, reason: 'First' }))
      const undone = till.redemptions.undo({ intentId: request.intentId, reason: 'Second' })
      answer.resolve(json(409, { code: 'reversal-too-late' })())
      line.fault = 'none'
      expect(await undone).toMatchObject({ ok: true, value: { state: 'undone', undo: { reason: 'Second' } } })
    })
  })
})

describe('an answer that the disk does not take', () => {
  const lost = { ok: false, failure: { kind: 'unknown-outcome' } }

  test('is unknown until it is written: a second press takes nothing more', async () => {
    const repair = failWrites({ folder }, 'operations', `new.state <> 'requested'`)
    expect(await till.redemptions.redeem(request)).toMatchObject(lost)
    expect(rowOf()).toMatchObject({ state: 'requested' })
    expect(shown).toEqual([])
    repair()
    expect(await till.redemptions.redeem(request)).toMatchObject({ ok: true, value: { state: 'redeemed' } })
    expect(changes.at(-1)).toMatchObject({ state: 'redeemed' })
    expect(line.keys).toHaveLength(1)
    expect(await taken()).toBe(request.cost)
  })

  test('is asked for by itself when it was lost', async () => {
    await till.close()
    till = openRedeemingTill(folder, line, { ...doubles, retryDelaysMs: [0] })
    line.fault = 'lost-after'
    const repair = failWrites({ folder }, 'operations', `new.state = 'unknown'`)
    expect(await till.redemptions.redeem(request)).toMatchObject(lost)
    repair()
    line.fault = 'none'
    // Any call for the intent writes it.
    await till.redemptions.undo({ intentId: request.intentId, reason: 'x' })
    await expect.poll(() => rowOf()?.state).toBe('redeemed')
  })

  test('is unknown for an undo, too', async () => {
    await till.redemptions.redeem(request)
    const repair = failWrites({ folder }, 'operations', `new.kind = 'reverse'`)
    const undo = { intentId: request.intentId, reason: 'Wrong reward' }
    expect(await till.redemptions.undo(undo)).toMatchObject(lost)
    expect(rowOf()).toMatchObject({ state: 'undo-requested' })
    repair()
    expect(await till.redemptions.undo(undo)).toMatchObject({ ok: true, value: { state: 'undone' } })
    expect(line.keys).toHaveLength(2)
    expect(await taken()).toBe(0)
  })
})

describe('what the service did not refuse by name', () => {
  test.each<[string, LineFault, Failure['kind']]>([
    ['not sent', 'not-sent', 'offline'],
    ['429', html(429), 'busy'],
    ['401', json(401, {}), 'unauthorised'],
    ['404 as HTML', html(404), 'not-offered'],
    ['409 with an unknown word', json(409, { code: 'tired' }), 'rejected']
  ])('(%s) is refused, and the same intent may be sent later', async (_name, fault, kind) => {
    line.fault = fault
    expect(await till.redemptions.redeem(request)).toMatchObject({ ok: false, failure: { kind } })
    expect(rowOf()).toMatchObject({ state: 'refused' })
    line.fault = 'none'
    expect(await till.redemptions.redeem(request)).toMatchObject({ ok: true, value: { state: 'redeemed' } })
  })

  test('is sent two years later as a request of that day, with its key', async () => {
    line.fault = 'not-sent'
    await till.redemptions.redeem(request)
    await till.close()
    await removeCustomerFromSlips(
      join(folder, 'journal.db'),
      fingerprintOf({ training: false, businessId: business.id }, request.customer),
      false
    )
    now = new Date(now.getTime() + 2 * 365 * 24 * 60 * 60_000)
    till = openRedeemingTill(folder, line, doubles)
    line.fault = 'none'
    expect(await till.redemptions.redeem(request)).toMatchObject({
      ok: true,
      value: { state: 'redeemed', customer: request.customer, requestedAt: now.toISOString() }
    })
    expect(line.keys).toEqual([request.intentId])
  })
})

test('two tills redeem the last points at once: one succeeds, and the other says why', async () => {
  const times = Math.floor((request.balanceBefore ?? 0) / request.cost)
  for (let count = 1; count < times; count++) {
    await till.redemptions.redeem({ ...request, intentId: randomUUID() })
  }
  const otherFolder = mkdtempSync(join(tmpdir(), 'redemptions-'))
  const otherTill = openRedeemingTill(otherFolder, new BreakingLine(service))
  const answers = await Promise.all([
    till.redemptions.redeem(request),
    otherTill.redemptions.redeem({ ...request, intentId: randomUUID() })
  ])
  await otherTill.close()
  rmSync(otherFolder, { recursive: true })

  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  expect(answers.find(({ ok }) => !ok)).toEqual({
    ok: false,
    failure: { kind: 'operation-refused', reason: 'points-too-few' }
  })
  expect(await taken()).toBe(times * request.cost)
})

test.each([
  ['ahead', 1],
  ['behind', -1]
])('a till whose clock is a day %s redeems, asks again and undoes like any other', async (_name, days) => {
  const serviceNow = now
  const tillNow = new Date(now.getTime() + days * 24 * 60 * 60_000)
  await till.close()
  till = openRedeemingTill(folder, line, { ...doubles, now: () => tillNow })
  line.fault = 'lost-after'
  await till.redemptions.redeem(request)
  line.fault = 'none'
  await till.lostAnswers.askAgain()
  const redeemed = rowOf()
  expect(redeemed).toMatchObject({
    state: 'redeemed',
    requestedAt: tillNow.toISOString(),
    doneAt: serviceNow.toISOString()
  })
  expect(redeemed && canUndo(redeemed, tillNow)).toBe(true)
  expect(await till.redemptions.undo({ intentId: request.intentId, reason: 'Wrong reward' })).toMatchObject({
    ok: true,
    value: { state: 'undone', undoneAt: serviceNow.toISOString() }
  })
  expect(await taken()).toBe(0)
})

describe('undoing', () => {
  const undo = (reason = 'Wrong reward') => till.redemptions.undo({ intentId: request.intentId, reason })

  beforeEach(async () => {
    await till.redemptions.redeem(request)
  })

  test('gives the points back, once', async () => {
    const [first, second] = await Promise.all([undo(), undo()])
    expect(first).toMatchObject({
      ok: true,
      value: { state: 'undone', balance: request.balanceBefore, undo: { reason: 'Wrong reward' } }
    })
    expect(second).toEqual(first)
    expect(await undo()).toEqual(first)
    expect(await taken()).toBe(0)
    expect(balances.at(-1)).toEqual([request.customer.id, request.balanceBefore])
  })

  test.each(['lost-before', 'lost-after'] as const)(
    'asks for a lost answer (%s) with its key',
    async (fault) => {
      line.fault = fault
      expect(await undo()).toMatchObject({ ok: false, failure: { kind: 'unknown-outcome' } })
      expect(rowOf()).toMatchObject({ state: 'undo-unknown' })
      const [waiting] = valueOf(till.operations.attentionList())
      expect(waiting).toMatchObject({
        ...{
          kind: 'reverse',
          points: request.cost,
          subject: request.reward.name,
          customer: request.customer
        },
        ...{ failure: { kind: 'unknown-outcome' }, canDiscard: false }
      })
      // What undoes another one is asked until it is answered.
      expect(await till.operations.discard({ key: waiting?.key ?? '', reason: 'x' })).toMatchObject({
        ok: false
      })
      await restart()
      line.fault = 'none'
      await till.lostAnswers.askAgain()
      expect(rowOf()).toMatchObject({ state: 'undone' })
      expect(line.keys[1]).toBe(line.keys[2])
      expect(line.keys[1]).not.toBe(request.intentId)
      expect(await taken()).toBe(0)
    }
  )

  test('is refused after its time, and stays redeemed', async () => {
    now = new Date(Date.parse(rowOf()?.reversibleUntil ?? '') + 1000)
    const failure = { kind: 'operation-refused', reason: 'reversal-too-late' }
    expect(await undo()).toEqual({ ok: false, failure })
    expect(rowOf()).toMatchObject({ state: 'redeemed', failure })
    expect(await taken()).toBe(request.cost)
  })

  test('a refused undo is tried again with another key', async () => {
    line.fault = json(409, { code: 'reversal-too-late' })
    await undo()
    line.fault = 'none'
    expect(await undo()).toMatchObject({ ok: true, value: { state: 'undone' } })
    expect(new Set(line.keys).size).toBe(3)
  })

  test('what was undone elsewhere is undone here, too', async () => {
    line.fault = json(409, { code: 'redemption-reversed' })
    expect(await undo()).toMatchObject({ ok: true, value: { state: 'undone', balance: null, failure: null } })
  })

  test.each<[string, LineFault, Redemption['state']]>([
    ['404 as HTML', html(404), 'redeemed'],
    ['500', html(500), 'undo-unknown'],
    ['200 without fields', json(200, {}), 'undo-unknown'],
    ['200 of another redemption', json(200, { redemption: 'other' }), 'undo-unknown']
  ])('%s is no undo', async (_name, fault, state) => {
    line.fault = fault
    expect(await undo()).toMatchObject({ ok: false })
    expect(rowOf()).toMatchObject({ state })
  })

  test('is not found for a redemption that is not there, or of another business', async () => {
    const missing = { ok: false, failure: { kind: 'not-found' } }
    expect(await till.redemptions.undo({ intentId: randomUUID(), reason: 'x' })).toEqual(missing)
    await till.close()
    till = openRedeemingTill(folder, line, { currentBusiness: () => ({ ...business, training: true }) })
    expect(await undo()).toEqual(missing)
    expect(await till.redemptions.redeem(request)).toEqual(missing)
  })
})

test('the confirmation is saved to the folder', async () => {
  await till.redemptions.redeem(request)
  expect(await till.printouts.printOperation({ intentId: request.intentId })).toMatchObject({
    ok: true,
    value: { status: 'saved', file: join(folder, 'slips', `redemption-${request.intentId}.pdf`) }
  })
  expect(await till.printouts.printOperation({ intentId: randomUUID() })).toMatchObject({ ok: false })
})

describe('the retention', () => {
  const DAY_MS = 24 * 60 * 60_000

  /** Makes what the retention does with a redemption that is `days` old. */
  const afterRetention = async (change: Partial<RetentionSettings>, days: number) => {
    await till.redemptions.redeem(request)
    await till.printouts.printOperation({ intentId: request.intentId })
    await till.close()
    const journal = openJournal(join(folder, 'journal.db'), now).journal
    const before = new Date(now.getTime() + days * DAY_MS).toISOString()
    if (journal === null) throw new Error('The journal cannot be opened')
    const steps = [
      ...(change.names === undefined ? [] : journal.operations.removeNames(before)),
      ...(change.slips === undefined ? [] : journal.operations.remove(before))
    ].map(({ codes, remove }) => ({ codes, removed: remove() }))
    const row = journal.operations.byKey(request.intentId)
    const redemption = row === null ? undefined : redemptionOf(row, null)
    journal.close()
    till = openRedeemingTill(folder, line, doubles)
    return { steps, redemption }
  }
  const pdf = (): string => `redemption-${request.intentId}`

  test('removes names, and names the PDF to remove first', async () => {
    expect(await afterRetention({ names: 90 }, 1)).toMatchObject({
      steps: [{ codes: [pdf()], removed: 1 }],
      redemption: { state: 'redeemed', customer: null, cost: request.cost }
    })
  })

  test('removes whole redemptions', async () => {
    expect(await afterRetention({ slips: 730 }, 1)).toEqual({
      steps: [{ codes: [pdf()], removed: 1 }],
      redemption: undefined
    })
  })

  test('keeps what is young, and what has no answer', async () => {
    expect(await afterRetention({ names: 90, slips: 730 }, -1)).toMatchObject({
      steps: [
        { codes: [], removed: 0 },
        { codes: [], removed: 0 }
      ],
      redemption: { customer: request.customer }
    })
    line.fault = 'lost-before'
    request = { ...request, intentId: randomUUID() }
    const { redemption } = await afterRetention({ names: 90, slips: 730 }, 1)
    expect(redemption).toMatchObject({ state: 'unknown', customer: request.customer })
  })
})

describe('the retention of what was undone', () => {
  const cleaned = async (work: (operations: OperationTable) => Iterable<RemovalStep>) => {
    await till.close()
    const { journal } = openJournal(join(folder, 'journal.db'), now)
    if (journal === null) throw new Error('The journal cannot be opened')
    const removed = Array.from(work(journal.operations), ({ remove }) => remove())
    const undo = journal.operations.lastUndo(request.intentId)
    const row = journal.operations.byKey(request.intentId)
    journal.close()
    till = openRedeemingTill(folder, line, doubles)
    return { removed, row, undo }
  }
  const tomorrow = (): string => new Date(now.getTime() + 24 * 60 * 60_000).toISOString()
  const undo = () => till.redemptions.undo({ intentId: request.intentId, reason: 'Maria left' })

  beforeEach(async () => {
    await till.redemptions.redeem(request)
  })

  test('removes the names of both, and then both', async () => {
    await undo()
    const unnamed = await cleaned((operations) => operations.removeNames(tomorrow()))
    expect(unnamed).toMatchObject({
      removed: [2],
      row: { customer: null },
      undo: { customer: null, reason: '' }
    })
    expect(rowOf()).toMatchObject({ state: 'undone', cost: request.cost })
    const gone = await cleaned((operations) => operations.remove(tomorrow()))
    expect(gone).toEqual({ removed: [2], row: null, undo: null })
  })

  test('keeps a redemption whose undo has no answer', async () => {
    line.fault = 'lost-before'
    await undo()
    const kept = await cleaned((operations) => [
      ...operations.removeNames(tomorrow()),
      ...operations.remove(tomorrow())
    ])
    expect(kept).toMatchObject({
      removed: [0, 0],
      row: { customer: request.customer },
      undo: { state: 'unknown' }
    })
  })

  test('an undo that is refused and asked again counts as further changes', async () => {
    line.fault = json(409, { code: 'reversal-too-late' })
    await undo()
    line.fault = 'none'
    await undo()
    expect(changes.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('what the till holds of a customer', () => {
  const file = (): string => join(folder, 'journal.db')
  const fingerprint = () => fingerprintOf({ training: false, businessId: business.id }, request.customer)

  test('has the redemptions', async () => {
    await till.redemptions.redeem(request)
    await till.close()
    expect(await readCustomerSlips(file(), fingerprint())).toMatchObject({
      slips: [],
      operations: [{ key: request.intentId, customer_name: request.customer.name, kind: 'redeem' }]
    })
  })

  test('is removed, and a request without an answer is not sent again', async () => {
    await till.redemptions.redeem(request)
    line.fault = 'lost-before'
    const lost = { ...request, intentId: randomUUID() }
    await till.redemptions.redeem(lost)
    // As in a file of a till that was killed while it asked.
    const pending = { ...request, intentId: randomUUID() }
    const repair = failWrites({ folder }, 'operations')
    await till.redemptions.redeem(pending)
    await till.close()
    repair()
    await removeCustomerFromSlips(file(), fingerprint(), false)
    till = openRedeemingTill(folder, line, doubles)

    expect(await readCustomerSlips(file(), fingerprint())).toEqual({
      kind: 'found',
      slips: [],
      operations: []
    })
    expect(rowOf()).toMatchObject({ state: 'redeemed', customer: null, cost: request.cost })
    expect(rowOf(lost.intentId)).toMatchObject({ state: 'discarded', customer: null })
    expect(rowOf(pending.intentId)).toMatchObject({ state: 'discarded', customer: null })
    expect(await till.lostAnswers.askAgain()).toEqual({ ok: true, value: [] })
    expect(line.keys).toHaveLength(3)
  })

  test('is removed from the reasons of other customers, too', async () => {
    await till.redemptions.redeem(request)
    const { name } = request.customer
    const otherRequest = () => ({
      ...request,
      intentId: randomUUID(),
      customer: { id: 'other', name: 'Other' }
    })
    const undone = otherRequest()
    line.fault = json(200, { id: 'red_1', reward: request.reward.id, cost: request.cost })
    await till.redemptions.redeem(undone)
    line.fault = json(200, { redemption: 'red_1' })
    await till.redemptions.undo({ intentId: undone.intentId, reason: `Was for ${name.toUpperCase()}` })
    const ended = otherRequest()
    line.fault = 'lost-before'
    await till.redemptions.redeem(ended)
    await till.operations.discard({ key: ended.intentId, reason: `Ask ${name}` })
    await till.close()
    await removeCustomerFromSlips(file(), fingerprint(), false)
    till = openRedeemingTill(folder, line, doubles)

    expect(rowOf(undone.intentId)).toMatchObject({ state: 'undone', undo: { reason: 'Was for …' } })
    expect(rowOf(ended.intentId)).toMatchObject({ state: 'discarded', ending: { note: 'Ask …' } })
    expect(readFileSync(file(), 'latin1').toLowerCase()).not.toContain(name.toLowerCase())
  })
})
