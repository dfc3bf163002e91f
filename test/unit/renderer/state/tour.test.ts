import { beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import { DEFAULT_TILL_SETTINGS, type TillSettings } from '../../../../electron/contract/settings.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { FocusController, Router } from '../../../../renderer/src/state/navigation.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { GuidedTour, TOUR_STEPS } from '../../../../renderer/src/state/tour.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, flushPromises } from '../support/bridge.ts'

let changes: Partial<TillSettings>[]
let router: Router
let till: Till
let focus: FocusController
let tour: GuidedTour

beforeEach(() => {
  changes = []
  const bridge = bridgeWith({
    till: {
      set: (change) => {
        changes.push(change)
        return Promise.resolve(ok(tillState({ settings: { ...DEFAULT_TILL_SETTINGS, ...change } })))
      }
    }
  })
  till = new Till(bridge, new IpcClient())
  till.accept(tillState())
  router = new Router({ location: { hash: '#slips' } } as unknown as Window)
  focus = new FocusController()
  tour = new GuidedTour(till, router, { showSale: () => undefined }, focus)
})

describe('GuidedTour', () => {
  it('starts at the till and goes through all steps in order', () => {
    tour.start()
    const seen = TOUR_STEPS.map(() => {
      const { step } = tour
      tour.next()
      return step
    })
    expect(router.current).toBe('till')
    expect(seen).toEqual(['find', 'points', 'print', 'slips'])
    expect(tour.step).toBeNull()
  })

  it('moves the focus to the search, which no card covers', () => {
    tour.start()
    expect(focus.pending).toBe('search')
  })

  it('saves once that it was seen, when it ends or is skipped', async () => {
    tour.start()
    tour.end()
    tour.end()
    await flushPromises()
    expect(changes).toEqual([{ tourSeen: true }])
    tour.start()
    expect(tour.step).toBe('find')
    tour.end()
    expect(changes).toHaveLength(1)
  })
})
