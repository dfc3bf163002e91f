/** The till's clock and time zones beside those of its service, as each answer tells them. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { utcOffset } from '../../../../electron/contract/time-zones.ts'
import { Notices, StateChanges } from '../../../../electron/main/ipc/app-state.ts'
import { ServiceClock } from '../../../../electron/main/session/service-clock.ts'

const MINUTE = 60_000
const NOW = Date.parse('2026-11-21T12:00:00.000Z')

let notices: Notices
let clock: ServiceClock

beforeEach(() => {
  vi.setSystemTime(NOW)
  onTestFinished(() => void vi.useRealTimers())
  notices = new Notices(new StateChanges())
  clock = new ServiceClock({ notices })
})

/** Receives one answer. */
const answer = async (headers: Readonly<Record<string, string>>, status = 200): Promise<void> => {
  const sent = new Response('{}', { status, headers })
  const fetch = clock.watch(() => Promise.resolve(sent))
  expect(await fetch(new Request('https://points.example/api/account'))).toBe(sent)
}

/** Receives an answer of a service whose clock is behind the till's. */
const answerBehind = (ms: number, status = 200): Promise<void> =>
  answer({ date: new Date(NOW - ms).toUTCString() }, status)

const answerAt = (localTime: string): Promise<void> =>
  answer({ date: new Date(NOW).toUTCString(), 'local-time': localTime })

test('a difference adds one notice with the minutes, which goes when the clock is set', async () => {
  await answerBehind(-60 * MINUTE)
  expect(notices.list()).toEqual([{ kind: 'clock-differs', minutesAhead: -60 }])
  await answerBehind(10 * MINUTE)
  expect(notices.list()).toEqual([{ kind: 'clock-differs', minutesAhead: 10 }])
  await answerBehind(4 * MINUTE)
  expect(notices.list()).toEqual([])
})

test('a dismissed notice returns only when the difference changes', async () => {
  await answerBehind(60 * MINUTE)
  notices.remove('clock-differs')
  await answerBehind(60 * MINUTE + 40_000)
  expect(notices.list()).toEqual([])
  await answerBehind(7 * MINUTE)
  expect(notices.list()).toEqual([{ kind: 'clock-differs', minutesAhead: 7 }])
})

test('an error says nothing, nor does an answer without a time', async () => {
  await answerBehind(60 * MINUTE, 502)
  await answer({})
  await answer({ date: 'soon', 'local-time': 'now' })
  expect(notices.list()).toEqual([])
})

test('a time zone that the till knows otherwise than the service adds a notice, which goes with the difference', async () => {
  await answerAt('2026-11-21T14:00:00+02:00[Europe/Athens]')
  expect(notices.list()).toEqual([])
  await answerAt('2026-11-21T13:00:00+01:00[Europe/Athens]')
  const differs = {
    kind: 'time-zone-differs',
    timeZone: 'Europe/Athens',
    tillOffset: '+02:00',
    serviceOffset: '+01:00'
  }
  expect(notices.list()).toEqual([differs])
  await answerAt('2026-11-21T13:00:01+01:00[Europe/Athens]')
  expect(notices.list()).toEqual([differs])
  // The shop has chosen another one.
  await answerAt('2026-11-21T13:00:02+01:00[Europe/Paris]')
  expect(notices.list()).toEqual([])
})

test('a zone that the till does not know is that of its system, by the moment of the service', async () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  await answerAt('2026-11-21T17:45:00+05:45[Mars/Olympus]')
  expect(notices.list()).toMatchObject([
    { timeZone: 'Mars/Olympus', tillOffset: utcOffset(timeZone, new Date(NOW)), serviceOffset: '+05:45' }
  ])
})
