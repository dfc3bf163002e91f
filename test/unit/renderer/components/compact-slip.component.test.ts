import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import CompactSlipStatus from '../../../../renderer/src/screens/till/CompactSlipStatus.svelte'
import { slip } from '../support/bridge.ts'
import '../support/english.ts'

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
