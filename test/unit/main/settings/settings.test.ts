import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { UnreadableFileError } from '../../../../electron/main/fs/atomic-write.ts'
import { Settings } from '../../../../electron/main/settings/index.ts'
import { DEFAULT_SETTINGS } from '../../../../electron/main/settings/settings-schema.ts'
import { readOnly } from '../../../support/read-only.ts'
import { parseSettings } from '../../../../electron/main/settings/settings-schema.ts'

const NOW = new Date('2026-03-04T05:06:07.089Z')
const KEPT_AS = 'settings.damaged-2026-03-04T05-06-07-089Z.json'
const TOKEN = { ciphertext: 'c2VhbGVkIHRva2Vu', weak: false }
const openSettings = (at: string) => new Settings(at)

let folder: string

beforeEach(() => {
  vi.setSystemTime(NOW)
  folder = mkdtempSync(join(tmpdir(), 'tillpoints-settings-'))
})

afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

describe('settings', () => {
  it('have the defaults in a new folder', () => {
    const settings = openSettings(join(folder, 'new/till'))
    expect(settings.values.mode).toBe('onboarding')
    expect(settings.values.language).toBeNull()
    expect(settings.kept).toBe(true)
  })

  it('are restored at the next start', () => {
    openSettings(folder).update({ country: 'GR', mode: 'training' })
    const { country, mode } = openSettings(folder).values
    expect({ country, mode }).toEqual({ country: 'GR', mode: 'training' })
  })

  it('are readable for the owner only', () => {
    openSettings(folder).update({ country: 'GR' })
    // Windows has no modes: there the user's profile folder protects the file, and 666 means "writable".
    const expected = process.platform === 'win32' ? '666' : '600'
    expect((statSync(join(folder, 'settings.json')).mode & 0o777).toString(8)).toBe(expected)
  })

  it.each(['{"mode": "busi', '[]', 'null', '{"mode": 7}', ''])(
    'are quarantined if the file contains %s',
    (text) => {
      writeFileSync(join(folder, 'settings.json'), text)
      const settings = openSettings(folder)
      expect(settings.quarantinedAs).toEqual(KEPT_AS)
      expect(settings.values.mode).toBe('onboarding')
      expect(readFileSync(join(folder, settings.quarantinedAs ?? ''), 'utf8')).toBe(text)
    }
  )

  it.each([
    ['a country that is none', { country: 'Greece' }],
    ['a printer of another kind', { printer: { destination: { kind: 'fax' }, paperSize: '80mm' } }],
    ['several of them', { copies: 0, theme: 'blue', lockAfterMinutes: 'soon' }],
    ['a profile without an id', { business: { name: 'Shop' } }]
  ])('keep all but %s, and the file as it was', (_what, unreadable) => {
    const good = {
      mode: 'business',
      baseUrl: 'https://points.example/api/',
      token: TOKEN,
      slipLanguage: 'el'
    }
    const text = JSON.stringify({ ...good, ...unreadable })
    writeFileSync(join(folder, 'settings.json'), text)
    const settings = openSettings(folder)
    expect(settings).toMatchObject({ isPartlyRead: true, quarantinedAs: KEPT_AS })
    const defaults = Object.fromEntries(
      Object.keys(unreadable).map((name) => [name, Reflect.get(DEFAULT_SETTINGS, name)])
    )
    expect(settings.values).toMatchObject({ ...good, ...defaults })
    expect(readFileSync(join(folder, KEPT_AS), 'utf8')).toBe(text)
    // The next start finds nothing wrong any more.
    expect(openSettings(folder)).toMatchObject({
      isPartlyRead: false,
      quarantinedAs: null,
      values: settings.values
    })
  })

  it.each([
    ['who may use the till', { staff: { managerPin: 'none' } }],
    ['whose the token is', { token: 'plain' }],
    ['where it may go', { baseUrl: 7 }]
  ])('are quarantined with the token without %s', (_what, unreadable) => {
    const good = { mode: 'business', baseUrl: 'https://points.example/api/', token: TOKEN }
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...good, ...unreadable }))
    const settings = openSettings(folder)
    expect(settings).toMatchObject({ isPartlyRead: false, quarantinedAs: KEPT_AS })
    expect(settings.values.mode).toBe('onboarding')
    expect(settings.values.token).toBeNull()
  })

  it('ignore unknown settings of a newer till', () => {
    writeFileSync(join(folder, 'settings.json'), '{"mode": "training", "colour": "green"}')
    const settings = openSettings(folder)
    expect(settings.quarantinedAs).toBeNull()
    expect(settings.values.mode).toBe('training')
  })
})

