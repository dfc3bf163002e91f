import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, buildBinary, parse, type PlistValue } from 'plist'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Failure } from '../../../../electron/contract/failure.ts'
import type { Notice } from '../../../../electron/contract/till.ts'
import { managedRefusal, managedTill, parsePolicy } from '../../../../electron/main/policy/policy.ts'
import { installedPolicies, PolicyReader } from '../../../../electron/main/policy/policy-reader.ts'
import { DEFAULT_TILL_SETTINGS, SETTINGS } from '../../../../electron/contract/settings.ts'
import { formatPinHash, hashPin, matchesPin } from '../../../../electron/main/staff/pin.ts'
import { Settings } from '../../../../electron/main/settings/index.ts'
import { APP_ID } from '../../../../resources/packaging/electron-builder.config.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const START = '2026-11-24T08:00:00.000Z'
/** Who runs the tests owns the files that they write. */
const ADMINISTRATOR = process.getuid?.() ?? 0

let folder: string
let file: string
let preference: string | null
let settings: Settings
let reader: PolicyReader

const openTill = (administrator = ADMINISTRATOR): void => {
  vi.setSystemTime(START)
  onTestFinished(() => void vi.useRealTimers())
  settings = new Settings(join(folder, 'till'))
  reader = new PolicyReader({
    sources: installedPolicies({ policy: file, managedPreference: preference, administrator }, 'linux', {}),
    settings,
    log: noOpLogger
  })
}

const write = (policy: unknown, name = file): void =>
  writeFileSync(name, typeof policy === 'string' ? policy : JSON.stringify(policy, null, 2), { mode: 0o644 })

/** Returns the notices of the policy as it is read now. */
async function read(): Promise<readonly Notice[]> {
  await reader.read()
  let found: readonly Notice[] = []
  reader.start((notices) => (found = notices))
  reader.close()
  return found
}

const refusal = (group: string, call: string, input: unknown): Failure | null =>
  managedRefusal(settings.values, group, call, input)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'policy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'etc'), { mode: 0o755 })
  file = join(folder, 'etc', 'policy.json')
  preference = null
  openTill()
})

