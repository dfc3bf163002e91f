/** Damaged and hand-edited settings files in a real folder. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Settings, type StoredSettings } from '../../electron/main/settings/index.ts'
import { DEFAULT_SETTINGS } from '../../electron/main/settings/settings-schema.ts'
import { account } from '../unit/main/loyalty/samples.ts'
import { hostileJson, mangled, mutationsOf } from './hostile.ts'
import { runs, SEEDS } from './runs.ts'
import { expectPrototypesUnchanged, watchForUnhandledErrors } from './no-side-effects.ts'

watchForUnhandledErrors()

const NOW = new Date('2026-03-04T05:06:07.089Z')
const KEPT_AS = 'settings.damaged-2026-03-04T05-06-07-089Z.json'
const TOKEN = { ciphertext: 'c2VhbGVkIHRva2Vu', weak: false }
const VALID: StoredSettings = {
  ...DEFAULT_SETTINGS,
  mode: 'business',
  baseUrl: 'https://points.example/api/',
  token: TOKEN,
  country: 'GR',
  pointsRule: { pointsPerUnit: '0.5', rounding: 'down', minimum: '0', currency: 'EUR' },
  business: account
}

let folder: string
let file: string
beforeEach(() => {
  vi.setSystemTime(NOW)
  folder = mkdtempSync(join(tmpdir(), 'tillpoints-settings-'))
  file = join(folder, 'settings.json')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const openSettings = () => new Settings(folder)

/** Opens the settings, changes one, and checks that the next start reads what this one wrote. */
function openChangeAndReopen() {
  const settings = openSettings()
  expect(settings.kept).toBe(true)
  settings.update({ country: 'FR' })
  const again = openSettings()
  expect({ ...again.values }).toEqual({ ...settings.values })
  expect(again.quarantinedAs).toBeNull()
  return settings
}

const json = mutationsOf(VALID, hostileJson).map((value) => Buffer.from(JSON.stringify(value)))
const settingsFile = json.chain((bytes) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(bytes) }, { weight: 1, arbitrary: mangled(bytes) })
)

describe.each(SEEDS)('with %s', (_name, seed) => {
  it('opens any file or quarantines it; a readable token is never lost without a notice', () => {
    fc.assert(
      fc.property(settingsFile, (bytes) => {
        rmSync(join(folder, KEPT_AS), { force: true, recursive: true })
        writeFileSync(file, bytes)
        const settings = openChangeAndReopen()
        const kept =
          settings.quarantinedAs === null ? null : readFileSync(join(folder, settings.quarantinedAs))
        // A file that could not be read completely was renamed, and the till shows a notice.
        if (kept !== null) expect(kept.equals(bytes)).toBe(true)
        // The token is kept unless nothing in the file could be used.
        if (kept === null || settings.isPartlyRead) {
          const text = new TextDecoder().decode(bytes)
          const { token = null } = JSON.parse(text) as Partial<StoredSettings>
          // Other fields beside these two are dropped.
          expect(settings.values.token).toEqual(token && { ciphertext: token.ciphertext, weak: token.weak })
        } else expect(settings.values).toEqual({ ...DEFAULT_SETTINGS, country: 'FR' })
      }),
      { seed, numRuns: runs(1000, 150) }
    )
    expectPrototypesUnchanged()
  })
})

describe('a settings file that is replaced by', () => {
  it.each<[string, () => void]>([
    ['a folder', () => mkdirSync(file)],
    ['a folder with something in it', () => mkdirSync(join(file, 'more'), { recursive: true })],
    ['a link to nowhere', () => symlinkSync(join(folder, 'nowhere', 'settings.json'), file)],
    ['a link to itself', () => symlinkSync(file, file)],
    ['nothing but zeros', () => writeFileSync(file, Buffer.alloc(4096))],
    ['half a gigabyte of nothing', () => { writeFileSync(file, ''); truncateSync(file, 512 * 1024 * 1024) }] // prettier-ignore
  ])('%s: the till opens, keeps it, and writes its settings', (_name, put) => {
    put()
    openChangeAndReopen()
    expect(existsSync(file)).toBe(true)
    expect(readdirSync(folder).length).toBeGreaterThan(0)
  })
})
