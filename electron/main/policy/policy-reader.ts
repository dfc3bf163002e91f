/**
 * Reads the policy of this till from its sources, puts it in force, and follows its changes while the till is open; or only says
 * what it would put in force.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { SERVICE_ADDRESS } from '../../contract/settings.ts'
import type { Notice } from '../../contract/till.ts'
import { exec } from '../exec.ts'
import type { Logger } from '../log/log.ts'
import { readTokenFile } from '../fs/quarantine.ts'
import { type ProvisionedConnection, type Settings, StaffStore } from '../settings/index.ts'
import { parsePinHash } from '../staff/pin.ts'
import { combinePolicies, EMPTY_POLICY, type Policy } from './policy.ts'
import {
  FileWatch,
  type LocatedMistake,
  PolicyFile,
  type PolicyReading,
  type PolicyRefusal,
  type PolicySource,
  readJsonPolicy,
  readPropertyList
} from './policy-sources.ts'
import { RegistryPolicy, WindowsPolicyFile } from './windows-policies.ts'

/** A file of nothing but mistakes does not fill the log. */
const MAX_LOGGED_MISTAKES = 20

/** Who writes a file may need more than one write. */
const DEBOUNCE_MS = 300

/** Where the policies of a till lie. */
export interface PolicyPlaces {
  /** the JSON file */
  readonly policy: string
  /** what a profile of macOS makes; null on other systems */
  readonly managedPreference: string | null
  /** the user id that must own them on Linux and macOS */
  readonly administrator: number
}

/** Returns the sources of a till, the strongest first. */
export const installedPolicies = (
  { policy, managedPreference, administrator }: PolicyPlaces,
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv
): readonly PolicySource[] =>
  platform === 'win32'
    ? [new RegistryPolicy(exec, environment), new WindowsPolicyFile(policy, exec, environment)]
    : [
        ...(managedPreference === null
          ? []
          : [new PolicyFile(managedPreference, administrator, readPropertyList)]),
        new PolicyFile(policy, administrator, readJsonPolicy)
      ]

export interface PolicyReaderDependencies {
  /** the strongest first */
  readonly sources: readonly PolicySource[]
  readonly settings: Pick<Settings, 'values' | 'update' | 'applyPolicy'>
  readonly log: Logger
}

/**
 * Called after a policy was read, or the file of its token changed: with what to say of it, and whether something else is in
 * force than before.
 */
export type PolicyListener = (notices: readonly Notice[], isChanged: boolean) => void

export class PolicyReader {
  readonly #dependencies: PolicyReaderDependencies
  /** what each source said last without being broken */
  readonly #read = new Map<PolicySource, Policy | null>()
  #readings: readonly PolicyReading[] = []
  #policy: Policy = EMPTY_POLICY
  #notices: readonly Notice[] = []
  #reading: Promise<void> = Promise.resolve()
  /** has not begun yet */
  #nextReading: Promise<void> | null = null
  #onRead: PolicyListener = () => undefined
  #tokenWatch: FileWatch | null = null
  #stopTokenWatch = (): void => undefined
  #stops: readonly (() => void)[] = []

  constructor(dependencies: PolicyReaderDependencies) {
    this.#dependencies = dependencies
  }

  /** How the policy connects the till; null if it does not. */
  get connection(): ProvisionedConnection | null {
    const { locked, defaults, tokenFile, pairingCode } = this.#policy
    const baseUrl = locked[SERVICE_ADDRESS] ?? defaults[SERVICE_ADDRESS]
    if (typeof baseUrl !== 'string' || (tokenFile === null && pairingCode === null)) return null
    return {
      baseUrl,
      token: tokenFile === null ? '' : readTokenFile(tokenFile).trim(),
      isTokenInFile: tokenFile !== null,
      ...(pairingCode !== null && { pairingCode }),
      isLocked: Object.hasOwn(locked, SERVICE_ADDRESS)
    }
  }

