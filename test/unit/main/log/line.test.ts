import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLine } from '../../../../electron/main/log/line.ts'
import type { Details } from '../../../../electron/main/log/log.ts'

const line = createLine(
  () => new Date('2026-11-21T12:05:33.000Z'),
  () => ['demo-secret']
)
const read = (details: Details): Record<string, unknown> =>
  JSON.parse(line('error', 'something-failed', details)) as Record<string, unknown>

describe('a line of the log', () => {
  test('is one line of JSON with its time, its level and its event', () => {
    const written = line('info', 'slip-printed', { intentId: 'x', points: 250, text: 'two\nlines' })
    expect(written).not.toContain('\n')
    expect(written).toBe(
      '{"time":"2026-11-21T12:05:33.000Z","level":"info","event":"slip-printed","intentId":"x","points":250,"text":"two\\nlines"}'
    )
  })

  test('tells an error with its causes, and masks all of them, stacks too', () => {
    const inner = new TypeError('fetch failed for https://a.example/?token=abc of +30 690 000 0125')
    const middle = new AggregateError([inner, new Error('Bearer demo-secret')], 'maria@shop.example')
    const outer = Object.assign(new Error('demo-secret', { cause: middle }), { code: 'EFAIL' })
    outer.stack = `Error: demo-secret\n    at send (file:///a.js?demo-secret:1:2)\n    at +30 690 000 0125`
    const written = JSON.stringify(read({ error: outer }))
    expect(written).toContain('EFAIL')
    expect(written).toContain('TypeError')
    for (const secret of ['demo-secret', '690', 'maria', 'abc']) expect(written).not.toContain(secret)
  })

  test('leaves out what belongs to a person, by its key', () => {
    expect(
      read({ customer: { id: '1', name: 'Maria' }, row: { customer_name: 'Maria', phone: 306900000125 } })
    ).toMatchObject({
      customer: '[left out]',
      row: { customer_name: '[left out]', phone: '[left out]' }
    })
  })

  test('comes out of anything: what is circular, endless, deep or unreadable', () => {
    const circle: Record<string, unknown> = { size: 10n, when: new Date(Number.NaN), bytes: Buffer.alloc(9) }
    circle['self'] = circle
    const cause = new Error('a')
    cause.cause = cause
    const throwing = {
      get value(): string {
        throw new Error('no')
      }
    }
    expect(read({ circle, cause })).toMatchObject({
      circle: { self: '[again]', size: '10', bytes: '[9 bytes]' }
    })
    expect(read({ throwing })).toMatchObject({ details: '[unreadable]' })
    expect(line('error', 'x', { text: 'a '.repeat(1_000_000) }).length).toBeLessThan(5_000)
    fc.assert(
      fc.property(
        fc.object({
          maxDepth: 9,
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true
        }),
        (details) => {
          expect(JSON.parse(line('debug', 'anything', details as Details))).toMatchObject({})
        }
      )
    )
  })
})
