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
  const drafts = createDrafts(
    () => served,
    () => undefined
  )
  expect(drafts.current()).toBeNull()
  drafts.keep(draft)
  drafts.keep({ ...draft, points: '75' })
  expect(drafts.current()?.points).toBe('75')
  served = 'another shop'
  expect(drafts.current()).toBeNull()
  served = 'one shop'
  expect(drafts.current()).toBeNull()
})

it('tells when points are being typed, or the bill that they follow from', () => {
  let told = 0
  const drafts = createDrafts(
    () => 'one shop',
    () => (told += 1)
  )
  drafts.keep({ ...draft, points: '', search: 'maria' })
  expect(told).toBe(0)
  drafts.keep({ ...draft, points: '2' })
  drafts.keep({ ...draft, points: '', bill: '12.50' })
  expect(told).toBe(2)
})
