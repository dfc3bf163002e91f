/** Reads the policy of this till from its sources, puts it in force, and follows its changes while the till is open. */
import { SERVICE_ADDRESS } from '../../contract/settings.ts'
import type { Notice } from '../../contract/till.ts'
import { exec } from '../exec.ts'
import type { Logger } from '../log/log.ts'
import { readTokenFile } from '../fs/quarantine.ts'
import type { ProvisionedConnection, Settings } from '../settings/index.ts'
import { combinePolicies, EMPTY_POLICY, type Policy } from './policy.ts'
import {
  PolicyFile,
  type PolicyReading,
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
  readonly settings: Pick<Settings, 'values' | 'applyPolicy'>
  readonly now: () => Date
  readonly log: Logger
}

/** Called after a policy was read: with what to say of it, and whether something else is in force than before. */
export type PolicyListener = (notices: readonly Notice[], isChanged: boolean) => void

export class PolicyReader {
  readonly #dependencies: PolicyReaderDependencies
  /** what each source said last without being broken */
  readonly #read = new Map<PolicySource, Policy | null>()
  #policy: Policy = EMPTY_POLICY
  #notices: readonly Notice[] = []
  #reading: Promise<void> = Promise.resolve()
  #onRead: PolicyListener = () => undefined
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

  /** Reads all sources and puts the policy in force. Never rejects. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readSources())
    return this.#reading
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
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  async #readSources(): Promise<void> {
    const { sources, settings, now, log } = this.#dependencies
    const before = settings.values.policy
    const readings = await Promise.all(
      sources.map(async (source) => ({ source, reading: await source.read() }))
    )
    const used = readings.flatMap(({ source, reading }) => {
      const policy = this.#usedPolicy(source, reading)
      return policy ? [{ source, policy }] : []
    })
    this.#policy = used
      .map(({ policy }) => policy)
      .reduceRight((weaker, stronger) => combinePolicies(stronger, weaker), EMPTY_POLICY)
    const { managedBy, locked, defaults } = this.#policy
    settings.applyPolicy(
      used.length === 0
        ? null
        : {
            managedBy,
            sources: used.map(({ source }) => source.name),
            since: now().toISOString(),
            locked,
            defaults
          }
    )
    this.#notices = readings.flatMap(({ source, reading }) => noticesOf(source.name, reading))
    const isChanged = settings.values.policy !== before
    if (isChanged) log.info('policy', { sources: settings.values.policy?.sources ?? [] })
    for (const { source, reading } of readings) {
      if (reading.kind === 'refused')
        log.warn('policy-ignored', { file: source.name, reason: reading.reason })
      const mistakes =
        reading.kind === 'broken' ? [reading.mistake] : reading.kind === 'read' ? reading.mistakes : []
      for (const { name, line } of mistakes.slice(0, MAX_LOGGED_MISTAKES))
        log.warn('policy-mistake', { file: source.name, name, line })
    }
    this.#onRead(this.#notices, isChanged)
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

/** Returns what the page says of a source. */
function noticesOf(file: string, reading: PolicyReading): Notice[] {
  switch (reading.kind) {
    case 'absent':
      return []
    case 'refused':
      return [{ kind: 'policy-ignored', file, reason: reading.reason }]
    case 'broken':
      return reading.mistake.line === null
        ? [{ kind: 'policy-ignored', file, reason: 'unreadable' }]
        : [{ kind: 'policy-broken', file, line: reading.mistake.line }]
    case 'read': {
      const [first] = reading.mistakes
      if (first === undefined) return []
      const { name, line } = first
      return [{ kind: 'policy-mistakes', file, name, line }]
    }
  }
}
