import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Failure } from '../../../../electron/contract/failure.ts'
import { mapResult, ok } from '../../../../electron/contract/failure.ts'
import type { Return, TakeBackRequest } from '../../../../electron/contract/returns.ts'
import type { Slip } from '../../../../electron/contract/slips.ts'
import type { SlipService } from '../../../../electron/main/slips/slip-service.ts'
import { CreditLedger } from '../../../support/credit-ledger.ts'
import { readSlip } from '../../../support/read-slip.ts'
import { ReturnLedger } from '../../../support/return-ledger.ts'
import { business } from '../../../support/sample-business.ts'
import { openTestSlips, qrCode, type SlipDoubles } from '../../../support/slip-service.ts'

const maria = { id: 'cus_1', name: 'María' }
let folder: string
let ledger: ReturnLedger
let till: SlipService
let request: TakeBackRequest
let changes: Return[]
let slips: Slip[]
let balances: (readonly [string, number | null])[]

const open = (changed: Partial<SlipDoubles> = {}): SlipService =>
  openTestSlips(folder, {
    journalFile: join(folder, 'journal.db'),
    retryDelaysMs: [],
    createQr: (points) => Promise.resolve(ok(qrCode('CODE-1', points))),
    takeBack: ledger.takeBack,
    onReturn: (returned) => changes.push(returned),
    onSlip: (slip) => slips.push(slip),
    onBalance: (...balance) => balances.push(balance),
    ...changed
  })

/** As after a crash: the journal is opened again. */
const restart = async (changed: Partial<SlipDoubles> = {}): Promise<void> => {
  await till.close()
  till = open(changed)
}

const returnOf = (intentId = request.intentId): Return | undefined => {
  const found = till.returns.find(intentId)
  return found.ok ? found.value?.shown : undefined
}

const slipOf = (): Slip | undefined => {
  const found = till.queries.list({ offset: 0 })
  return found.ok ? found.value.slips[0] : undefined
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'returns-'))
  ledger = new ReturnLedger(250)
  changes = []
  slips = []
  balances = []
  till = open()
  await till.counter.issue({ intentId: randomUUID(), points: 250, customer: maria })
  request = {
    intentId: randomUUID(),
    purchase: { by: 'code', code: 'CODE-1' },
    part: { points: 100 },
    customer: maria,
    atMost: 250,
    reason: 'Goods returned'
  }
})

afterEach(async () => {
  await till.close()
  rmSync(folder, { recursive: true })
})