describe('a policy', () => {
  it('locks settings, presets others, and says what it manages', async () => {
    write({
      managedBy: 'Example IT',
      locked: {
        language: 'de',
        slip: { footer: 'Danke' },
        service: { address: 'https://points.example/api' }
      },
      default: { theme: 'dark', slip: { tillName: '1' } }
    })
    expect(await read()).toEqual([])
    const { language, slip, theme } = settings.values
    expect({ language, slip, theme }).toMatchObject({
      language: 'de',
      slip: { footer: 'Danke', tillName: '1', logo: true },
      theme: 'dark'
    })
    expect(managedTill(settings.values.policy)).toEqual({
      managedBy: 'Example IT',
      sources: [file],
      since: START,
      locked: ['service.address', 'language', 'slip.footer'],
      defaults: ['slip.tillName', 'theme'],
      serviceAddress: 'https://points.example/api/'
    })
  })

  it('leaves what somebody changed at the till, and the till’s own value below a lock', async () => {
    settings.update({ theme: 'light', copies: 2 })
    write({ locked: { copies: 3 }, default: { theme: 'dark', numberPad: 'shown' } })
    await read()
    expect(settings.values).toMatchObject({ theme: 'light', copies: 3, numberPad: 'shown' })
    // A form sends its group whole.
    settings.update({ copies: 4 })
    expect(settings.values.copies).toBe(3)
    rmSync(file)
    await read()
    expect(settings.values).toMatchObject({ theme: 'light', copies: 2, numberPad: 'auto', policy: null })
  })

  it('changes a preset that nobody touched, also after a restart', async () => {
    write({ default: { theme: 'dark' } })
    await read()
    openTill()
    write({ default: { theme: 'light' } })
    await read()
    expect(settings.values.theme).toBe('light')
  })

  it('keeps its time while it says the same', async () => {
    write({ locked: { copies: 2 } })
    await read()
    const { policy } = settings.values
    settings.applyPolicy(policy && { ...policy, since: '2027-01-01T00:00:00.000Z' })
    expect(settings.values.policy?.since).toBe(START)
  })

  it('takes the name of a queue for a printer', async () => {
    write({ locked: { printer: { destination: 'Receipt', paperSize: '58mm' } } })
    expect(await read()).toEqual([])
    expect(settings.values.printer).toEqual({
      destination: { kind: 'queue', name: 'Receipt' },
      paperSize: '58mm'
    })
  })

  it.each([
    ['an unknown value', { theme: 'blue' }, 'locked.theme', 4],
    ['an unknown setting', { thema: 'dark' }, 'locked.thema', 4],
    ['a value where a group belongs', { slip: 'Thanks' }, 'locked.slip', 4],
    ['an unknown setting of a group', { slip: { foot: 'Thanks' } }, 'locked.slip.foot', 5],
    [
      'an address without encryption',
      { service: { address: 'http://points.example' } },
      'locked.service.address',
      5
    ],
    ['text instead of a number', { copies: '2' }, 'locked.copies', 4],
    ['a name of JavaScript’s objects', { constructor: { name: 'x' } }, 'locked.constructor', 4]
  ])('names the line of %s, and leaves the rest in force', async (_what, locked, name, line) => {
    write({ default: {}, locked: { ...locked, language: 'fr' } })
    expect(await read()).toEqual([{ kind: 'policy-mistakes', file, name, line }])
    expect(settings.values.language).toBe('fr')
    const text = JSON.stringify({ default: {}, locked: { ...locked, language: 'fr' } }, null, 2).split('\n')
    expect(text[line - 1]).toContain(`"${name.split('.').at(-1)}"`)
  })

  it.each([['[]'], ['null'], ['"text"'], ['{ "locked": [] }'], ['{ "lock": {} }']])(
    'with the content %s has a mistake',
    async (content) => {
      write(content)
      expect(await read()).toMatchObject([{ kind: 'policy-mistakes' }])
    }
  )
})

it('of a thousand unknown names has one notice, few lines of the log, and its other values', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`name${index}`, index]))
  write({ locked: { ...unknown, copies: 2 }, ...unknown })
  const warn = vi.spyOn(noOpLogger, 'warn')
  onTestFinished(() => warn.mockRestore())
  expect(await read()).toHaveLength(1)
  expect(settings.values.copies).toBe(2)
  expect(warn).toHaveBeenCalledTimes(20)
})

describe('a file that is half-written', () => {
  const whole = JSON.stringify({ locked: { copies: 2 }, default: { theme: 'dark' } }, null, 2)

  it.each([0, 1, 12, 20, whole.length - 1])(
    'leaves the last good one in force: cut after %i letters',
    async (length) => {
      write(whole)
      await read()
      write(whole.slice(0, length))
      expect(await read()).toMatchObject([{ kind: 'policy-broken', file }])
      expect(settings.values).toMatchObject({ copies: 2, theme: 'dark' })
    }
  )

  it('leaves it in force at the next start, too', async () => {
    write(whole)
    await read()
    write(whole.slice(0, 20))
    openTill()
    expect(settings.values.copies).toBe(2)
    expect(await read()).toMatchObject([{ kind: 'policy-broken', file, line: 3 }])
    expect(refusal('till', 'set', { copies: 1 })).toEqual({ kind: 'managed' })
  })

  it('manages nothing where none was read before', async () => {
    write('{')
    expect(await read()).toMatchObject([{ kind: 'policy-broken', line: 1 }])
    expect(settings.values.policy).toBeNull()
  })
})

it.runIf(process.platform === 'linux')('that nobody can read now stays in force', async () => {
  write({ locked: { copies: 2 } })
  await read()
  rmSync(file)
  symlinkSync('/proc/self/mem', file)
  expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'unreadable' }])
  expect(settings.values.copies).toBe(2)
  openTill()
  await read()
  expect(settings.values.copies).toBe(2)
})

