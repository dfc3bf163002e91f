import { describe, expect, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Business, TillState } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, deferredCalls } from '../support/bridge.ts'

const business = (id: string): Business => ({
  id,
  name: `Business ${id}`,
  logo: null,
  timeZone: 'Europe/Athens',
  currentPlan: '',
  currentPlanInterval: '',
  currentCustomers: null,
  getStartedLink: null,
  address: { street: '', city: '', state: '', country: '', zipCode: '' },
  extensions: []
})

describe('Till.state', () => {
  test('is loaded at the start and follows events until stop', async () => {
    const bridge = bridgeWith({ till: { state: () => Promise.resolve(ok(tillState())) } })
    const till = new Till(bridge, new IpcClient())
    const stop = till.start()
    expect(till.state).toBeNull()
    await vi.waitFor(() => {
      expect(till.state?.mode).toBe('business')
    })
    bridge.sendState(tillState({ accepted: false }))
    expect(till.state?.accepted).toBe(false)
    stop()
    bridge.sendState(tillState())
    expect(till.state?.accepted).toBe(false)
  })

  test('stays unchanged when a change fails', async () => {
    const set = () => Promise.resolve(err({ kind: 'not-saved', what: 'settings' } as const))
    const till = new Till(bridgeWith({ till: { set } }), new IpcClient())
    till.accept(tillState())
    await till.set({ country: 'FR' })
    expect(till.state?.settings.country).toBeNull()
    expect(till.request.failure?.kind).toBe('not-saved')
  })

  test('is accepted from the answer to a change that another call superseded', async () => {
    const { requests, call } = deferredCalls<object, TillState>()
    const till = new Till(
      bridgeWith({ till: { set: call, dismissNotice: () => Promise.resolve(ok(tillState())) } }),
      new IpcClient()
    )
    till.accept(tillState())
    const saving = till.set({ country: 'FR' })
    await till.dismissNotice('clock-differs')
    const state = tillState()
    requests[0]?.resolve(ok({ ...state, settings: { ...state.settings, country: 'FR' } }))
    expect(await saving).toBe(true)
    expect(till.state?.settings.country).toBe('FR')
  })
})

describe('Till.identity', () => {
  const steps = (...states: Parameters<typeof tillState>[]) => {
    const till = new Till(bridgeWith({}), new IpcClient())
    return states.map(([change]) => {
      till.accept(tillState(change))
      return till.identity
    })
  }

  test('changes with the owner of what is shown', () => {
    const seen = steps([{ owner: 1 }], [{ owner: 0 }], [{ owner: 1 }], [{ owner: 2 }])
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('stays the same when the business loads late or is temporarily missing, or a setting changes', () => {
    const seen = steps(
      [{ business: null }],
      [{ business: business('a') }],
      [{ business: null }],
      [{ business: business('a'), accepted: false }],
      [{ business: business('a'), country: 'FR' }]
    )
    expect(new Set(seen).size).toBe(1)
  })
})