describe('a return', () => {
  test('lowers a code, and its slip says so only with the answer on disk', async () => {
    expect(slipOf()).toMatchObject({ points: 250, remaining: null })

    const returned = await till.returns.take(request)

    const after = {
      ...{ state: 'returned', points: 100, given: 250, remaining: 150 },
      ...{ codeStatus: 'active', balance: null }
    }
    expect(returned).toMatchObject({ ok: true, value: after })
    expect(changes.map(({ state }) => state)).toEqual(['requested', 'returned'])
    expect(slipOf()).toMatchObject({ points: 250, remaining: 150 })
    expect(slips.at(-1)).toMatchObject({ code: 'CODE-1', remaining: 150 })
    expect(ledger.bodies).toEqual([{ code: 'CODE-1', points: 100, reason: 'Goods returned', cashier: null }])
    // The customer has not collected it: what they have is as before.
    expect(balances).toEqual([])
  })

  test('has a slip without a code, which says why, and what is left', async () => {
    await till.returns.take(request)

    const printed = await till.printouts.printOperation(request)

    if (!printed.ok) throw new Error(printed.failure.kind)
    expect(printed.value.file).toContain(`return-${request.intentId}.pdf`)
    const { text, codes } = await readSlip(readFileSync(printed.value.file ?? ''))
    expect(text).toMatch(
      /Points taken back\s+100\s+Given before\s*250\s+Left on your slip\s*150\s+Reason\s*Goods returned/
    )
    expect(text).not.toContain('Your points now')
    expect(codes).toEqual([])
  })

  test('is in the exported list of slips, beside the points that were given', async () => {
    await till.returns.take(request)
    const file = join(folder, 'slips.csv')
    expect(await till.reports.exportSlips(file, {})).toEqual(ok(1))
    const [header, row] = readFileSync(file, 'utf8').split('\r\n')
    expect(header).toContain(',Points,Points taken back,')
    expect(row).toContain(',250,100,CODE-1,')
  })

  test('happens once for an intent, at once and later', async () => {
    const [first, second] = await Promise.all([till.returns.take(request), till.returns.take(request)])

    expect(second).toEqual(first)
    expect(await till.returns.take(request)).toEqual(first)
    expect(ledger.keys).toEqual([request.intentId])
  })

  test('of a collected code takes from who has the points, also below zero', async () => {
    ledger.owner = { id: 'cus_2', balance: 60 }

    expect(await till.returns.take(request)).toMatchObject({
      value: { codeStatus: 'used', balance: -40 }
    })
    expect(balances).toEqual([['cus_2', -40]])
  })

  test('of goods is asked by their amounts, and by the reference of the bill', async () => {
    const amount = { returned: '12.50', total: '45.20' }
    const purchase = { by: 'reference', reference: 'R-1041' } as const
    await till.returns.take({ ...request, purchase, part: { amount }, customer: null, atMost: null })

    expect(ledger.bodies).toEqual([{ reference: 'R-1041', amount, reason: 'Goods returned', cashier: null }])
  })

  test('by the reference of a bill is one of the purchase that the answer names', async () => {
    const byReference = {
      ...{ ...request, customer: null, atMost: null },
      purchase: { by: 'reference', reference: 'R-1041' }
    } as const
    expect(await till.returns.take(byReference)).toMatchObject({ value: { given: 250, remaining: 150 } })

    expect(slipOf()).toMatchObject({ points: 250, remaining: 150 })
    expect(slips.at(-1)).toMatchObject({ code: 'CODE-1', remaining: 150 })
    const printed = await till.printouts.printOperation(byReference)
    if (!printed.ok) throw new Error(printed.failure.kind)
    const { text } = await readSlip(readFileSync(printed.value.file ?? ''))
    expect(text).toMatch(/Given before\s*250\s+Left on your slip\s*150/)

    const credits = new CreditLedger()
    await restart({ credit: credits.credit })
    ledger.purchase = 'crd_1'
    const credit = { customer: maria, points: 250, balanceBefore: 990, reference: 'R-1042' }
    await till.credits.credit({ intentId: randomUUID(), ...credit })
    const bill = { by: 'reference', reference: 'R-1042' } as const
    await till.returns.take({ ...byReference, intentId: randomUUID(), purchase: bill })
    expect(till.credits.ofCustomer(maria.id)).toMatchObject({ value: [{ points: 250, remaining: 50 }] })
    // What the slip is worth is as before.
    expect(slipOf()).toMatchObject({ remaining: 150 })
  })

  test('whose service does not name the purchase is one of the code that was asked for', async () => {
    await restart({
      takeBack: async (key, asked) =>
        mapResult(await ledger.takeBack(key, asked), (answer) => ({ ...answer, purchase: null, given: null }))
    })
    expect(await till.returns.take(request)).toMatchObject({ value: { given: null, remaining: 150 } })
    expect(slipOf()).toMatchObject({ remaining: 150 })
    expect(slips.at(-1)).toMatchObject({ remaining: 150 })
  })

  test('of a credit names the id of the service, and the credit says what is left', async () => {
    const credits = new CreditLedger()
    await restart({ credit: credits.credit })
    const intentId = randomUUID()
    const credit = { intentId, customer: maria, points: 250, balanceBefore: 990, reference: null }
    ledger.purchase = 'crd_1'
    await till.credits.credit(credit)

    await till.returns.take({ ...request, purchase: { by: 'credit', intentId } })

    expect(ledger.bodies).toMatchObject([{ credit: 'crd_1', points: 100 }])
    expect(till.credits.ofCustomer(maria.id)).toMatchObject({ value: [{ points: 250, remaining: 150 }] })
    const unknown = { by: 'credit', intentId: randomUUID() } as const
    expect(await till.returns.take({ ...request, intentId: randomUUID(), purchase: unknown })).toEqual({
      ...{ ok: false, failure: { kind: 'not-found' } }
    })
  })

  test('is not offered by a service without the extension, and nothing is sent', async () => {
    await restart({ currentBusiness: () => ({ ...business, extensions: ['credits/1'] }) })

    expect(await till.returns.take(request)).toEqual({ ok: false, failure: { kind: 'not-offered' } })
    expect(ledger.keys).toEqual([])
  })

  test.each<Failure>([
    { kind: 'operation-refused', reason: 'return-too-much', remaining: 20 },
    { kind: 'operation-refused', reason: 'purchase-unknown' },
    { kind: 'offline' }
  ])('that fails with %j takes nothing', async (failure) => {
    ledger.fault = failure

    expect(await till.returns.take(request)).toEqual({ ok: false, failure })
    expect(returnOf()).toMatchObject({ state: 'refused', points: null })
    expect(slipOf()).toMatchObject({ remaining: null })
  })

  test('of more than another till left says what is left', async () => {
    await ledger.takeBack(randomUUID(), { code: 'CODE-1', points: 200, reason: null, cashier: null })

    expect(await till.returns.take(request)).toMatchObject({
      failure: { reason: 'return-too-much', remaining: 50 }
    })
  })

  test.each(['lost-before', 'lost-after'] as const)(
    'whose answer was %s is asked for with its key until it comes, also without a customer',
    async (fault) => {
      ledger.fault = fault
      const anonymous = { ...request, customer: null }
      expect(await till.returns.take(anonymous)).toMatchObject({ failure: { kind: 'unknown-outcome' } })
      expect(returnOf()).toMatchObject({ state: 'unknown', points: null })
      expect(slipOf()).toMatchObject({ remaining: null })
      expect(till.operations.attentionList()).toMatchObject({
        value: [{ kind: 'return', points: 100, customer: null, canDiscard: true }]
      })

      ledger.fault = 'none'
      await till.lostAnswers.askAll()

      expect(returnOf()).toMatchObject({ state: 'returned', remaining: 150 })
      expect(slipOf()).toMatchObject({ remaining: 150 })
      expect(ledger.remaining).toBe(150)
      expect(new Set(ledger.keys).size).toBe(1)
    }
  )

  test('that a kill interrupted is asked for after the start, with the same key', async () => {
    const { promise: never } = Promise.withResolvers<Awaited<ReturnType<typeof ledger.takeBack>>>()
    // The service did it, and the process ends before the answer.
    await restart({
      takeBack: async (key, asked) => {
        await ledger.takeBack(key, asked)
        return never
      }
    })
    void till.returns.take(request)
    await expect.poll(() => ledger.keys).toHaveLength(1)
    till.closeJournal()

    till = open()
    expect(returnOf()).toMatchObject({ state: 'unknown' })
    await till.lostAnswers.askAll()

    expect(returnOf()).toMatchObject({ state: 'returned' })
    expect(ledger.remaining).toBe(150)
    expect(ledger.keys).toEqual([request.intentId, request.intentId])
  })
})
