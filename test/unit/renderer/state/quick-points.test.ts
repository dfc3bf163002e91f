import { beforeEach, describe, expect, test } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import type { Slip } from '../../../../electron/contract/slips.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { QuickPointsForm } from '../../../../renderer/src/state/quick-points.svelte.ts'
import { RecentSlips } from '../../../../renderer/src/state/recent-slips.svelte.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, bridgeWithSettings, deferredCalls, slip } from '../support/bridge.ts'

const rule = { pointsPerUnit: '10', rounding: 'down', minimum: '0', currency: 'EUR' } as const

/** A slip with an intent id and a time that grow with `number`. */
const numbered = (number: number, points: number, change: Partial<Slip> = {}): Slip =>
  slip(`slip-${String(number)}`, {
    points,
    requestedAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    ...change
  })

const createContext = (slips: readonly Slip[] = []) => {
  const { requests, call } = deferredCalls()
  const bridge = bridgeWith({
    slips: { list: () => Promise.resolve(ok({ slips, hasMore: false })), issue: call as never },
    customers: { find: () => new Promise(() => undefined) }
  })
  const app = createAppContext(bridge, { location: { hash: '' } } as unknown as Window)
  app.till.accept(tillState())
  const context = new BusinessContext(app)
  const set = (change: Partial<ReturnType<typeof tillState>['settings']>): void => {
    const state = tillState()
    app.till.accept({ ...state, settings: { ...state.settings, ...change } })
  }
  const { checkout, focus, quickPoints, recentSlips } = context
  return { requests, set, checkout, focus, quickPoints, recentSlips }
}

describe('a quick key', () => {
  let context: ReturnType<typeof createContext>
  beforeEach(() => {
    context = createContext()
  })

  test('adds to the points that are typed, and moves the focus there', () => {
    const { checkout, focus, quickPoints } = context
    quickPoints.add(1)
    expect(checkout.form.points).toBe('50')
    quickPoints.add(0)
    expect(checkout.form.points).toBe('60')
    expect(focus.pending).toBe('points')
  })

  test('that exceeds the maximum shows the sum and says so, once', () => {
    const { checkout, quickPoints } = context
    checkout.form.typePoints('9999990')
    quickPoints.add(0)
    quickPoints.add(0)
    expect(checkout.form.points).toBe('10000000')
    expect(checkout.form.failure).toEqual({ kind: 'points-too-many', maximum: 9_999_999 })
    checkout.form.typePoints('9999989')
    quickPoints.add(0)
    expect([checkout.form.points, checkout.form.failure]).toEqual(['9999999', null])
  })

  test('keeps typed text that is no number', () => {
    const { checkout, quickPoints } = context
    checkout.form.typePoints('1.5')
    quickPoints.add(0)
    expect(checkout.form.points).toBe('1.5')
    expect(checkout.form.failure?.kind).toBe('invalid-input')
  })

  test('after a slip that may have a code makes another request', async () => {
    const { checkout, quickPoints, requests } = context
    checkout.form.typePoints('9999999')
    const pressed = checkout.form.print()
    requests[0]?.resolve({ ok: false, failure: { kind: 'internal' } })
    await pressed
    const { intentId } = checkout.form
    quickPoints.add(0)
    expect(checkout.form.intentId).not.toBe(intentId)
  })

  test('does nothing during a search, a registration or the issue of a slip', () => {
    const { checkout, quickPoints } = context
    checkout.search.type('maria')
    quickPoints.add(0)
    checkout.search.clear()
    checkout.openRegistration()
    quickPoints.add(0)
    checkout.closeRegistration()
    expect(checkout.form.points).toBe('')
    checkout.form.typePoints('5')
    void checkout.form.print()
    quickPoints.add(0)
    expect(checkout.form.points).toBe('5')
  })

  test('is not shown where the points come from a bill', () => {
    const { checkout, quickPoints, set } = context
    expect(quickPoints.shown).toBe(true)
    checkout.form.fillIn({ amount: null, points: 20, reference: 'R-1', phone: null })
    expect(quickPoints.shown).toBe(false)
    checkout.form.removeLinkedBill()
    set({ pointsRule: rule })
    expect(quickPoints.shown).toBe(false)
    quickPoints.add(0)
    expect(checkout.form.points).toBe('')
  })

  test('that the settings do not have does nothing', () => {
    const { checkout, quickPoints, set } = context
    set({ quickPoints: [7] })
    quickPoints.add(1)
    expect(checkout.form.points).toBe('')
    quickPoints.add(0)
    expect(checkout.form.points).toBe('7')
  })
})

