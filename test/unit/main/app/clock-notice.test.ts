import { beforeEach, expect, test } from 'vitest'
import { Notices, StateChanges } from '../../../../electron/main/ipc/app-state.ts'
import { ClockNotice } from '../../../../electron/main/app/slips.ts'

const MINUTE = 60_000

let notices: Notices
let clock: ClockNotice

beforeEach(() => {
  notices = new Notices(new StateChanges())
  clock = new ClockNotice(notices)
})

test('a difference adds one notice with the minutes, which goes when the clock is set', () => {
  clock.update(-60 * MINUTE)
  expect(notices.list()).toEqual([{ kind: 'clock-differs', minutesAhead: -60 }])
  clock.update(10 * MINUTE)
  expect(notices.list()).toEqual([{ kind: 'clock-differs', minutesAhead: 10 }])
  clock.update(0)
  expect(notices.list()).toEqual([])
})

test('a dismissed notice returns only when the difference changes', () => {
  clock.update(60 * MINUTE)
  notices.remove('clock-differs')
  clock.update(60 * MINUTE + 40_000)
  expect(notices.list()).toEqual([])
  clock.update(7 * MINUTE)
  expect(notices.list()).toEqual([{ kind: 'clock-differs', minutesAhead: 7 }])
})