  /** Reads all sources and puts the policy in force. Who asks while it waits for an earlier reading shares it. Never rejects. */
  read(): Promise<void> {
    this.#nextReading ??= this.#reading = this.#reading.then(() => {
      this.#nextReading = null
      return this.#readSources()
    })
    return this.#nextReading
  }

  /** Reports what was read to `onRead`, now and after each change. */
  start(onRead: PolicyListener): void {
    this.#onRead = onRead
    onRead(this.#notices, false)
    let timer: NodeJS.Timeout | undefined
    const readSoon = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => void this.read(), DEBOUNCE_MS).unref()
    }
    this.#stops = this.#dependencies.sources.map((source) => source.watch(readSoon))
    this.#startTokenWatch()
  }

  close(): void {
    for (const stop of this.#stops) stop()
    this.#stops = []
    this.#stopTokenWatch()
  }

  /** Remembers the file of the token as it is now, before its content is used. */
  #rememberToken(): void {
    const { tokenFile } = this.#policy
    this.#stopTokenWatch()
    this.#tokenWatch = tokenFile === null ? null : new FileWatch(tokenFile)
    this.#tokenWatch?.remember()
    // Before the till follows changes, nothing is watched.
    if (this.#stops.length > 0) this.#startTokenWatch()
  }

  #startTokenWatch(): void {
    const watch = this.#tokenWatch
    if (watch === null) return
    this.#stopTokenWatch = watch.start(() => {
      watch.remember()
      this.#onRead(this.#notices, true)
    })
  }

  async #readSources(): Promise<void> {
    const { sources, settings, log } = this.#dependencies
    const before = settings.values
    const readings = await Promise.all(
      sources.map(async (source) => ({ source, reading: await source.read() }))
    )
    const found = readings.map(({ reading }) => reading)
    // What still cannot be read fills no log, and brings back no notice that was dismissed.
    if (isDeepStrictEqual(found, this.#readings)) return
    this.#readings = found
    const used = readings.flatMap(({ source, reading }) => {
      const policy = this.#usedPolicy(source, reading)
      return policy ? [{ source, policy }] : []
    })
    this.#policy = used
      .map(({ policy }) => policy)
      .reduceRight((weaker, stronger) => combinePolicies(stronger, weaker), EMPTY_POLICY)
    this.#rememberToken()
    const { managedBy, locked, defaults, managerPin } = this.#policy
    this.#presetManagerPin(managerPin)
    settings.applyPolicy(
      used.length === 0
        ? null
        : {
            managedBy,
            sources: used.map(({ source }) => source.name),
            since: new Date().toISOString(),
            locked,
            defaults
          }
    )
    this.#notices = readings.flatMap(({ source, reading }) => noticesOf(source.name, reading))
    const isChanged = settings.values.policy !== before.policy || settings.values.staff !== before.staff
    if (isChanged) log.info('policy', { sources: settings.values.policy?.sources ?? [] })
    for (const { source, reading } of readings) {
      const reason = refusalOf(reading)
      if (reason !== null) log.warn('policy-ignored', { file: source.name, reason })
      for (const { name, line } of mistakesOf(reading).slice(0, MAX_LOGGED_MISTAKES))
        log.warn('policy-mistake', { file: source.name, name, line })
    }
    this.#onRead(this.#notices, isChanged)
  }

  /** Gives the till the manager PIN of a policy, once: what a manager changes at the till stays until the policy has another. */
  #presetManagerPin(text: string | null): void {
    const store = new StaffStore(this.#dependencies.settings)
    const managerPin = text === null ? null : parsePinHash(text)
    if (managerPin === null || text === store.values.policyPin) return
    store.update({ managerPin, policyPin: text, wrongPins: {} })
  }

  /** What a broken source said before counts: in this process, or when the till was open last. */
  #usedPolicy(source: PolicySource, reading: PolicyReading): Policy | null {
    if (reading.kind === 'broken') {
      const before = this.#read.get(source)
      if (before !== undefined) return before
      const { policy } = this.#dependencies.settings.values
      return policy?.sources.includes(source.name) ? { ...EMPTY_POLICY, ...policy } : null
    }
    const policy = reading.kind === 'read' ? reading.policy : null
    this.#read.set(source, policy)
    return policy
  }
}

/** Returns why a source was not read, or null. */
function refusalOf(reading: PolicyReading): PolicyRefusal | null {
  if (reading.kind === 'refused') return reading.reason
  return reading.kind === 'broken' && reading.mistake.line === null ? 'unreadable' : null
}

