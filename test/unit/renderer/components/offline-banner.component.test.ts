import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import OfflineBanner from '../../../../renderer/src/components/OfflineBanner.svelte'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Router } from '../../../../renderer/src/state/navigation.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import WithAppContext from '../support/WithAppContext.svelte'
import { bridgeWith, deferredCalls, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'

const renderBanner = () => {
  const { requests, call } = deferredCalls<undefined, TillState>()
  const bridge = bridgeWith({
    connection: { retryConnection: (): Promise<Result<TillState>> => call(undefined) }
  })
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  const app = { bridge, ipc, till, router: new Router(window) }
  render(WithAppContext, { app, component: OfflineBanner })
  return { requests, till }
}

const offline = tillState({ offlineSince: new Date().toISOString() })

test('OfflineBanner keeps one status element, so that screen readers announce going offline and online', async () => {
  const { till } = renderBanner()
  till.accept(tillState())
  await flushPromises()
  const status = screen.getByRole('status')
  expect(status.textContent.trim()).toBe('')
  till.accept(offline)
  await vi.waitFor(() => {
    expect(status.textContent).toMatch(/Offline since \d/)
  })
  expect(screen.getByRole('status')).toBe(status)
  till.accept(tillState())
  await vi.waitFor(() => {
    expect(status.textContent.trim()).toBe('')
  })
  expect(screen.getByRole('status')).toBe(status)
})

test('Try again sends one request and is disabled until the result arrives', async () => {
  const { requests, till } = renderBanner()
  till.accept(offline)
  const button = await vi.waitFor(() => screen.getByRole('button', { name: 'Try again' }))
  await userEvent.click(button)
  await userEvent.click(button)
  expect(requests).toHaveLength(1)
  expect((button as HTMLButtonElement).disabled).toBe(true)
  requests[0]?.resolve(ok(tillState()))
  await vi.waitFor(() => {
    expect(screen.queryByRole('button')).toBeNull()
  })
})

test.each(['online', 'offline'])(
  'the browser event "%s" starts a connection attempt and leaves the banner visible',
  async (event) => {
    const { requests, till } = renderBanner()
    till.accept(offline)
    window.dispatchEvent(new Event(event))
    await flushPromises()
    expect(requests).toHaveLength(1)
    expect(screen.getByRole('status').textContent.trim()).not.toBe('')
  }
)
