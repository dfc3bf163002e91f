import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { reprintSentence } from '../../../../renderer/src/screens/till/announce-sale.ts'
import CompactSlipStatus from '../../../../renderer/src/screens/till/CompactSlipStatus.svelte'
import { slip } from '../support/bridge.ts'
import '../support/english.ts'

test('a copy is told by the code as it stands on the slip', () => {
  const done = slip('slip-1', { state: 'printed', code: 'AB2CD3EF4GH5', lastCopy: null })
  const reprint = { failureOf: () => null, doneFor: () => done }
  expect(reprintSentence(reprint, 'slip-1', 'printer')).toMatch(/^Slip AB2C D3EF 4GH5 was /)
})

test.each([
  [null, '250 points'],
  [{ id: 'customer-1', name: '' }, '250 points'],
  [{ id: 'customer-1', name: 'Zoé' }, '250 points for Zoé']
])('the last slip of %j is called “%s”', (customer, title) => {
  render(CompactSlipStatus, {
    issued: { slip: slip('slip-1', { customer, points: 250 }), affordable: null, qr: null }
  })
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect(screen.getByRole('group', { name: title })).toBeDefined()
})
