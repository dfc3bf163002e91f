import { beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import { DEFAULT_TILL_SETTINGS, type TillSettings } from '../../../../electron/contract/settings.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import { Places } from '../../../../renderer/src/state/places.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { Tour, TOUR_STEPS } from '../../../../renderer/src/state/tour.svelte.ts'
import { bridgeWith, settle, tillState } from '../support/bridge.ts'

let changes: Partial<TillSettings>[]
let places: Places
let till: Till
let tour: Tour

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
  till = new Till(bridge, new Answers())
  till.accept(tillState())
  places = new Places({ location: { hash: '#slips' } } as unknown as Window)
  tour = new Tour(till, places)
})

describe('the first steps', () => {
  it('begin at the counter, and follow a sale', () => {
    tour.start()
    const seen = TOUR_STEPS.map(() => {
      const { step } = tour
      tour.next()
      return step
    })
    expect([places.here, seen, tour.step]).toEqual(['till', ['find', 'points', 'print', 'slips'], null])
  })

  it('are remembered as seen when they are over, and when they are skipped, once', async () => {
    tour.start()
    tour.end()
    tour.end()
    await settle()
    expect(changes).toEqual([{ tourSeen: true }])
    await settle()
    tour.start()
    expect(tour.step).toBe('find')
    tour.end()
    expect(changes).toHaveLength(1)
  })
})
