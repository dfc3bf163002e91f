import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import AlertDialog from '../../../../renderer/src/components/AlertDialog.svelte'
import '../support/english.ts'

test('a press beside a dialog that it does not close leaves the focus where it is', async () => {
  const props = { open: true, title: 'Discard?', text: '', cancelLabel: 'Keep', confirmLabel: 'Discard' }
  render(AlertDialog, props)
  const keep = await screen.findByRole('button', { name: 'Keep' })
  // The dialog sets its initial focus a moment later; jsdom has no layout to find the first button by.
  await vi.waitFor(() => expect(document.activeElement).not.toBe(document.body))
  keep.focus()
  const backdrop = document.querySelector('.backdrop')
  if (!backdrop) throw new Error('There is no backdrop')
  await userEvent.click(backdrop)
  expect(document.activeElement).toBe(keep)
})
