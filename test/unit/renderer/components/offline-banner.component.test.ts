import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import OfflineBanner from '../../../../renderer/src/components/OfflineBanner.svelte'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Router } from '../../../../renderer/src/state/router.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { bridgeWith, deferredCalls, flushPromises, tillState } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const open = () => {
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

test('a reader hears it come and go: the status is there before its words', async () => {
  const { till } = open()
  till.accept(tillState())
  await flushPromises()
  const status = screen.getByRole('status')
  expect(status.textContent.trim()).toBe('')
  till.accept(offline)
  await flushPromises()
  expect(screen.getByRole('status')).toBe(status)
  expect(status.textContent).toMatch(/Offline since \d/)
  till.accept(tillState())
  await flushPromises()
  expect(status.textContent.trim()).toBe('')
})

test('Try again asks once, and waits for the answer', async () => {
  const { requests, till } = open()
  till.accept(offline)
  await flushPromises()
  const button = screen.getByRole('button', { name: 'Try again' })
  await userEvent.click(button)
  await userEvent.click(button)
  expect(requests).toHaveLength(1)
  expect((button as HTMLButtonElement).disabled).toBe(true)
  requests[0]?.resolve(ok(tillState()))
  await flushPromises()
  expect(screen.queryByRole('button')).toBeNull()
})

test.each(['online', 'offline'])('the system’s word "%s" is a reason to ask, and no proof', async (word) => {
  const { requests, till } = open()
  till.accept(offline)
  window.dispatchEvent(new Event(word))
  await flushPromises()
  expect(requests).toHaveLength(1)
  expect(screen.getByRole('status').textContent.trim() === '').toBe(false)
})