describe.runIf(process.platform !== 'win32')('a file that others can change', () => {
  it.each([
    ['its group', 0o664],
    ['everybody', 0o646]
  ])('is ignored: writable by %s', async (_who, mode) => {
    write({ locked: { copies: 2 } })
    chmodSync(file, mode)
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'writable' }])
    expect(settings.values).toMatchObject({ copies: 1, policy: null })
  })

  it('is ignored in a folder in which others can replace it', async () => {
    write({ locked: { copies: 2 } })
    chmodSync(join(folder, 'etc'), 0o777)
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'writable' }])
  })

  it.runIf(ADMINISTRATOR === 0)('is ignored when it belongs to somebody else', async () => {
    write({ locked: { copies: 2 } })
    chownSync(file, 12_345, 0)
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'owner' }])
    chownSync(file, 0, 0)
    chownSync(join(folder, 'etc'), 12_345, 0)
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'owner' }])
  })

  it('is ignored behind a link of theirs', async () => {
    openTill(ADMINISTRATOR + 1)
    const elsewhere = join(folder, 'elsewhere.json')
    write({ locked: { copies: 2 } }, elsewhere)
    symlinkSync(elsewhere, file)
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'owner' }])
  })

  it('ends what it managed before', async () => {
    write({ locked: { copies: 2 } })
    await read()
    chmodSync(file, 0o666)
    await read()
    expect(settings.values).toMatchObject({ copies: 1, policy: null })
  })

  it('is ignored when it is a pipe, a link to itself, a folder or huge', async () => {
    execFileSync('mkfifo', [file])
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'unreadable' }])
    rmSync(file)
    symlinkSync(file, file)
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'unreadable' }])
    rmSync(file)
    mkdirSync(file)
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'unreadable' }])
    rmSync(file, { recursive: true })
    write(`{}${' '.repeat(10 * 1024 * 1024)}`)
    expect(await read()).toEqual([{ kind: 'policy-ignored', file, reason: 'unreadable' }])
  })

  it('replaced by a pipe while it is in force, ends it', async () => {
    write({ locked: { copies: 2 } })
    await read()
    expect(settings.values.copies).toBe(2)
    rmSync(file)
    execFileSync('mkfifo', [file])
    await read()
    expect(settings.values).toMatchObject({ copies: 1, policy: null })
  })
})