/** Returns the mistakes in what was read. */
function mistakesOf(reading: PolicyReading): readonly LocatedMistake[] {
  if (reading.kind === 'broken') return reading.mistake.line === null ? [] : [reading.mistake]
  return reading.kind === 'read' ? reading.mistakes : []
}

/** Returns what the page says of a source. */
function noticesOf(file: string, reading: PolicyReading): Notice[] {
  const reason = refusalOf(reading)
  if (reason !== null) return [{ kind: 'policy-ignored', file, reason }]
  const [first] = mistakesOf(reading)
  if (first === undefined) return []
  const { name, line } = first
  return reading.kind === 'broken' && line !== null
    ? [{ kind: 'policy-broken', file, line }]
    : [{ kind: 'policy-mistakes', file, name, line }]
}

/** What is printed, and whether nothing is wrong. */
export interface PolicyCheck {
  /** in English, one fact a line, for administrators */
  readonly text: string
  readonly isRight: boolean
}

/** What keeps a policy from being read. */
const REFUSALS = {
  owner: 'ignored: the file or its folder does not belong to the administrator',
  writable: 'ignored: others can write to the file or its folder',
  unreadable: 'ignored: not a file, too large, or not readable'
} as const

/** Values in columns; the pairing code and the PIN are secrets. */
function valuesOf({ managedBy, locked, defaults, tokenFile, pairingCode, managerPin }: Policy): string[] {
  const rows = (section: string, values: Policy['locked']): [string, string, unknown][] =>
    Object.entries(values).map(([name, value]) => [section, name, value])
  const option = (name: string, value: string | null): [string, string, unknown][] =>
    value === null || value === '' ? [] : [['', name, value]]
  const found = [
    ...option('managedBy', managedBy),
    ...rows('locked', locked),
    ...rows('default', defaults),
    ...option('tokenFile', tokenFile),
    ...option('pairingCode', pairingCode && '(hidden)'),
    ...option('managerPin', managerPin && '(hidden)')
  ]
  const width = Math.max(...found.map(([, name]) => name.length))
  return found.map(
    ([section, name, value]) => `${section.padEnd(7)}  ${name.padEnd(width)}  ${JSON.stringify(value)}`
  )
}

function describe(file: string, reading: PolicyReading): PolicyCheck {
  const said = (lines: readonly string[], isRight: boolean): PolicyCheck => ({
    text: lines.map((line) => `${line}\n`).join(''),
    isRight
  })
  if (reading.kind === 'absent') return said([`${file}: there is no such file`], false)
  if (reading.kind === 'refused') return said([`${file}: ${REFUSALS[reading.reason]}`], false)
  const mistakes = reading.kind === 'broken' ? [reading.mistake] : reading.mistakes
  const values = reading.kind === 'broken' ? [] : valuesOf(reading.policy)
  return said(
    [
      `In force from ${file}:${values.length === 0 ? ' nothing' : ''}`,
      ...values,
      ...mistakes.map(({ name, line, message }) =>
        [file, ...(line === null ? [] : [line]), ...(name === '' ? [] : [` ${name}`]), ` ${message}`].join(
          ':'
        )
      )
    ],
    mistakes.length === 0
  )
}

/** A draft may lie anywhere and belong to anybody. */
function readDraft(path: string): PolicyReading {
  try {
    return readJsonPolicy(readFileSync(path))
  } catch {
    return { kind: 'refused', reason: 'unreadable' }
  }
}

/**
 * Says what a policy would put in force, as a till would read it, for `tillpoints --check-policy FILE`. Owner and mode count
 * only for the file that this till obeys.
 * @param file as given in the command line; empty if it is missing
 * @param installed the sources of this till
 */
export async function checkPolicy(file: string, installed: readonly PolicySource[]): Promise<PolicyCheck> {
  if (file === '') return { text: 'Usage: tillpoints --check-policy FILE\n', isRight: false }
  const path = resolve(file)
  const source = installed.find(({ name }) => name === path)
  return describe(file, source ? await source.read() : readDraft(path))
}
