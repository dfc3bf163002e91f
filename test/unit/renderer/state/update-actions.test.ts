import { describe, expect, test } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import type { InstallResult, UpdateState } from '../../../../electron/contract/updates.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { typedFeed } from '../../../../renderer/src/screens/settings/typed-feed.ts'
import { UpdateActions } from '../../../../renderer/src/state/update-actions.svelte.ts'
import { bridgeWith, tillState } from '../support/bridge.ts'

/** A till whose update stands like that; `came` is what a press of Restart and update comes to. */
function till(update: UpdateState, came: InstallResult = { kind: 'restarting' }, serving = false) {
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
        return Promise.resolve(ok(came))
      }
    }
  })
  const ipc = new IpcClient()
  const made = new Till(bridge, ipc)
  made.accept(state)
  return { requests, till: made, updates: new UpdateActions(bridge, ipc, made, () => serving) }
}

describe('an update that waits', () => {
  test('is told until somebody says Later, and a newer one again', () => {
    const { updates, till: made } = till({ kind: 'ready', version: '1.1.0' })
    expect(updates.waiting).toBe('1.1.0')
    updates.postpone()
    expect(updates.waiting).toBeNull()
    made.accept(tillState({ update: { kind: 'ready', version: '1.2.0' } }))
    expect(updates.waiting).toBe('1.2.0')
  })

  test('says what a restart would disturb, until the next press', async () => {
    const { updates, requests } = till(
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

  test('disturbs nobody: the till restarts', async () => {
    const { updates, requests } = till({ kind: 'ready', version: '1.1.0' })
    await updates.install()
    expect(updates.obstacle).toBeNull()
    expect(requests).toEqual([{ serving: false }])
  })
})

describe('where updates come from', () => {
  test('is kept as an address, and looked at', async () => {
    const { updates, requests } = till({ kind: 'unchecked' })
    await updates.saveFeed('https://updates.example/till/')
    expect(requests).toEqual([{ updates: { feed: 'https://updates.example/till/' } }, 'check'])
  })

  test('is nowhere when it is emptied', async () => {
    const { updates, requests } = till({ kind: 'off' })
    await updates.saveFeed(null)
    expect(requests).toEqual([{ updates: { feed: null } }])
  })
})

describe('a typed address', () => {
  test.each([
    [' https://updates.example/till ', 'https://updates.example/till/'],
    ['  ', null],
    ['http://updates.example/', undefined]
  ])('%j is %j', (text, feed) => {
    expect(typedFeed(text)).toBe(feed)
  })
})