describe('a managed preference of macOS', () => {
  const written = {
    managedBy: 'Example IT',
    locked: {
      copies: 3,
      slip: { footer: 'Grüße', logo: false },
      service: { address: 'https://points.example' }
    },
    default: { slipLanguage: 'null', lockAfterMinutes: '15', updateRing: 'null', tourSeen: true },
    PayloadUUID: '6E0F2A0C'
  }
  const formats = [
    ['binary', (content: PlistValue) => Buffer.from(buildBinary(content))],
    ['XML', (content: PlistValue) => Buffer.from(build(content))]
  ] as const

  beforeEach(() => {
    preference = join(folder, 'etc', 'app.tillpoints.till.plist')
    openTill()
  })

  const writeBytes = (bytes: Buffer | string): void => writeFileSync(preference ?? '', bytes, { mode: 0o644 })

  describe.each(formats)('%s', (_name, build) => {
    it('sets the till up, and comes before the file', async () => {
      write({ managedBy: 'Nobody', locked: { copies: 2 }, default: { theme: 'dark' } })
      writeBytes(build(written))
      expect(await read()).toEqual([])
      expect(settings.values).toMatchObject({
        copies: 3,
        theme: 'dark',
        slip: { footer: 'Grüße', logo: false },
        slipLanguage: null,
        lockAfterMinutes: 15,
        updateRing: null,
        tourSeen: true
      })
      expect(managedTill(settings.values.policy)).toMatchObject({
        managedBy: 'Example IT',
        sources: [preference, file],
        serviceAddress: 'https://points.example/'
      })
    })

    it('half-written, leaves the last good one in force', async () => {
      const whole = build(written)
      for (const length of [0, 1, 6, 20, whole.length >> 1, whole.length - 2]) {
        writeBytes(whole)
        await read()
        writeBytes(whole.subarray(0, length))
        expect(await read(), String(length)).toEqual([
          { kind: 'policy-ignored', file: preference, reason: 'unreadable' }
        ])
        expect(settings.values.copies).toBe(3)
      }
    })

    it('with a mistake, leaves the rest in force', async () => {
      writeBytes(build({ locked: { copies: 3, theme: new Date(0), numberPad: ['auto'], slip: 'x' } }))
      expect(await read()).toEqual([
        { kind: 'policy-mistakes', file: preference, name: 'locked.theme', line: null }
      ])
      expect(settings.values.copies).toBe(3)
    })
  })

  it.each([['{ locked = { copies = 3; }; }'], ['bplist00'], ['<plist><array/></plist>'], ['<html/>']])(
    'has no other form: %s',
    async (content) => {
      writeBytes(content)
      expect(await read()).toHaveLength(1)
      expect(settings.values.policy?.locked ?? {}).toEqual({})
    }
  )

  it('as the template writes it, is what a new till has', async () => {
    const profile = parse(readFileSync('resources/policy/tillpoints.mobileconfig', 'utf8'))
    const payload = (Object(profile) as { PayloadContent: PlistValue[] }).PayloadContent[0] ?? null
    expect(payload).toMatchObject({ PayloadType: APP_ID })
    writeBytes(build(payload))
    expect(await read()).toEqual([])
    expect(settings.values).toMatchObject(DEFAULT_TILL_SETTINGS)
    expect(managedTill(settings.values.policy)?.defaults).toEqual([...SETTINGS.keys()])
  })
})

it('follows a file that appears, changes and goes while the till is open', async () => {
  await reader.read()
  const changes: (number | undefined)[] = []
  reader.start((_notices, isChanged) => isChanged && changes.push(settings.values.copies))
  onTestFinished(() => reader.close())
  const becomes = (copies: number) =>
    vi.waitFor(() => expect(changes.at(-1)).toBe(copies), { timeout: 20_000 })
  write({ locked: { copies: 2 } })
  await becomes(2)
  write({ locked: { copies: 3 } }, `${file}.new`)
  execFileSync('mv', [`${file}.new`, file])
  await becomes(3)
  rmSync(file)
  await becomes(1)
}, 60_000)

it('follows the file of the token while the till is open', async () => {
  const tokenFile = join(folder, 'etc', 'token')
  writeFileSync(tokenFile, 'first\n')
  write({ locked: { service: { address: 'https://points.example/' } }, tokenFile })
  await reader.read()
  const tokens: (string | undefined)[] = []
  reader.start((_notices, isChanged) => isChanged && tokens.push(reader.connection?.token))
  onTestFinished(() => reader.close())
  writeFileSync(`${tokenFile}.new`, 'second\n')
  execFileSync('mv', [`${tokenFile}.new`, tokenFile])
  await vi.waitFor(() => expect(tokens).toContain('second'), { timeout: 20_000 })
}, 60_000)

it('sees a change between its first reading and its watch', async () => {
  await reader.read()
  write({ locked: { copies: 2 } })
  reader.start(() => undefined)
  onTestFinished(() => reader.close())
  await vi.waitFor(() => expect(settings.values.copies).toBe(2), { timeout: 20_000 })
}, 60_000)

