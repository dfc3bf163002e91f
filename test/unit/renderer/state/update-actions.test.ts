import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import type { InstallResult, UpdateState } from '../../../../electron/contract/updates.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { typedFeed, UpdateActions } from '../../../../renderer/src/state/update-actions.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith } from '../support/bridge.ts'

/** Creates `UpdateActions` with this update state. `installResult` is the result of the install call. */
function createUpdates(
  update: UpdateState,
  installResult: InstallResult = { kind: 'restarting' },
  serving = false
) {
  const requests: unknown[] = []
  let state: TillState = tillState({ update })
  const bridge = bridgeWith({
    till: {
      set: (change) => {
        requests.push(change)
        state = { ...state, settings: { ...state.settings, ...change } }
        return Promise.resolve(ok(state))
      }
    },
    updates: {
      check: () => {
        requests.push('check')
        return Promise.resolve(ok(null))
      },
      install: (input) => {
        requests.push(input)
        return Promise.resolve(ok(installResult))
      }
    }
  })
  const ipc = new IpcClient()
  const created = new Till(bridge, ipc)
  created.accept(state)
  return { requests, till: created, updates: new UpdateActions(bridge, ipc, created, () => serving) }
}

describe('an available update', () => {
  test('is shown until it is postponed, and again for a newer version', () => {
    const { updates, till: created } = createUpdates({ kind: 'ready', version: '1.1.0' })
    expect(updates.waiting).toBe('1.1.0')
    updates.postpone()
    expect(updates.waiting).toBeNull()
    created.accept(tillState({ update: { kind: 'ready', version: '1.2.0' } }))
    expect(updates.waiting).toBe('1.2.0')
  })

  test('shows what blocks the restart until it is postponed', async () => {
    const { updates, requests } = createUpdates(
      { kind: 'ready', version: '1.1.0' },
      { kind: 'wait', for: 'customer' },
      true
    )
    await updates.install()
    expect(updates.obstacle).toBe('customer')
    expect(requests).toEqual([{ serving: true }])
    updates.postpone()
    expect(updates.obstacle).toBeNull()
  })

  test('restarts when nothing blocks it', async () => {
    const { updates, requests } = createUpdates({ kind: 'ready', version: '1.1.0' })
    await updates.install()
    expect(updates.obstacle).toBeNull()
    expect(requests).toEqual([{ serving: false }])
  })
})

describe('the update server', () => {
  test('is saved and then checked', async () => {
    const { updates, requests } = createUpdates({ kind: 'unchecked' })
    await updates.saveFeed('https://updates.example/till/')
    expect(requests).toEqual([{ updates: { feed: 'https://updates.example/till/' } }, 'check'])
  })

  test('that was not saved is not checked', async () => {
    const ipc = new IpcClient()
    const bridge = bridgeWith({
      till: { set: () => Promise.resolve(err({ kind: 'locked', needs: 'manager' })) }
    })
    const till = new Till(bridge, ipc)
    till.accept(tillState({ update: { kind: 'unchecked' } }))
    const updates = new UpdateActions(bridge, ipc, till, () => false)
    await updates.saveFeed('https://updates.example/till/')
    // A check would be an unexpected call.
    expect(updates.request.failure).toBeNull()
    expect(till.request.failure).toEqual({ kind: 'locked', needs: 'manager' })
  })

  test('is turned off by null', async () => {
    const { updates, requests } = createUpdates({ kind: 'off' })
    await updates.saveFeed(null)
    expect(requests).toEqual([{ updates: { feed: null } }])
  })
})

describe('typedFeed', () => {
  test.each([
    [' https://updates.example/till ', 'https://updates.example/till/'],
    ['  ', null],
    ['http://updates.example/', undefined]
  ])('of %j is %j', (text, feed) => {
    expect(typedFeed(text)).toBe(feed)
  })
})