describe('the last amounts', () => {
  const before = [
    numbered(9, 40),
    numbered(8, 250),
    numbered(7, 40),
    numbered(6, 5, { batch: { batchId: 'b', position: 1 } }),
    numbered(5, 6, { caller: { id: 'p', name: 'Program' } }),
    numbered(4, 7, { code: null }),
    numbered(3, 75),
    numbered(2, 300)
  ]

  test('are the last different ones of the counter, the smallest first', async () => {
    const { quickPoints, recentSlips } = createContext(before)
    await recentSlips.read()
    expect(quickPoints.last).toEqual([40, 75, 250])
  })

  test('replace what is typed', async () => {
    const { checkout, quickPoints, recentSlips } = createContext(before)
    await recentSlips.read()
    checkout.form.typePoints('12')
    quickPoints.takeLast(2)
    expect(checkout.form.points).toBe('250')
  })

  test('follow the journal; a slip counts once it has a code', async () => {
    const bridge = bridgeWith({
      slips: { list: () => Promise.resolve(ok({ slips: before, hasMore: false })) }
    })
    const recentSlips = new RecentSlips(bridge, new IpcClient())
    const stop = recentSlips.start()
    await recentSlips.read()
    bridge.sendSlip(numbered(10, 90, { code: null, state: 'requested', revision: 0 }))
    expect(recentSlips.lastPoints).toEqual([40, 75, 250])
    bridge.sendSlip(numbered(10, 90, { revision: 2 }))
    bridge.sendSlip(numbered(10, 90, { code: null, state: 'requested', revision: 1 }))
    expect(recentSlips.lastPoints).toEqual([40, 90, 250])
    stop()
  })
})

test('RecentSlips of one customer reads and follows their slips only, and names those with a code', async () => {
  const searches: unknown[] = []
  const [anna, boris] = ['anna', 'boris'].map((id) => ({ customer: { id, name: id } }))
  const bridge = bridgeWith({
    slips: {
      list: ({ search }) => {
        searches.push(search)
        return Promise.resolve(ok({ slips: [numbered(1, 40, anna)], hasMore: false }))
      }
    }
  })
  const recentSlips = new RecentSlips(bridge, new IpcClient(), 'anna')
  const stop = recentSlips.start()
  await recentSlips.read()
  bridge.sendSlip(numbered(2, 50, boris))
  bridge.sendSlip(numbered(3, 60, anna))
  bridge.sendSlip(numbered(4, 70, { ...anna, code: null }))
  expect(recentSlips.issued.map(({ points }) => points)).toEqual([60, 40])
  expect(searches).toEqual([{ customerId: 'anna' }, { customerId: 'anna' }])
  stop()
})

describe('QuickPointsForm', () => {
  const createForm = () => {
    const { bridge, state } = bridgeWithSettings(tillState())
    const till = new Till(bridge, new IpcClient())
    till.accept(state())
    return { form: new QuickPointsForm(till), saved: () => state().settings.quickPoints }
  }

  test('saves the keys, without the empty fields', async () => {
    const { form, saved } = createForm()
    expect([[...form.texts], form.unsaved]).toEqual([['10', '50', '100'], false])
    form.texts[1] = ' '
    form.texts[2] = '٢٥'
    expect(form.unsaved).toBe(true)
    await form.save()
    expect(saved()).toEqual([10, 25])
  })

  test.each(['0', '1.5', '10000', 'ten'])('refuses %s, and says where', async (text) => {
    const { form, saved } = createForm()
    form.texts[1] = text
    await form.save()
    expect(form.fault).toBe(1)
    expect(saved()).toEqual([10, 50, 100])
  })
})
