import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Credit, CreditRequest } from '../../../../electron/contract/credits.ts'
import type { Failure } from '../../../../electron/contract/failure.ts'
import type { SlipService } from '../../../../electron/main/slips/slip-service.ts'
import { CreditLedger } from '../../../support/credit-ledger.ts'
import { readSlip } from '../../../support/read-slip.ts'
import { business } from '../../../support/sample-business.ts'
import { openTestSlips, type SlipDoubles } from '../../../support/slip-service.ts'

const maria = { id: 'cus_1', name: 'María' }
let folder: string
let ledger: CreditLedger
let till: SlipService
let request: CreditRequest
let changes: Credit[]
let shown: Credit[]

const open = (changed: Partial<SlipDoubles> = {}): SlipService =>
  openTestSlips(folder, {
    journalFile: join(folder, 'journal.db'),
    retryDelaysMs: [],
    credit: ledger.credit,
    reverseCredit: ledger.reverseCredit,
    onCredit: (credit) => changes.push(credit),
    showCredited: (credit) => shown.push(credit),
    ...changed
  })

/** As after a crash: the journal is opened again. */
const restart = async (changed: Partial<SlipDoubles> = {}): Promise<void> => {
  await till.close()
  till = open(changed)
}

const creditOf = (intentId = request.intentId): Credit | undefined => {
  const found = till.credits.find(intentId)
  return found.ok ? found.value?.shown : undefined
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credits-'))
  ledger = new CreditLedger()
  changes = []
  shown = []
  till = open()
  request = { intentId: randomUUID(), customer: maria, points: 250, balanceBefore: 980, reference: 'R-1041' }
})

afterEach(async () => {
  await till.close()
  rmSync(folder, { recursive: true })
})

describe('a credit', () => {
  test('gives the points, and says so only with the answer on disk', async () => {
    const credited = await till.credits.credit(request)

    // The service knows better what the customer had before.
    const after = { state: 'credited', points: 250, balanceBefore: 990, balance: 1240, reference: 'R-1041' }
    expect(credited).toMatchObject({ ok: true, value: after })
    expect(changes.map(({ state }) => state)).toEqual(['requested', 'credited'])
    expect(shown).toMatchObject([after])
    expect(ledger.bodies).toEqual([{ customer: 'cus_1', points: 250, reference: 'R-1041', cashier: null }])
    expect(ledger.keys).toEqual([request.intentId])
  })

  test('tells the bill that its points were calculated from, and the version of the rules', async () => {
    const calculation = { bill: { amount: '125.00' }, rules: 4 }
    await till.credits.credit({ ...request, calculation })
    expect(ledger.bodies).toEqual([
      { customer: 'cus_1', points: 250, reference: 'R-1041', cashier: null, ...calculation }
    ])
  })

  test('has a slip without a code, which says what the customer can have, and later that it was undone', async () => {
    const affordable = { best: 'Filter coffee', others: 0, next: null }
    await restart({ affordable: (_customer, points) => (points === 1240 ? affordable : null) })
    await till.credits.credit(request)
    const print = async (): Promise<string> => {
      const printed = await till.printouts.printOperation(request)
      if (!printed.ok) throw new Error(printed.failure.kind)
      const { text, codes } = await readSlip(readFileSync(printed.value.file ?? ''))
      expect(codes).toEqual([])
      return text
    }

    const given = await print()
    expect(given).toMatch(
      /Points added\s+250\s+Your points now\s*1,240\s+You can have\s+\u200E?Filter coffee/
    )
    await till.credits.undo({ intentId: request.intentId, reason: 'Wrong customer' })

    const undone = await print()
    expect(undone).toMatch(/Points taken back\s+250\s+Your points now\s*990/)
    expect(undone).not.toContain('You can have')
  })

  test('has on its slip the welcome points that came with it', async () => {
    ledger.welcome = 50
    await till.credits.credit(request)
    const printed = await till.printouts.printOperation(request)
    const { text } = await readSlip(readFileSync(printed.ok ? (printed.value.file ?? '') : ''))
    expect(text).toMatch(/Points added\s+250\s+Welcome points\s+50\s+Your points now\s*1,290/)
  })

  test('has on its slip which points of the customer end next, where the shop’s slips say when points end', async () => {
    const ending = { points: 120, lastDay: '2026-11-30' }
    const asked: string[] = []
    const readStanding = (id: string) => {
      asked.push(id)
      return Promise.resolve({ level: null, next: null, ending })
    }
    const expiry = { months: 12, since: 'earned' } as const
    const print = async (changed: Partial<SlipDoubles>): Promise<string> => {
      await restart({ readStanding, ...changed })
      const printed = await till.printouts.printOperation(request)
      if (!printed.ok) throw new Error(printed.failure.kind)
      return (await readSlip(readFileSync(printed.value.file ?? ''))).text.replaceAll(/\s+/g, ' ')
    }
    await till.credits.credit(request)
    const currentBusiness = () => ({ ...business, expiry })
    expect(await print({})).not.toMatch(/points? end/i)
    expect(asked).toEqual([])
    expect(await print({ currentBusiness })).toContain('120 points end on 30 Nov 2026')
    expect(asked).toEqual(['cus_1'])
    expect(await print({ currentBusiness, readStanding: () => Promise.resolve(null) })).toContain(
      'Points end 12 months after they are collected'
    )
    await till.credits.undo({ intentId: request.intentId, reason: 'Wrong customer' })
    expect(await print({ currentBusiness })).not.toMatch(/points? end/i)
  })

  test('without an answer has no slip', async () => {
    ledger.fault = 'lost-after'
    await till.credits.credit(request)
    expect(await till.printouts.printOperation(request)).toEqual({
      ok: false,
      failure: { kind: 'not-found' }
    })
  })

  test('happens once for an intent, at once and later', async () => {
    const [first, second] = await Promise.all([till.credits.credit(request), till.credits.credit(request)])

    expect(second).toEqual(first)
    expect(await till.credits.credit(request)).toEqual(first)
    expect(ledger.keys).toHaveLength(1)
  })

  test('is not offered by a service without the extension, and nothing is sent', async () => {
    await restart({ currentBusiness: () => ({ ...business, extensions: ['redemptions/1'] }) })

    expect(await till.credits.credit(request)).toEqual({ ok: false, failure: { kind: 'not-offered' } })
    expect(ledger.keys).toEqual([])
  })

  test('that a manager approves comes again with its key, also after a lost answer', async () => {
    ledger.fault = { kind: 'operation-refused', reason: 'credit-needs-approval' }
    expect(await till.credits.credit(request)).toEqual({ ok: false, failure: ledger.fault })
    ledger.fault = 'lost-after'
    await till.credits.credit({ ...request, isApproved: true })
    ledger.fault = 'none'
    await till.lostAnswers.askAll()
    expect(creditOf()).toMatchObject({ state: 'credited', balance: 1240 })
    expect(ledger.bodies.map(({ approved }) => approved)).toEqual([undefined, true, true])
    expect(new Set(ledger.keys).size).toBe(1)
  })

  test.each<Failure>([
    { kind: 'operation-refused', reason: 'credit-limit-reached' },
    { kind: 'operation-refused', reason: 'customer-unknown' },
    { kind: 'offline' }
  ])('that fails with %j gives nothing', async (failure) => {
    ledger.fault = failure

    expect(await till.credits.credit(request)).toEqual({ ok: false, failure })
    expect(creditOf()).toMatchObject({ state: 'refused', balance: null })
    expect(shown).toEqual([])
  })

  test.each(['lost-before', 'lost-after'] as const)(
    'whose answer was %s is asked for with its key until it comes',
    async (fault) => {
      ledger.fault = fault
      expect(await till.credits.credit(request)).toMatchObject({ failure: { kind: 'unknown-outcome' } })
      expect(creditOf()).toMatchObject({ state: 'unknown', balance: null })
      expect(till.operations.attentionList()).toMatchObject({
        value: [{ kind: 'credit', points: 250, customer: maria, canDiscard: true }]
      })

      ledger.fault = 'none'
      await till.lostAnswers.askAll()

      expect(creditOf()).toMatchObject({ state: 'credited', balance: 1240 })
      expect(ledger.balance).toBe(1240)
      expect(new Set(ledger.keys).size).toBe(1)
    }
  )

  test('that a kill interrupted is asked for after the start, with the same key', async () => {
    const { promise: never } = Promise.withResolvers<Awaited<ReturnType<typeof ledger.credit>>>()
    // The service did it, and the process ends before the answer.
    await restart({
      credit: async (key, asked) => {
        await ledger.credit(key, asked)
        return never
      }
    })
    void till.credits.credit(request)
    await expect.poll(() => ledger.keys).toHaveLength(1)
    till.closeJournal()

    till = open()
    expect(creditOf()).toMatchObject({ state: 'unknown' })
    await till.lostAnswers.askAll()

    expect(creditOf()).toMatchObject({ state: 'credited' })
    expect(ledger.balance).toBe(1240)
    expect(ledger.keys).toEqual([request.intentId, request.intentId])
  })

  test('of another business is neither shown nor sent to this one', async () => {
    ledger.fault = 'lost-before'
    await till.credits.credit(request)
    ledger.fault = 'none'
    await restart({ currentBusiness: () => ({ ...business, id: 'business-2' }) })

    await till.lostAnswers.askAll()

    expect(till.credits.ofCustomer(maria.id)).toEqual({ ok: true, value: [] })
    expect(ledger.keys).toHaveLength(1)
  })
})

