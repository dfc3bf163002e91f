import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import OfflineBanner from '../../../../renderer/src/components/OfflineBanner.svelte'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Router } from '../../../../renderer/src/state/router.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { bridgeWith, byHand, settle, tillState } from '../support/bridge.ts'
import '../support/english.ts'
import InWorkplace from '../support/InWorkplace.svelte'

const open = () => {
  const { asked, call } = byHand<undefined, TillState>()
  const bridge = bridgeWith({
    connection: { retryConnection: (): Promise<Result<TillState>> => call(undefined) }
  })
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  const app = { bridge, ipc, till, router: new Router(window) }
  render(InWorkplace, { app, component: OfflineBanner })
  return { asked, till }
}

const offline = tillState({ offlineSince: new Date().toISOString() })

test('a reader hears it come and go: the status is there before its words', async () => {
  const { till } = open()
  till.accept(tillState())
  await settle()
  const status = screen.getByRole('status')
  expect(status.textContent.trim()).toBe('')
  till.accept(offline)
  await settle()
  expect(screen.getByRole('status')).toBe(status)
  expect(status.textContent).toMatch(/Offline since \d/)
  till.accept(tillState())
  await settle()
  expect(status.textContent.trim()).toBe('')
})

test('Try again asks once, and waits for the answer', async () => {
  const { asked, till } = open()
  till.accept(offline)
  await settle()
  const button = screen.getByRole('button', { name: 'Try again' })
  await userEvent.click(button)
  await userEvent.click(button)
  expect([asked.length, (button as HTMLButtonElement).disabled]).toEqual([1, true])
  asked[0]?.answer(ok(tillState()))
  await settle()
  expect(screen.queryByRole('button')).toBeNull()
})

test.each(['online', 'offline'])('the system’s word "%s" is a reason to ask, and no proof', async (word) => {
  const { asked, till } = open()
  till.accept(offline)
  window.dispatchEvent(new Event(word))
  await settle()
  expect([asked.length, screen.getByRole('status').textContent.trim() === '']).toEqual([1, false])
})
