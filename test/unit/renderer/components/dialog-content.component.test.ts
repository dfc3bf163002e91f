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

test('a dialog that opens over another one is in front of it', async () => {
  const props = { text: '', cancelLabel: 'Keep', confirmLabel: 'Discard' }
  const { rerender } = render(AlertDialog, { ...props, open: false, title: 'Opened last' })
  render(AlertDialog, { ...props, open: true, title: 'Opened first' })
  await screen.findByRole('heading', { name: 'Opened first', hidden: true })
  await rerender({ open: true })
  await screen.findByRole('heading', { name: 'Opened last', hidden: true })
  // All have one z-index: the last in the document is in front.
  const titles = [...document.querySelectorAll('.frame h2')].map((title) => title.textContent)
  expect(titles).toEqual(['Opened first', 'Opened last'])
})