describe('undoing a credit', () => {
  const undo = () => till.credits.undo({ intentId: request.intentId, reason: 'Wrong customer' })

  test('takes the points back, with a reason and a key of its own', async () => {
    await till.credits.credit(request)
    const undone = { state: 'undone', balance: 990, undo: { reason: 'Wrong customer' } }

    expect(await undo()).toMatchObject({ ok: true, value: undone })
    expect(await undo()).toMatchObject({ ok: true, value: undone })
    expect(new Set(ledger.keys).size).toBe(2)
    expect(ledger.balance).toBe(990)
  })

  test('is refused when the points are spent, and the credit stays', async () => {
    await till.credits.credit(request)
    const failure: Failure = { kind: 'operation-refused', reason: 'points-too-few' }
    ledger.fault = failure

    expect(await undo()).toEqual({ ok: false, failure })
    expect(creditOf()).toMatchObject({ state: 'credited', failure })
  })

  test('whose answer was lost is asked for with its key', async () => {
    await till.credits.credit(request)
    ledger.fault = 'lost-after'
    expect(await undo()).toMatchObject({ failure: { kind: 'unknown-outcome' } })
    expect(creditOf()).toMatchObject({ state: 'undo-unknown' })
    expect(till.operations.attentionList()).toMatchObject({
      value: [{ kind: 'reverse-credit', points: 250 }]
    })
    ledger.fault = 'none'

    await till.lostAnswers.askAll()

    expect(creditOf()).toMatchObject({ state: 'undone', balance: 990 })
    expect(ledger.balance).toBe(990)
  })

  test('that another till did is done', async () => {
    await till.credits.credit(request)
    await ledger.reverseCredit(randomUUID(), { credit: 'crd_1', reason: 'there' })

    expect(await undo()).toMatchObject({ ok: true, value: { state: 'undone', balance: null } })
  })
})