describe('a locked setting', () => {
  beforeEach(async () => {
    write({
      locked: {
        copies: 2,
        updateRing: null,
        slip: { footer: 'Thanks' },
        printer: { destination: 'Receipt' },
        service: { address: 'https://points.example/' }
      }
    })
    await read()
  })

  it('is refused', () => {
    const { slip, printer } = settings.values
    const folderPrinter = { ...printer, destination: { kind: 'folder' } }
    for (const change of [
      { copies: 1 },
      { copies: 2, theme: 'dark', slip: { ...slip, footer: '' } },
      { updateRing: 'pilot' },
      { printer: folderPrinter }
    ])
      expect(refusal('till', 'set', change)).toEqual({ kind: 'managed' })
    expect(refusal('connection', 'forget', undefined)).toEqual({ kind: 'managed' })
    for (const baseUrl of [
      'https://points.example.evil/',
      'https://evil.example/points.example/',
      'points.example@evil.example'
    ])
      expect(refusal('connection', 'check', { baseUrl, token: 't' })).toEqual({ kind: 'managed' })
  })

  it('does not keep the others from being changed', () => {
    const { slip, printer } = settings.values
    for (const change of [
      { theme: 'dark' },
      { slip: { ...slip, headline: 'Hello' } },
      { copies: 2 },
      { printer: { ...printer, paperSize: '58mm' } }
    ])
      expect(refusal('till', 'set', change)).toBeNull()
    for (const baseUrl of ['https://points.example', ' https://POINTS.example/api/1.0/ '])
      expect(refusal('connection', 'check', { baseUrl, token: 't' })).toBeNull()
    expect(refusal('connection', 'refresh', undefined)).toBeNull()
  })
})

describe('the manager PIN of a policy', () => {
  const hashOf = async (pin: string): Promise<string> => formatPinHash(await hashPin(pin))
  const opens = async (pin: string): Promise<boolean> => {
    const { managerPin } = settings.values.staff
    return managerPin !== null && matchesPin(pin, managerPin)
  }

  it('counts from the first start, until a manager changes it or the policy has another', async () => {
    write({ managerPin: await hashOf('47114711') })
    expect(await read()).toEqual([])
    expect(await opens('47114711')).toBe(true)
    settings.update({ staff: { ...settings.values.staff, managerPin: await hashPin('08150815') } })
    openTill()
    await read()
    expect(await opens('08150815')).toBe(true)
    write({ managerPin: await hashOf('12341234') })
    await read()
    expect(await opens('12341234')).toBe(true)
    rmSync(file)
    await read()
    expect(await opens('12341234')).toBe(true)
  })

  it('that would take too much memory, or is no hash, has a mistake', async () => {
    const hash = await hashOf('47114711')
    for (const managerPin of ['47114711', hash.replace('ln=15', 'ln=31'), hash.slice(0, -1), ''])
      expect(parsePolicy({ managerPin }, { isText: false }).mistakes).toMatchObject([{ name: 'managerPin' }])
  })
})

describe('how the till connects', () => {
  const address = 'https://points.example/'

  it('is the address with the file of the token', async () => {
    const tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, 'secret\n')
    write({ locked: { service: { address } }, tokenFile })
    await read()
    expect(reader.connection).toEqual({
      baseUrl: address,
      token: 'secret',
      isTokenInFile: true,
      isLocked: true
    })
    rmSync(tokenFile)
    expect(reader.connection?.token).toBe('')
  })

  it('is the address with a pairing code', async () => {
    write({ default: { service: { address } }, pairingCode: 'BCDF-GHJK' })
    await read()
    expect(reader.connection).toMatchObject({ baseUrl: address, pairingCode: 'BCDF-GHJK', isLocked: false })
  })

  it('is missing without an address, or with an address alone', async () => {
    write({ pairingCode: 'BCDF-GHJK' })
    await read()
    expect(reader.connection).toBeNull()
    write({ locked: { service: { address } } })
    await read()
    expect(reader.connection).toBeNull()
  })

  it('is stored in no file of the till', async () => {
    write({ default: { service: { address } }, pairingCode: 'BCDF-GHJK' })
    await read()
    expect(JSON.stringify(settings.values)).not.toContain('BCDF')
  })
})
