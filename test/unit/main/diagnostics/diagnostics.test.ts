import { unzipSync } from 'fflate'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { PAPER_SIZES } from '../../../../electron/contract/paper.ts'
import type { Printer } from '../../../../electron/contract/printing.ts'
import {
  createArchive,
  type DiagnosticsDependencies,
  DiagnosticsService,
  redactSettings
} from '../../../../electron/main/diagnostics/diagnostics.ts'
import { redact } from '../../../../electron/main/log/redact.ts'
import { DEFAULT_SETTINGS } from '../../../../electron/main/settings/settings-schema.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const versions = { till: '0.1.0', electron: '45.4.1', chromium: '154.0.8001.20', node: '24.21.0' }
const platform = { system: 'win32', release: '10.0.22631', architecture: 'x64', locale: 'el-GR' }
const printer: Printer = {
  kind: 'queue',
  name: 'Receipts',
  description: 'call +30 690 000 0125',
  state: { kind: 'hindered', fault: 'out-of-paper' },
  isDefault: true,
  isRaw: false,
  offered: { papers: PAPER_SIZES, sizes: [] },
  reportsDeletedJobs: true,
  deviceUri: ''
}

/** Names, phones, e-mails, tokens and codes, as they would stand in what diagnostics are made of. */
const PERSONAL = [
  'secret-token',
  'Μαρία',
  'Corner Café',
  '690 000 0125',
  'maria@shop.example',
  'Ermou 12',
  'CODE-77'
]

const settings = {
  ...DEFAULT_SETTINGS,
  baseUrl: 'https://secret-token@loyalty.example/api',
  token: { ciphertext: 'c2VjcmV0LXRva2Vu', weak: false },
  business: { name: 'Corner Café', address: { street: 'Ermou 12' } },
  slip: { ...DEFAULT_SETTINGS.slip, footer: 'Ask Μαρία, maria@shop.example' }
}

function desk(changes: Partial<DiagnosticsDependencies> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'diagnostics-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  writeFileSync(
    join(logs, 'till.log'),
    [
      '{"time":"2026-11-21T12:00:00.000Z","level":"info","event":"slip-printed"}',
      '{"time":"2026-11-21T12:00:01.000Z","level":"error","event":"slip-file-not-written","path":"/slips/CODE-77.pdf"}',
      'half a li',
      '{"time":"2026-11-21T12:00:02.000Z","level":"warn","event":"odd","said":"secret-token of maria@shop.example"}'
    ].join('\n')
  )
  writeFileSync(
    join(logs, 'till.1.log'),
    '{"time":"2026-11-20T12:00:00.000Z","level":"error","event":"older"}\n'
  )
  const diagnostics = new DiagnosticsService({
    versions,
    platform,
    printing: { list: () => Promise.resolve(ok([printer])) },
    slips: { get: () => Promise.resolve(err({ kind: 'not-saved', what: 'journal' })) },
    settings: { values: settings },
    languages: { screen: 'en' },
    log: {
      ...noOpLogger,
      files: () => [join(logs, 'till.log'), join(logs, 'till.1.log'), join(logs, 'gone.log')],
      redact: (text) => redact(text, ['secret-token'])
    },
    ...changes
  })
  return { diagnostics, folder }
}

const contents = (file: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(readFileSync(file))).map(([name, bytes]) => [
      name,
      new TextDecoder().decode(bytes)
    ])
  )

describe('diagnostics', () => {
  test('contain versions, printers and the newest logged errors, redacted', async () => {
    const { diagnostics } = desk()
    const answer = await diagnostics.read()
    expect(answer).toMatchObject({
      ok: true,
      value: {
        versions,
        platform,
        printers: { kind: 'listed', printers: [{ name: 'Receipts', description: 'call [phone]' }] },
        loggedErrors: [{ event: 'odd' }, { event: 'slip-file-not-written' }, { event: 'older' }]
      }
    })
    for (const personal of PERSONAL) expect(JSON.stringify(answer)).not.toContain(personal)
  })

  test('contain the failure if the printers cannot be listed', async () => {
    const none: Result<never> = err({ kind: 'not-printed', fault: 'print-system-down', mayStillPrint: false })
    const { diagnostics } = desk({ printing: { list: () => Promise.resolve(none) } })
    expect(await diagnostics.read()).toMatchObject({
      value: { printers: { kind: 'not-listed', failure: { fault: 'print-system-down' } } }
    })
  })

  test('are saved as a zip with the logs, and hold nothing personal in any of its files', async () => {
    const { diagnostics, folder } = desk()
    const file = join(folder, 'saved.zip')
    expect(await diagnostics.saveTo(file)).toEqual(ok(null))
    const files = contents(file)
    expect(Object.keys(files).toSorted()).toEqual([
      'README.txt',
      'about.json',
      'logs/till.1.log',
      'logs/till.log',
      'settings.json'
    ])
    expect(JSON.parse(files['about.json'] ?? '')).toMatchObject({ versions, platform })
    expect(JSON.parse(files['settings.json'] ?? '')).toMatchObject({
      token: 'set',
      business: 'set',
      copies: 1
    })
    for (const text of Object.values(files)) {
      for (const personal of [...PERSONAL, 'c2VjcmV0LXRva2Vu', 'loyalty.example'])
        expect(text).not.toContain(personal)
    }
  })

  test('are redacted line by line, while main does other work', async () => {
    const lines = 3000
    /** the event loop's rounds in which lines were redacted */
    const rounds = new Set<number>()
    let round = 0
    const count = (): void => {
      round++
      immediate = setImmediate(count)
    }
    let immediate = setImmediate(count)
    onTestFinished(() => clearImmediate(immediate))
    const redactLine = vi.fn((text: string) => {
      rounds.add(round)
      return text
    })
    const folder = mkdtempSync(join(tmpdir(), 'diagnostics-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'till.log')
    writeFileSync(file, 'a line\n'.repeat(lines))
    await createArchive(
      { about: {}, settings: {}, language: 'en' },
      { files: () => [file], redact: redactLine }
    )
    expect(Math.max(...redactLine.mock.calls.map(([text]) => text.length))).toBe('a line'.length)
    expect(rounds.size).toBeGreaterThan(lines / 200)
  })

  test('explain the files in the language of the till', async () => {
    const { diagnostics, folder } = desk({ languages: { screen: 'de' } })
    const file = join(folder, 'saved.zip')
    await diagnostics.saveTo(file)
    const readMe = contents(file)['README.txt']
    expect(readMe).toContain('Diagnose einer Kasse.')
    expect(readMe).toContain('settings.json: die Einstellungen')
  })

  test('leave no file behind where the disk takes none', async () => {
    const { diagnostics, folder } = desk()
    mkdirSync(join(folder, 'taken.zip'))
    expect(await diagnostics.saveTo(join(folder, 'taken.zip'))).toEqual(
      err({ kind: 'not-saved', what: 'export' })
    )
    expect(await diagnostics.saveTo(join(folder, 'gone', 'x.zip'))).toMatchObject({ ok: false })
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(existsSync(join(folder, 'gone'))).toBe(false)
  })
})

describe('redactSettings', () => {
  test('keeps choices, switches and numbers, and reduces typed texts to whether they are set', () => {
    expect(redactSettings(settings)).toMatchObject({
      mode: 'onboarding',
      language: 'not set',
      country: 'not set',
      baseUrl: 'set',
      printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
      slip: { footer: 'set', logo: true }
    })
    expect(redactSettings({ aNewOne: 'whatever', list: ['Μαρία'] })).toEqual({
      aNewOne: 'set',
      list: '1 items'
    })
  })
})
