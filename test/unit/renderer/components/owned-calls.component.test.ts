import { render } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import { OWNED_GROUPS, type Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import App from '../../../../renderer/src/App.svelte'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, flushPromises } from '../support/bridge.ts'

// jsdom has none. It is used when the modules are loaded.
vi.hoisted(() => {
  window.matchMedia = () => new EventTarget() as MediaQueryList
})

test('what a screen asks and does for a business says for which one it was made', async () => {
  const first = tillState({ owner: 3 })
  const calls: string[] = []
  /** Records the owner of each call that any screen makes for a business. */
  const callsOf = (owner: number): ReturnType<Bridge['of']> =>
    Object.fromEntries(
      OWNED_GROUPS.map((group) => [
        group,
        new Proxy(
          {},
          {
            get: (_, call) => () => {
              calls.push(`${String(owner)} ${group}.${String(call)}`)
              return Promise.resolve(err({ kind: 'internal' }))
            }
          }
        )
      ])
    ) as ReturnType<Bridge['of']>
  const bridge = bridgeWith({
    till: { state: () => Promise.resolve(ok(first)), rendererReady: () => Promise.resolve(ok(null)) }
  })
  render(App, { bridge: { ...bridge, of: callsOf } })
  await vi.waitFor(() => {
    expect(calls).toContain('3 till.draft')
  })
  expect(calls).toContain('3 customers.recent')
  expect(calls).toContain('3 slips.attention')
  expect(calls).toContain('3 customerDisplay.serving')
  calls.length = 0
  bridge.sendState({ ...first, owner: 4 })
  await flushPromises()
  expect(calls).toContain('4 till.draft')
  expect(calls.filter((call) => !call.startsWith('4'))).toEqual([])
})
