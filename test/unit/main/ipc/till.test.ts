import { expect, it } from 'vitest'
import type { CheckoutDraft } from '../../../../electron/contract/till.ts'
import { CheckoutDrafts } from '../../../../electron/main/ipc/till.ts'

const draft: CheckoutDraft = {
  intentId: '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d',
  pressed: false,
  way: 'slip',
  customer: null,
  points: '250',
  bill: '',
  copies: null,
  linkedBill: null,
  search: '',
  registration: null
}

it('returns the last draft of the owner that is served, and none of another', () => {
  const session = { owner: { number: 1 } }
  const first = session.owner
  const drafts = new CheckoutDrafts(session)
  expect(drafts.current()).toBeNull()
  drafts.save(draft)
  drafts.save({ ...draft, points: '75' })
  expect(drafts.current()?.points).toBe('75')
  session.owner = { number: 2 }
  expect(drafts.current()).toBeNull()
  drafts.save({ ...draft, points: '9' })
  session.owner = first
  expect(drafts.current()?.points).toBe('75')
})
