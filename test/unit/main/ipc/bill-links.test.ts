import { beforeEach, describe, expect, it } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { PointsRule } from '../../../../electron/contract/points-calculation.ts'
import type { Slip } from '../../../../electron/contract/slips.ts'
import { Notices, StateChanges } from '../../../../electron/main/ipc/app-state.ts'
import { BillLinksHandlers } from '../../../../electron/main/ipc/bill-links.ts'
import type { Mode } from '../../../../electron/contract/till.ts'
import type { DataOwner } from '../../../../electron/main/session/data-owners.ts'
import { ownRules } from '../../../support/shop-rules.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const RULE: PointsRule = { pointsPerUnit: '10', rounding: 'down', minimum: '0', currency: 'EUR' }

let changes: StateChanges
let notices: Notices
let logged: unknown[]
let pointsRule: PointsRule | null
let issued: Result<Slip | null>
let session: { mode: Mode; owner: DataOwner }

const createBillLinks = (): BillLinksHandlers =>
  new BillLinksHandlers({
    notices,
    session,
    shopRules: ownRules(() => pointsRule),
    country: { code: 'GR' },
    slips: { get: () => Promise.resolve(ok({ queries: { newestByReference: () => issued } })) },
    changes,
    log: {
      ...noOpLogger,
      info: (event, details) => logged.push([event, details]),
      warn: (event, details) => logged.push([event, details])
    }
  })

beforeEach(() => {
  changes = new StateChanges()
  notices = new Notices(changes)
  logged = []
  pointsRule = null
  issued = ok(null)
  session = { mode: 'business', owner: { number: 1 } }
})

const kinds = (): string[] => notices.list().map(({ kind }) => kind)

describe('a bill of another program', () => {
  it('is offered to the business that it came for, and to the first one of a till that is not set up', async () => {
    const link = 'tillpoints://bill?points=5&reference=R-1'
    const billLinks = createBillLinks()
    billLinks.receive(link)
    const first = session.owner
    session.owner = { number: 2 }
    expect(billLinks.waiting).toBe(false)
    expect(await billLinks.take()).toEqual(ok(null))
    session.owner = first
    expect(billLinks.waiting).toBe(true)
    await billLinks.take()
    session.mode = 'onboarding'
    billLinks.receive(link)
    session = Object.assign(session, { mode: 'business', owner: { number: 3 } })
    expect(billLinks.waiting).toBe(true)
  })

  it('waits until the page takes it, once, with its phone as the shop’s country reads it', async () => {
    const billLinks = createBillLinks()
    expect(await billLinks.take()).toEqual({ ok: true, value: null })
    billLinks.receive('tillpoints://bill?points=75&phone=6901234567')
    expect(billLinks.waiting).toBe(true)
    expect(await billLinks.take()).toMatchObject({
      ok: true,
      value: { bill: { points: 75, phone: '+30 690 123 4567' }, issued: null }
    })
    expect(billLinks.waiting).toBe(false)
    expect(await billLinks.take()).toEqual({ ok: true, value: null })
  })

  it('comes with the slip of its reference, and waits while the journal cannot be read', async () => {
    const billLinks = createBillLinks()
    issued = ok({ intentId: 'a' } as Slip)
    billLinks.receive('tillpoints://bill?points=75')
    expect(await billLinks.take()).toMatchObject({ value: { issued: null } })
    billLinks.receive('tillpoints://bill?points=75&reference=R-1')
    expect(await billLinks.take()).toMatchObject({ value: { issued: { intentId: 'a' } } })
    issued = err({ kind: 'internal' })
    billLinks.receive('tillpoints://bill?points=75&reference=R-1')
    expect(await billLinks.take()).toEqual(issued)
    expect(billLinks.waiting).toBe(true)
  })

  it('that was refused is a notice, which the next valid one removes', () => {
    const billLinks = createBillLinks()
    billLinks.receive('tillpoints://bill?points=0')
    billLinks.receive('tillpoints://user@bill?points=5')
    expect(notices.list()).toEqual([{ kind: 'bill-link-refused', fault: 'malformed' }])
    expect(billLinks.waiting).toBe(false)
    billLinks.receive('tillpoints://bill?points=5')
    expect(notices.list()).toEqual([])
  })

  it('is refused when it is taken: a phone that is none, and another currency than the rule’s', async () => {
    const billLinks = createBillLinks()
    billLinks.receive('tillpoints://bill?points=75&phone=12')
    expect(await billLinks.take()).toEqual({ ok: true, value: null })
    expect(notices.list()).toEqual([{ kind: 'bill-link-refused', fault: 'phone' }])
    pointsRule = RULE
    billLinks.receive('tillpoints://bill?amount=5&currency=USD')
    expect(await billLinks.take()).toEqual({ ok: true, value: null })
    expect(notices.list()).toEqual([{ kind: 'bill-link-refused', fault: 'other-currency' }])
    billLinks.receive('tillpoints://bill?amount=5&currency=EUR')
    expect(await billLinks.take()).toMatchObject({ value: { bill: { amount: { value: '5' } } } })
  })

  it('takes the place of one that waits, which is a notice unless it is the same bill', () => {
    const billLinks = createBillLinks()
    billLinks.receive('tillpoints://bill?points=75&reference=R-1')
    billLinks.receive('tillpoints://bill?points=80&reference=R-1')
    expect(kinds()).toEqual([])
    billLinks.receive('tillpoints://bill?points=90&reference=R-2')
    billLinks.receive('tillpoints://bill?points=95&reference=R-3')
    expect(notices.list()).toEqual([{ kind: 'bill-replaced', reference: 'R-2' }])
  })

  it('is logged without what it says', async () => {
    const billLinks = createBillLinks()
    billLinks.receive('tillpoints://bill?points=75&reference=R-1042&phone=6901234567')
    await billLinks.take()
    billLinks.receive('tillpoints://bill?points=75&phone=690123')
    await billLinks.take()
    expect(logged).toContainEqual(['bill-link', { parts: ['points', 'reference', 'phone'] }])
    expect(JSON.stringify(logged)).not.toMatch(/R-1042|690123/)
  })
})
