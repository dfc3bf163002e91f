import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FileLogger, formatEntry, type LogDetails, type LogLevel } from '../../../../electron/main/log/log.ts'
import { PROJECT } from '../../../../resources/scripts/tools.ts'

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const eventsIn = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: unknown }).event)

describe('FileLogger', () => {
  test('writes one line per event, readable by the owner only, and echoes errors and warnings', () => {
    const folder = join(temporaryFolder(), 'logs')
    const echoed: string[] = []
    const log = new FileLogger({ folder, echo: (line) => echoed.push(line) })
    log.info('till-started')
    log.debug('looked')
    log.warn('printer-slow')
    log.error('journal-not-written', { error: new Error('disk') })
    const [file = ''] = log.files()
    expect(eventsIn(file)).toEqual(['till-started', 'looked', 'printer-slow', 'journal-not-written'])
    expect(echoed.map((line) => (JSON.parse(line) as { event: unknown }).event)).toEqual([
      'printer-slow',
      'journal-not-written'
    ])
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('writes when the program was started outside the folder of the app', () => {
    const folder = temporaryFolder()
    const module = pathToFileURL(join(PROJECT, 'electron/main/log/log.ts')).href
    const script = `
      const { FileLogger } = await import(${JSON.stringify(module)})
      new FileLogger({ folder: ${JSON.stringify(folder)}, echo() {} }).info('till-started')`
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })
    expect(eventsIn(join(folder, 'till.log'))).toEqual(['till-started'])
  })

  test('redacts a token that was added as a secret', () => {
    const folder = temporaryFolder()
    const log = new FileLogger({ folder, echo: () => undefined })
    log.addSecret('plain')
    log.info('connection-checked', { error: new Error('refused plain') })
    expect(readFileSync(log.files()[0] ?? '', 'utf8')).not.toContain('refused plain')
  })

  test('rotates at the size limit and keeps the configured number of files', () => {
    const folder = temporaryFolder()
    const limits = { bytes: 2_000, files: 3 }
    const log = new FileLogger({ folder, echo: () => undefined, limits })
    for (let count = 0; count < 500; count++) log.info(`event-${String(count)}`, { count })
    expect(log.files().map((file) => basename(file))).toEqual(['till.log', 'till.1.log', 'till.2.log'])
    for (const file of log.files()) expect(statSync(file).size).toBeLessThan(limits.bytes + 200)
    const all = log.files().toReversed().flatMap(eventsIn)
    expect(all.at(-1)).toBe('event-499')
    // Consecutive events: none is lost in a rotation.
    const first = 500 - all.length
    expect(all).toEqual(
      Array.from({ length: all.length }, (_none, index) => `event-${String(first + index)}`)
    )
  })

  test('appends to an existing log', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'till.log'), '{"event":"before"}\n')
    const log = new FileLogger({ folder, echo: () => undefined })
    log.info('after')
    expect(eventsIn(log.files()[0] ?? '')).toEqual(['before', 'after'])
  })

  test('does not throw when the folder cannot be created', () => {
    const folder = join(temporaryFolder(), 'a-file')
    writeFileSync(folder, '')
    const echoed: string[] = []
    const log = new FileLogger({ folder, echo: (line) => echoed.push(line) })
    log.error('nowhere')
    expect(echoed).toHaveLength(1)
    expect(log.files()).toEqual([])
  })
})

const line = (level: LogLevel, event: string, details: LogDetails): string =>
  formatEntry(new Date('2026-11-21T12:05:33.000Z'), level, event, details, ['demo-secret'])
const read = (details: LogDetails): Record<string, unknown> =>
  JSON.parse(line('error', 'something-failed', details)) as Record<string, unknown>

describe('formatEntry', () => {
  test('returns one line of JSON with time, level and event', () => {
    const written = line('info', 'slip-printed', { intentId: 'x', points: 250, text: 'two\nlines' })
    expect(written).not.toContain('\n')
    expect(written).toBe(
      '{"time":"2026-11-21T12:05:33.000Z","level":"info","event":"slip-printed","intentId":"x","points":250,"text":"two\\nlines"}'
    )
  })

  test('includes the causes of an error and redacts messages and stacks', () => {
    const inner = new TypeError('fetch failed for https://a.example/?token=abc of +30 690 000 0125')
    const middle = new AggregateError([inner, new Error('Bearer demo-secret')], 'maria@shop.example')
    const outer = Object.assign(new Error('demo-secret', { cause: middle }), { code: 'EFAIL' })
    outer.stack = `Error: demo-secret\n    at send (file:///a.js?demo-secret:1:2)\n    at +30 690 000 0125`
    const written = JSON.stringify(read({ error: outer }))
    expect(written).toContain('EFAIL')
    expect(written).toContain('TypeError')
    for (const secret of ['demo-secret', '690', 'maria', 'abc']) expect(written).not.toContain(secret)
  })

  test('omits personal values by their keys', () => {
    expect(
      read({ customer: { id: '1', name: 'Maria' }, row: { customer_name: 'Maria', phone: 306900000125 } })
    ).toMatchObject({
      customer: '[left out]',
      row: { customer_name: '[left out]', phone: '[left out]' }
    })
  })

  test('handles circular, long, deep and unreadable values', () => {
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