it('gives the cashiers of an earlier version numbers that no removed one had', () => {
  const cashiers = [
    { id: 'a', name: 'Ana', pin: null },
    { id: 'b', name: 'Ben', pin: null, number: 4 },
    { id: 'c', name: 'Eva', pin: null }
  ]
  const staff = parseSettings({ staff: { cashiers, lastCashierNumber: 6 } })?.values.staff
  expect(staff?.cashiers.map(({ name, number }) => [name, number])).toEqual([
    ['Ana', 7],
    ['Ben', 4],
    ['Eva', 8]
  ])
  expect(staff?.lastCashierNumber).toBe(8)
})

describe('a PIN hash of the settings', () => {
  const pin = { salt: 'c2FsdA==', key: 'a2V5', cost: 2 ** 15, blockSize: 8, parallelization: 1 }
  const withPin = (managerPin: object) => parseSettings({ staff: { managerPin } })

  it.each([{ cost: 2 ** 20 }, { blockSize: 32 }, { parallelization: 16 }])(
    'that asks scrypt for gigabytes (%j) is invalid',
    (parameters) => {
      expect(withPin(pin)?.values.staff.managerPin).toEqual(pin)
      expect(withPin({ ...pin, ...parameters })).toBeUndefined()
    }
  )
})

describe('settings in a folder that cannot be written', () => {
  it('last until the till quits, and count as not saved', async () => {
    openSettings(folder).update({ country: 'GR' })
    await readOnly(folder, () => {
      const settings = openSettings(folder)
      settings.update({ country: 'FR' })
      expect(settings.values.country).toBe('FR')
      expect(settings.kept).toBe(false)
    })
    expect(openSettings(folder).values.country).toBe('GR')
  })

  it('do not rename a damaged file', async () => {
    writeFileSync(join(folder, 'settings.json'), 'damaged')
    await readOnly(folder, () => {
      const settings = openSettings(folder)
      expect(settings.quarantinedAs).toBe('settings.json')
      expect(settings.values.mode).toBe('onboarding')
    })
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })
})

/**
 * Makes the first reads and renames of the settings file fail, as a program of Windows that has it open does. Returns a
 * function that ends this.
 */
function hold(code: string, { reads = 0, renames = 0 }: { reads?: number; renames?: number }): () => void {
  const { readFileSync: read, renameSync: rename } = fs
  const left = { reads, renames }
  const fail = (path: fs.PathOrFileDescriptor, kind: keyof typeof left): void => {
    if (path === join(folder, 'settings.json') && left[kind]-- > 0)
      throw Object.assign(new Error(`${code}: ${path}`), { code })
  }
  fs.readFileSync = ((...args: Parameters<typeof read>) => {
    fail(args[0], 'reads')
    return read(...args)
  }) as typeof read
  fs.renameSync = (from, to) => {
    fail(from.toString(), 'renames')
    rename(from, to)
  }
  syncBuiltinESMExports()
  const wait = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out')
  const release = (): void => {
    wait.mockRestore()
    fs.readFileSync = read
    fs.renameSync = rename
    syncBuiltinESMExports()
  }
  onTestFinished(release)
  return release
}

describe('a settings file that another program has open', () => {
  const contentOf = (name: string): string => readFileSync(join(folder, name), 'utf8')

  it.each(['EBUSY', 'EPERM', 'EACCES'])('is read as soon as it can be read (%s)', (code) => {
    openSettings(folder).update({ token: TOKEN, country: 'GR' })
    hold(code, { reads: 2 })
    expect(openSettings(folder)).toMatchObject({
      quarantinedAs: null,
      values: { token: TOKEN, country: 'GR' }
    })
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it.each(['EBUSY', 'EPERM', 'EACCES', 'EIO'])(
    'keeps the till from starting with the defaults (%s)',
    (code) => {
      openSettings(folder).update({ token: TOKEN })
      const before = contentOf('settings.json')
      const release = hold(code, { reads: 100 })
      const reason = expect.objectContaining({ code }) as unknown
      const error = { file: join(folder, 'settings.json'), cause: reason }
      expect(() => openSettings(folder)).toThrow(UnreadableFileError)
      expect(() => openSettings(folder)).toThrow(expect.objectContaining(error))
      release()
      expect(readdirSync(folder)).toEqual(['settings.json'])
      expect(contentOf('settings.json')).toBe(before)
    }
  )

  it.each([
    ['damaged', 'onboarding'],
    ['{"mode": "training", "country": "Greece"}', 'training']
  ])('is not overwritten if it is damaged and cannot be renamed: %s', (text, mode) => {
    writeFileSync(join(folder, 'settings.json'), text)
    hold('EBUSY', { renames: 100 })
    const settings = openSettings(folder)
    settings.update({ country: 'FR' })
    expect(settings).toMatchObject({
      quarantinedAs: 'settings.json',
      kept: false,
      values: { mode, country: 'FR' }
    })
    expect(readdirSync(folder)).toEqual(['settings.json'])
    expect(contentOf('settings.json')).toBe(text)
  })
})
