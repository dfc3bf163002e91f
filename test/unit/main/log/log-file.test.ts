import fc from 'fast-check'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createEntryFormatter, openLogFile } from '../../../../electron/main/log/log-file.ts'
import type { LogDetails } from '../../../../electron/main/log/log.ts'

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const now = () => new Date('2026-11-21T12:05:33.000Z')
const eventsIn = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: unknown }).event)

describe('the log on disk', () => {
  test('keeps each event as a line, for its own account alone, and echoes what needs a person', () => {
    const folder = join(temporaryFolder(), 'logs')
    const echoed: string[] = []
    const { log, files } = openLogFile({ folder, now, echo: (line) => echoed.push(line) })
    log.info('till-started')
    log.debug('looked')
    log.warn('printer-slow')
    log.error('journal-not-written', { error: new Error('disk') })
    const [file = ''] = files()
    expect(eventsIn(file)).toEqual(['till-started', 'looked', 'printer-slow', 'journal-not-written'])
    expect(echoed.map((line) => (JSON.parse(line) as { event: unknown }).event)).toEqual([
      'printer-slow',
      'journal-not-written'
    ])
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('masks a token that it has learnt', () => {
    const folder = temporaryFolder()
    const { log, files, addSecret } = openLogFile({ folder, now, echo: () => undefined })
    addSecret('plain')
    log.info('connection-checked', { error: new Error('refused plain') })
    expect(readFileSync(files()[0] ?? '', 'utf8')).not.toContain('refused plain')
  })

  test('grows to its limit, keeps its limit of older files, and begins again', () => {
    const folder = temporaryFolder()
    const limits = { bytes: 2_000, files: 3 }
    const { log, files } = openLogFile({ folder, now, echo: () => undefined, limits })
    for (let count = 0; count < 500; count++) log.info(`event-${String(count)}`, { count })
    expect(files().map((file) => basename(file))).toEqual(['till.log', 'till.1.log', 'till.2.log'])
    for (const file of files()) expect(statSync(file).size).toBeLessThan(limits.bytes + 200)
    const all = files().toReversed().flatMap(eventsIn)
    expect(all.at(-1)).toBe('event-499')
    // One after the other, none between them lost.
    const first = 500 - all.length
    expect(all).toEqual(
      Array.from({ length: all.length }, (_none, index) => `event-${String(first + index)}`)
    )
  })

  test('goes on where there was a log before', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'till.log'), '{"event":"before"}\n')
    const { log, files } = openLogFile({ folder, now, echo: () => undefined })
    log.info('after')
    expect(eventsIn(files()[0] ?? '')).toEqual(['before', 'after'])
  })

  test('never throws, whatever the disk does', () => {
    const folder = join(temporaryFolder(), 'a-file')
    writeFileSync(folder, '')
    const echoed: string[] = []
    const { log, files } = openLogFile({ folder, now, echo: (line) => echoed.push(line) })
    log.error('nowhere')
    expect(echoed).toHaveLength(1)
    expect(files()).toEqual([])
  })
})

const line = createEntryFormatter(
  () => new Date('2026-11-21T12:05:33.000Z'),
  () => ['demo-secret']
)
const read = (details: LogDetails): Record<string, unknown> =>
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
          expect(JSON.parse(line('debug', 'anything', details as LogDetails))).toMatchObject({})
        }
      )
    )
  })
})
