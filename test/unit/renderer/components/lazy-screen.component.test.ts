import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { createRawSnippet } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import LazyScreen from '../../../../renderer/src/components/LazyScreen.svelte'
import '../support/english.ts'

const reload = vi.fn()
const reportError = vi.fn()

beforeEach(() => {
  // jsdom implements neither.
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('reportError', reportError)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

const children = createRawSnippet((text: () => string) => ({ render: () => `<p>${text()}</p>` }))

test('LazyScreen is busy while it loads and then renders the loaded module', async () => {
  const loading = Promise.withResolvers<{ default: string }>()
  const { container } = render(LazyScreen, { load: () => loading.promise, children })
  expect(container.querySelector('[aria-busy=true]')).not.toBeNull()
  loading.resolve({ default: 'Loaded screen' })
  expect(await vi.waitFor(() => screen.getByText('Loaded screen'))).toBeTruthy()
  expect(container.querySelector('[aria-busy=true]')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('LazyScreen reports a failed import and offers a reload of the page', async () => {
  const error = new TypeError('Failed to fetch dynamically imported module')
  render(LazyScreen, { load: () => Promise.reject<{ default: string }>(error), children })
  expect((await vi.waitFor(() => screen.getByRole('alert'))).textContent).toContain(
    'A part of this till could not be loaded.'
  )
  expect(reportError).toHaveBeenCalledExactlyOnceWith(error)
  expect(reload).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(reload).toHaveBeenCalledOnce()
})
