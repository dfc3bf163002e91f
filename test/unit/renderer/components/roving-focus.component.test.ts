import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import CustomerRows from '../../../../renderer/src/components/CustomerRows.svelte'
import { customer } from '../support/bridge.ts'
import '../support/english.ts'

const onchoose = vi.fn()
const onleave = vi.fn()

beforeEach(() => {
  const customers = Array.from({ length: 20 }, (_, index) => customer(String(index + 1)))
  render(CustomerRows, { customers, label: 'Results', onchoose, onleave })
  // jsdom has no layout: the viewport gets the height of about five rows.
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(350)
  for (const row of screen.getAllByRole('button')) Object.defineProperty(row, 'offsetHeight', { value: 64 })
  screen.getAllByRole('button')[0]?.focus()
})

const row = (): number => screen.getAllByRole('button').findIndex((one) => one === document.activeElement) + 1

test.each([
  ['{ArrowDown}{ArrowDown}', 3],
  ['{ArrowDown}{ArrowUp}', 1],
  ['{End}', 20],
  ['{End}{ArrowDown}', 20],
  ['{End}{Home}', 1],
  ['{PageDown}', 5],
  ['{End}{PageUp}', 16],
  ['{PageDown}{PageDown}{PageDown}{PageDown}{PageDown}{PageDown}', 20],
  ['{PageUp}', 1]
])('roving focus: the keys %s move the focus to row %i', async (keys, wanted) => {
  await userEvent.keyboard(keys)
  expect(row()).toBe(wanted)
})

test('ArrowUp in the first row moves the focus out of the list', async () => {
  await userEvent.keyboard('{ArrowUp}')
  expect(onleave).toHaveBeenCalledOnce()
})

test('Enter selects the focused row', async () => {
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(onchoose).toHaveBeenCalledWith(expect.objectContaining({ id: '2' }))
})
