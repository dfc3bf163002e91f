import { describe, expect, it, vi } from 'vitest'
import type { LinkedBill } from '../../../../electron/contract/local-interface.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Customer } from '../../../../electron/contract/loyalty.ts'
import { ownRule, type PointsRule } from '../../../../electron/contract/points-calculation.ts'
import type { IssuedSlip, Slip } from '../../../../electron/contract/slips.ts'
import { BillLinks } from '../../../../renderer/src/state/bill-links.svelte.ts'
import { Checkout } from '../../../../renderer/src/state/checkout.svelte.ts'
import { DEFAULT_POINTS_FORM_OPTIONS } from '../../../../renderer/src/state/points-form-options.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import type { Router } from '../../../../renderer/src/state/navigation.svelte.ts'
import { bridgeWith, customer, deferredCalls, issued, slip } from '../support/bridge.ts'
import '../support/english.ts'

const RULE: PointsRule = { pointsPerUnit: '10', rounding: 'down', minimum: '0', currency: 'EUR' }
const BILL: LinkedBill = {
  amount: { value: '12.50', currency: 'EUR' },
  points: null,
  reference: 'R-1042',
  phone: null
}
const PHONE = '+306901234567'

/** A till at which bills arrive one after the other. */
function tillWith(rule: PointsRule | null, found: readonly Customer[] = []) {
  const bills: { readonly bill: LinkedBill; readonly issued: Slip | null }[] = []
  const issuing = deferredCalls<{ readonly reference?: string }, IssuedSlip>()
  const bridge = bridgeWith({
    billLinks: { take: () => Promise.resolve(ok(bills.shift() ?? null)) },
    customers: {
      recent: () => Promise.resolve(ok([])),
      find: ({ text }) =>
        Promise.resolve(
          ok({
            kind: 'customers',
            customers: found,
            page: 1,
            hasMore: false,
            phone: { e164: text, display: text }
          })
        )
    },
    slips: { issue: issuing.call }
  })
  const ipc = new IpcClient()
  const checkout = new Checkout(bridge, ipc, {
    ...DEFAULT_POINTS_FORM_OPTIONS,
    rule: () => rule && ownRule(rule)
  })
  const navigate = vi.fn()
  const billLinks = new BillLinks(bridge, ipc, { navigate } as unknown as Router, checkout)
  const receive = async (bill: LinkedBill, before: Slip | null = null): Promise<void> => {
    bills.push({ bill, issued: before })
    await billLinks.take()
  }
  return { checkout, billLinks, receive, navigate, issuing }
}

describe('a bill of another program', () => {
  it('fills in amount and points, and finds the customer', async () => {
    const { checkout, receive, navigate, issuing } = tillWith(RULE, [customer('a', { phone: PHONE })])
    await receive({ ...BILL, phone: PHONE })
    expect(navigate).toHaveBeenCalledWith('till')
    expect(checkout.form).toMatchObject({ points: '125', bill: { text: '12.50' } })
    expect(checkout.customer?.id).toBe('a')
    expect(checkout.form.linkedBill).toEqual(BILL)
    expect(issuing.requests).toEqual([])
  })

  it('fills in points, and shows an amount without a rule', async () => {
    const { checkout, receive } = tillWith(null)
    await receive({ ...BILL, amount: null, points: 75 })
    expect(checkout.form.points).toBe('75')
    checkout.form.removeLinkedBill()
    expect(checkout.form).toMatchObject({ points: '', linkedBill: null })
    await receive(BILL)
    expect(checkout.form).toMatchObject({ points: '', linkedBill: BILL })
  })

  it('leaves a phone that nobody has in the search', async () => {
    const { checkout, receive } = tillWith(RULE)
    await receive({ ...BILL, phone: PHONE })
    expect(checkout).toMatchObject({ customer: null, search: { text: PHONE } })
    expect(checkout.form.points).toBe('125')
  })

  it('keeps a customer who was only selected, unless it names another one', async () => {
    const { checkout, billLinks, receive } = tillWith(RULE, [customer('b', { phone: '+306900000000' })])
    checkout.choose(customer('a', { phone: PHONE }))
    await receive(BILL)
    expect(checkout.customer?.id).toBe('a')
    expect(checkout.form.points).toBe('125')
    checkout.form.removeLinkedBill()
    await receive({ ...BILL, phone: PHONE })
    expect(billLinks.question).toBeNull()
    checkout.form.removeLinkedBill()
    await receive({ ...BILL, phone: '+306900000000' })
    expect(billLinks.question).not.toBeNull()
  })

  it('asks before it replaces points that were typed, and replaces the customer with them', async () => {
    const { checkout, billLinks, receive } = tillWith(RULE)
    checkout.choose(customer('a'))
    checkout.form.typePoints('40')
    const { intentId } = checkout.form
    await receive(BILL)
    expect(billLinks).toMatchObject({ question: { bill: BILL, replaces: true, issued: null }, ready: false })
    expect(checkout.form).toMatchObject({ points: '40', linkedBill: null, intentId })
    billLinks.keep()
    expect(checkout.form).toMatchObject({ points: '40', intentId, customer: { id: 'a' } })
    await receive(BILL)
    await billLinks.use()
    expect(checkout.form).toMatchObject({ points: '125', customer: null })
    expect(checkout.form.intentId).not.toBe(intentId)
  })

  it('asks when it has a slip already', async () => {
    const { checkout, billLinks, receive } = tillWith(RULE)
    const before = slip('a', { reference: 'R-1042' })
    await receive(BILL, before)
    expect(billLinks.question).toEqual({ bill: BILL, replaces: false, issued: before })
    expect(checkout.form.empty).toBe(true)
    await billLinks.use()
    expect(checkout.form.points).toBe('125')
  })

  it('is issued with its reference, and the next slip without', async () => {
    const { checkout, receive, issuing } = tillWith(RULE)
    await receive(BILL)
    void checkout.form.print()
    expect(issuing.requests[0]?.input).toMatchObject({ points: 125, reference: 'R-1042' })
    issuing.requests[0]?.resolve({ ok: true, value: issued(checkout.form.intentId) })
    await vi.waitFor(() => expect(checkout.form.empty).toBe(true))
    checkout.form.typePoints('40')
    void checkout.form.print()
    expect(issuing.requests[1]?.input).not.toHaveProperty('reference')
  })

  it('is restored with the slip of an unknown outcome', async () => {
    const { checkout } = tillWith(RULE)
    await checkout.restoreSlip({ points: 40, customer: null, reference: 'R-7' })
    expect(checkout.form).toMatchObject({ points: '40', linkedBill: { reference: 'R-7' } })
    await checkout.restoreSlip({ points: 50, customer: null, reference: null })
    expect(checkout.form).toMatchObject({ points: '50', linkedBill: null })
  })

  it('waits while a slip is being issued', async () => {
    const { checkout, billLinks, issuing } = tillWith(RULE)
    checkout.form.typePoints('40')
    void checkout.form.print()
    expect(billLinks.ready).toBe(false)
    issuing.requests[0]?.resolve(err({ kind: 'offline' }))
    await vi.waitFor(() => expect(billLinks.ready).toBe(true))
  })
})
