import { expect, it } from 'vitest'
import type { CheckoutDraft } from '../../../../electron/contract/till.ts'
import { createDrafts } from '../../../../electron/main/ipc/till.ts'

const draft: CheckoutDraft = {
  intentId: '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d',
  pressed: false,
  customer: null,
  points: '250',
  bill: '',
  copies: null,
  search: '',
  registration: null
}

it('keeps the last draft, and shows it to nobody else', () => {
  let served = 'one shop'
  const drafts = createDrafts(() => served)
  expect(drafts.current()).toBeNull()
  drafts.keep(draft)
  drafts.keep({ ...draft, points: '75' })
  expect(drafts.current()?.points).toBe('75')
  served = 'another shop'
  expect(drafts.current()).toBeNull()
  served = 'one shop'
  expect(drafts.current()).toBeNull()
})
