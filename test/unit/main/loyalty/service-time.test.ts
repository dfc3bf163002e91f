import { expect, test } from 'vitest'
import { clockDifference, serviceMoment } from '../../../../electron/main/loyalty/service-time.ts'

test.each([
  ['2026-11-21T12:05:33.000Z', '2026-11-21T12:05:33.000Z'],
  ['2026-11-21T13:05:33.123456+01:00', '2026-11-21T12:05:33.123Z'],
  ['2026-11-21 12:05:33Z', '2026-11-21T12:05:33.000Z'],
  ['2026-11-21T12:05:33', null],
  ['2026-11-21 12:05:33', null],
  ['2026-11-21', null],
  ['0001-01-01T00:00:00Z', null],
  ['1970-01-01T00:00:00Z', null],
  [null, null]
])('the moment of %j is %j', (createdAt, moment) => {
  expect(serviceMoment(createdAt)?.toISOString() ?? null).toBe(moment)
})

const at = (time: string): Date => new Date(`2026-11-21T${time}Z`)

test.each([
  ['12:00:00', '12:00:00', '12:00:01', 0],
  ['11:55:00', '12:00:00', '12:00:01', 0],
  ['11:54:59', '12:00:00', '12:00:01', 301_000],
  // A slow response is no wrong clock.
  ['12:00:09', '12:00:00', '12:10:00', 0],
  ['12:05:01', '12:00:00', '12:00:01', 0],
  ['13:00:01', '12:00:00', '12:00:01', -3_600_000]
])('created at %s, requested at %s and received at %s: %d ms ahead', (created, requested, received, ms) => {
  expect(clockDifference(at(created), at(requested), at(received))).toBe(ms)
})
