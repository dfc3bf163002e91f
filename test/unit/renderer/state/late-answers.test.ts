/** An answer that comes after what was typed, chosen or opened has changed has no effect on what is there now. */
import { describe, expect, test, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { LinkedBill, PairingCode } from '../../../../electron/contract/local-interface.ts'
import type { Customer, RewardDetail } from '../../../../electron/contract/loyalty.ts'
import { DEFAULT_PRINTER_SETTINGS } from '../../../../electron/contract/printing.ts'
import type { RedeemRequest, Redemption } from '../../../../electron/contract/redemptions.ts'
import type { ReportRange, SlipsReport } from '../../../../electron/contract/slip-report.ts'
import type { AttentionSlip, Batch, CheckedCode } from '../../../../electron/contract/slips.ts'
import type { Business, TillState } from '../../../../electron/contract/till.ts'
import { Attention, UnansweredOperations } from '../../../../renderer/src/state/attention.svelte.ts'
import { Batches } from '../../../../renderer/src/state/batches.svelte.ts'
import { BillLinks } from '../../../../renderer/src/state/bill-links.svelte.ts'
import { Checkout } from '../../../../renderer/src/state/checkout.svelte.ts'
import { ConnectionSetup } from '../../../../renderer/src/state/connection-setup.svelte.ts'
import { CustomerSearch } from '../../../../renderer/src/state/customer-search.svelte.ts'
import { AsyncRequest, IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { ProgramPairing } from '../../../../renderer/src/state/local-interface.svelte.ts'
import type { Router } from '../../../../renderer/src/state/navigation.svelte.ts'
import { PhoneRequest } from '../../../../renderer/src/state/phone-request.svelte.ts'
import { PrinterForm } from '../../../../renderer/src/state/printer-form.svelte.ts'
import { MovedPrinterQuestion, PrinterSearch } from '../../../../renderer/src/state/printer-search.svelte.ts'
import { RedeemForm } from '../../../../renderer/src/state/redeem-form.svelte.ts'
import { Report } from '../../../../renderer/src/state/report.svelte.ts'
import { CodeCheck } from '../../../../renderer/src/state/slip-history.svelte.ts'
import { StaffLock } from '../../../../renderer/src/state/staff-lock.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { networkPrinter } from '../../../support/network-printer.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, customer, deferredCalls, flushPromises, slip } from '../support/bridge.ts'

const NOT_NOW = err({ kind: 'internal' } as const)

/** Creates what forms need, on a bridge with these calls. */
function create(calls: Parameters<typeof bridgeWith>[0], state = tillState()) {
  const bridge = bridgeWith(calls)
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  till.accept(state)
  return { bridge, ipc, till }
}

describe('AsyncRequest', () => {
  test('a call that waits for the manager’s PIN is not made after it was taken back', async () => {
    const ipc = new IpcClient()
    const pin = Promise.withResolvers<boolean>()
    ipc.onManagerRequired(() => pin.promise)
    const call = vi
      .fn<() => Promise<Result<string>>>()
      .mockResolvedValueOnce(err({ kind: 'locked', needs: 'manager' }))
      .mockResolvedValue(ok('done'))
    const request = new AsyncRequest(ipc)
    const answer = request.run(call)
    await flushPromises()
    request.reset()
    pin.resolve(true)
    expect(await answer).toBeUndefined()
    expect(call).toHaveBeenCalledOnce()
  })
})

describe('Attention', () => {
  test('a page that was asked for before a slip changed is read again', async () => {
    const { requests, call } = deferredCalls<
      { offset: number },
      { slips: readonly AttentionSlip[]; hasMore: boolean }
    >()
    const { bridge, ipc } = create({
      slips: { attention: () => Promise.resolve(ok(0)), attentionList: call }
    })
    const attention = new Attention(bridge, ipc)
    attention.start()
    const loading = attention.load()
    await flushPromises()
    bridge.sendSlip(slip('a'))
    await flushPromises()
    const page = {
      slips: [{ slip: slip('a', { state: 'issued' }), action: 'print' as const }],
      hasMore: false
    }
    requests[0]?.resolve(ok(page))
    await flushPromises()
    expect(requests.length).toBe(2)
    requests[1]?.resolve(ok({ slips: [], hasMore: false }))
    await loading
    expect(attention.list).toEqual([])
  })

  test('of two reads of unanswered operations the later one counts', async () => {
    const { requests, call } = deferredCalls<undefined, number>()
    const { bridge, ipc } = create({ operations: { attention: () => call(undefined) } })
    const unanswered = new UnansweredOperations(bridge, ipc)
    const reads = [unanswered.refresh(), unanswered.refresh()]
    requests[1]?.resolve(ok(0))
    requests[0]?.resolve(ok(1))
    await Promise.all(reads)
    expect(unanswered.count).toBe(0)
  })
})

describe('Batches', () => {
  test('a batch that was started after its form was closed is not opened', async () => {
    const { requests, call } = deferredCalls<{ batchId: string }, Batch>()
    const { bridge, ipc } = create({ batches: { start: call } })
    const batches = new Batches(bridge, ipc)
    batches.openForm(false)
    Object.assign(batches.form ?? {}, { points: '250', count: '10' })
    batches.form?.check()
    const submitting = batches.submit()
    batches.close()
    requests[0]?.resolve(ok({ batchId: requests[0].input.batchId, state: 'running' } as Batch))
    await submitting
    expect(batches.open).toBeNull()
  })
})

describe('BillLinks', () => {
  test('a bill asks before it replaces what was typed while it was fetched', async () => {
    const { requests, call } = deferredCalls<undefined, { bill: LinkedBill; issued: null }>()
    const { bridge, ipc } = create({ billLinks: { take: () => call(undefined) } })
    const checkout = new Checkout(bridge, ipc)
    const billLinks = new BillLinks(bridge, ipc, { navigate: () => undefined } as unknown as Router, checkout)
    const taking = billLinks.take()
    checkout.form.typePoints('25')
    requests[0]?.resolve(
      ok({ bill: { amount: null, points: 40, reference: 'R-1', phone: null }, issued: null })
    )
    await taking
    expect(billLinks.question?.replaces).toBe(true)
    expect(checkout.form.points).toBe('25')
  })
})

describe('Checkout', () => {
  test('a customer who was registered after the form was closed is not chosen', async () => {
    const { requests, call } = deferredCalls<unknown, { customer: Customer; existed: boolean }>()
    const { bridge, ipc } = create({ customers: { register: call } })
    const checkout = new Checkout(bridge, ipc)
    checkout.openRegistration()
    if (checkout.registration) checkout.registration.phone = '+306901234567'
    const registering = checkout.register()
    checkout.choose(customer('nikos'))
    requests[0]?.resolve(ok({ customer: customer('maria'), existed: false }))
    await registering
    expect(checkout.customer?.id).toBe('nikos')
  })
})

describe('Report', () => {
  test('the report of days that were left is not shown', async () => {
    const { requests, call } = deferredCalls<ReportRange, SlipsReport>()
    const { bridge, ipc } = create({ slips: { report: call } })
    const report = new Report(bridge, ipc, () => '2026-11-20')
    report.showQuickRange('today')
    report.showQuickRange('yesterday')
    requests[1]?.resolve(ok({ range: requests[1].input } as SlipsReport))
    requests[0]?.resolve(ok({ range: requests[0].input } as SlipsReport))
    await flushPromises()
    expect(report.report?.range).toEqual({ from: '2026-11-19', to: '2026-11-19' })
  })
})

describe('ConnectionSetup', () => {
  test('what was typed during a check stays, and is checked next', async () => {
    const { requests, call } = deferredCalls<{ baseUrl: string; token: string }, Business>()
    const { bridge, ipc, till } = create({ connection: { check: call } })
    const form = new ConnectionSetup(bridge, ipc, till, 'https://points.example/')
    form.token = 'first'
    const checking = form.check()
    form.token = 'second'
    requests[0]?.resolve(ok({ id: 'b', name: 'Aroma' } as Business))
    await checking
    expect(form).toMatchObject({ business: null, token: 'second' })
  })
})

describe('CustomerSearch', () => {
  test('Enter for an earlier text does nothing for the text that is there now', async () => {
    const { requests, call } = deferredCalls<unknown, never>()
    const { bridge, ipc } = create({ customers: { find: call } })
    const search = new CustomerSearch(bridge, ipc, 'till')
    const chosen = vi.fn()
    search.type('mar')
    void search.searchNow(chosen)
    search.type('maria')
    void search.searchNow()
    const found = { kind: 'customers', customers: [customer('1')], page: 1, hasMore: false, phone: null }
    requests[1]?.resolve(ok(found as never))
    await flushPromises()
    expect(search.result?.text).toBe('maria')
    expect(chosen).not.toHaveBeenCalled()
  })
})

describe('PhoneRequest', () => {
  test('a question that failed after it was stopped does not end the next one', async () => {
    const { requests, call } = deferredCalls<undefined, null>()
    const { bridge, ipc } = create({
      customerDisplay: {
        askForPhone: () => call(undefined),
        stopAskingForPhone: () => Promise.resolve(ok(null))
      }
    })
    const form = { phone: '' }
    const request = new PhoneRequest(bridge, ipc, form)
    request.start()
    const asked = request.ask()
    request.takeOver()
    void request.ask()
    requests[0]?.resolve(NOT_NOW)
    await asked
    expect(request).toMatchObject({ isTyping: true, end: null })
  })
})

describe('PrinterSearch', () => {
  const createSearch = () => {
    const { requests, call } = deferredCalls<undefined, null>()
    const stopped = vi.fn(() => Promise.resolve(ok(null)))
    const { bridge, ipc, till } = create({
      printers: { startFinding: () => call(undefined), stopFinding: stopped }
    })
    return {
      requests,
      ipc,
      stopped,
      search: new PrinterSearch(bridge, ipc, new PrinterForm(bridge, ipc, till))
    }
  }

  test('a start that failed after it was stopped does not close the next one', async () => {
    const { requests, search } = createSearch()
    const first = search.start()
    await search.stop()
    const second = search.start()
    requests[1]?.resolve(ok(null))
    await second
    requests[0]?.resolve(NOT_NOW)
    await first
    expect(search.isOpen).toBe(true)
  })

  test('a printer that is chosen while another one is saved stays chosen', async () => {
    const { requests, call } = deferredCalls<unknown, TillState>()
    const { bridge, ipc, till } = create({ till: { set: call } })
    const form = new PrinterForm(bridge, ipc, till)
    const choosing = form.choose({ kind: 'queue', name: 'Office' })
    form.chooseTyped()
    requests[0]?.resolve(ok(tillState()))
    await choosing
    expect(form.isTyped).toBe(true)
  })
})

describe('MovedPrinterQuestion', () => {
  test('a slip that waits for the printer since the question was answered is printed too', async () => {
    const { connection: from } = networkPrinter({ host: '10.0.0.5', port: 9100 })
    if (from.kind !== 'network') expect.fail('not a network printer')
    const to = { ...from, host: '10.0.0.9' }
    const at = (connection: typeof from): TillState => {
      const first = tillState()
      const destination = { ...networkPrinter({ host: '', port: 1 }), connection }
      return {
        ...first,
        settings: { ...first.settings, printer: { ...DEFAULT_PRINTER_SETTINGS, destination } }
      }
    }
    const { requests, call } = deferredCalls<unknown, TillState>()
    const printed: string[] = []
    const { bridge, ipc, till } = create(
      {
        till: { set: call },
        slips: {
          print: ({ intentId }) => {
            printed.push(intentId)
            return Promise.resolve(NOT_NOW)
          }
        }
      },
      at(from)
    )
    const question = new MovedPrinterQuestion(bridge, ipc, till)
    question.start()
    bridge.sendMovedPrinter({ from, to, intentIds: ['a'] })
    const accepting = question.accept()
    bridge.sendMovedPrinter({ from, to, intentIds: ['a', 'b'] })
    requests[0]?.resolve(ok(at(to)))
    await accepting
    expect(printed).toEqual(['a', 'b'])
  })
})

describe('CodeCheck', () => {
  test('the result of a code that was replaced is not shown', async () => {
    const { requests, call } = deferredCalls<{ code: string }, CheckedCode>()
    const { bridge, ipc } = create({ slips: { check: call } })
    const check = new CodeCheck(bridge, ipc)
    check.type('AR7K')
    const checking = check.check()
    check.type('AR7L')
    requests[0]?.resolve(ok({ code: 'AR7K', qr: null, used: null, slip: null }))
    await checking
    expect(check.checked).toBeNull()
    expect(check.request.running).toBe(false)
  })
})

describe('StaffLock', () => {
  test('a reset of the manager’s PIN that was left closes the prompt for the PIN that is no more', async () => {
    const { requests, call } = deferredCalls<{ token: string | null }, TillState>()
    const { bridge, ipc, till } = create({ staff: { reset: call } })
    const staff = new StaffLock(bridge, ipc, till)
    const entered = staff.requestManagerPin()
    const isReset = staff.reset('token')
    staff.resetting.reset()
    requests[0]?.resolve(ok(tillState()))
    expect(await isReset).toBe(false)
    expect(staff.managerPin).toBeNull()
    expect(await entered).toBe(true)
  })
})

describe('RedeemForm', () => {
  const subject = {
    customer: { id: 'c', name: 'Maria', balance: 500 },
    reward: { id: 'r', name: 'Coffee', cost: 100 }
  }
  const listener = { onBalance: () => undefined, printsSlip: () => false }
  const redemption = (change: Partial<Redemption>): Redemption =>
    ({ state: 'redeemed', revision: 2, balance: 400, customer: null, ...change }) as Redemption

  test('asks again only once the new cost of a dearer reward is known', async () => {
    const { requests, call } = deferredCalls<{ id: string }, RewardDetail>()
    const { bridge, ipc } = create({
      redemptions: {
        redeem: () => Promise.resolve(err({ kind: 'operation-refused', reason: 'price-changed' } as never))
      },
      rewards: { detail: call }
    })
    const form = new RedeemForm(bridge, ipc, subject, listener)
    const redeeming = form.redeem()
    await flushPromises()
    expect(form.step).toBe('redeeming')
    requests[0]?.resolve(ok({ cost: 120 } as RewardDetail))
    await redeeming
    expect(form).toMatchObject({ step: 'asking', reward: { cost: 120 } })
  })

  test('an answer does not replace a later state that was told before it', async () => {
    const { requests, call } = deferredCalls<RedeemRequest, Redemption>()
    const { bridge, ipc } = create({ redemptions: { redeem: call } })
    const form = new RedeemForm(bridge, ipc, subject, listener)
    form.start()
    const redeeming = form.redeem()
    const { intentId = '' } = requests[0]?.input ?? {}
    bridge.sendRedemption(redemption({ intentId, state: 'undone', revision: 4 }))
    requests[0]?.resolve(ok(redemption({ intentId })))
    await redeeming
    expect(form.step).toBe('undone')
  })
})

describe('ProgramPairing', () => {
  test('a code that comes after the dialog was closed is withdrawn, and not shown', async () => {
    const { requests, call } = deferredCalls<undefined, PairingCode>()
    const stopped = vi.fn(() => Promise.resolve(ok(tillState())))
    const { bridge, ipc, till } = create({
      localInterface: { startPairing: () => call(undefined), stopPairing: stopped }
    })
    const pairing = new ProgramPairing(bridge, ipc, till)
    const starting = pairing.start()
    await pairing.close()
    requests[0]?.resolve(ok({ code: '12345678', expiresAt: '2026-11-21T12:05:00.000Z' }))
    await starting
    expect(pairing.code).toBeNull()
    expect(stopped).toHaveBeenCalledOnce()
  })
})
