/** The state of the till as the page sees it: composed from the services, and sent whenever a part of it changes. */
import { EventEmitter } from 'node:events'
import * as v from 'valibot'
import type { Account } from '../../contract/loyalty.ts'
import { tillSettingsSchema } from '../../contract/settings.ts'
import type { LocalInterfaceState } from '../../contract/local-interface.ts'
import type { StaffState } from '../../contract/staff.ts'
import type { Mode, Notice, SystemSupport, TillState } from '../../contract/till.ts'
import type { UpdateState } from '../../contract/updates.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import { redact } from '../log/redact.ts'
import type { ShopCountry } from '../session/shop-country.ts'
import type { Languages } from '../settings/languages.ts'
import type { StoredSettings } from '../settings/settings-schema.ts'

/** Emits `changed` when a part of the state changed. Created before the services that emit it. */
export class StateChanges extends EventEmitter<{ changed: [] }> {
  /** Emits `changed`. Bound, so that it can be passed as a callback. */
  readonly emitChanged = (): void => {
    this.emit('changed')
  }
}

/** The notices that the page shows until the user dismisses them. */
export class Notices {
  readonly #changes: StateChanges
  readonly #notices: Notice[] = []

  constructor(changes: StateChanges) {
    this.#changes = changes
  }

  list(): readonly Notice[] {
    return [...this.#notices]
  }

  /** Adds a notice unless there is one of its kind. */
  add(notice: Notice): void {
    if (this.#notices.some(({ kind }) => kind === notice.kind)) return
    this.#notices.push(notice)
    this.#changes.emitChanged()
  }

  /** Removes the notice of a kind, because its cause is gone. */
  withdraw(kind: Notice['kind']): void {
    this.dismiss(this.#notices.findIndex((notice) => notice.kind === kind))
  }

  /** Removes the notice at `index`; false if there is none. */
  dismiss(index: number): boolean {
    if (this.#notices[index] === undefined) return false
    this.#notices.splice(index, 1)
    this.#changes.emitChanged()
    return true
  }
}

/** The part of the state that comes from the settings, the session and the staff. */
export type ServiceState = Omit<
  TillState,
  | 'customerDisplayOpen'
  | 'billWaiting'
  | 'system'
  | 'notices'
  | 'slipsFolder'
  | 'version'
  | 'update'
  | 'localInterface'
>

export interface ServiceStateSources {
  readonly settings: { readonly values: StoredSettings }
  readonly session: {
    readonly mode: Mode
    readonly accepted: boolean
    readonly business: Account | null
    readonly offlineSince: string | null
  }
  readonly staff: { readonly state: StaffState }
  readonly languages: Pick<Languages, 'screen' | 'slip'>
  readonly country: Pick<ShopCountry, 'code'>
  /** replaces remote image URLs; see `loyalty.ts` */
  readonly toRendererAccount: (account: Account) => Account
}

export function readServiceState(sources: ServiceStateSources): ServiceState {
  const { values } = sources.settings
  const { mode, accepted, business, offlineSince } = sources.session
  return {
    mode,
    accepted,
    baseUrl: values.baseUrl,
    business: business && sources.toRendererAccount(business),
    settings: v.parse(tillSettingsSchema, values),
    staff: sources.staff.state,
    language: sources.languages.screen,
    slipLanguage: sources.languages.slip,
    country: sources.country.code,
    offlineSince
  }
}

export interface AppStateDependencies {
  readonly changes: StateChanges
  readonly notices: Notices
  readonly serviceState: () => ServiceState
  /** `kept` is false once a write to the settings file failed */
  readonly settings: { readonly kept: boolean }
  readonly customerDisplay: { isOpen(): boolean }
  readonly billLinks: { readonly waiting: boolean }
  readonly updates: { readonly state: UpdateState }
  readonly localInterface: () => LocalInterfaceState
  readonly system: SystemSupport
  readonly slipsFolder: string
  readonly version: string
}

/** Composes the state on each call, and passes it to its subscribers whenever `StateChanges` emits. */
export class AppState {
  readonly notices: Notices
  readonly #dependencies: AppStateDependencies
  readonly #subscribers: ((state: TillState) => void)[] = []
  #isUnsavedNoticed = false

  constructor(dependencies: AppStateDependencies) {
    this.#dependencies = dependencies
    this.notices = dependencies.notices
    dependencies.changes.on('changed', () => {
      const state = this.state()
      for (const subscriber of this.#subscribers) subscriber(state)
    })
  }

  state(): TillState {
    const {
      serviceState,
      settings,
      customerDisplay,
      billLinks,
      updates,
      localInterface,
      system,
      slipsFolder,
      version
    } = this.#dependencies
    const base = serviceState()
    if (!settings.kept && !this.#isUnsavedNoticed) {
      this.#isUnsavedNoticed = true
      this.notices.add({ kind: 'settings-not-saved' })
    }
    return {
      ...base,
      customerDisplayOpen: customerDisplay.isOpen(),
      billWaiting: billLinks.waiting,
      system,
      notices: this.notices.list(),
      slipsFolder,
      version,
      update: updates.state,
      localInterface: localInterface()
    }
  }

  /** Sends the state to all subscribers. */
  changed(): void {
    this.#dependencies.changes.emitChanged()
  }

  /** Calls `subscriber` with each new state, in the order of subscription. */
  subscribe(subscriber: (state: TillState) => void): void {
    this.#subscribers.push(subscriber)
  }
}

const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)

const connectionOf = ({ mode, accepted, baseUrl }: TillState): LogDetails => ({
  mode,
  accepted,
  service: baseUrl === null ? null : redact(baseUrl)
})

/** Returns a subscriber that logs changes of the connection, and the names of changed settings without their values. */
export function createStateChangeLogger(log: Logger): (state: TillState) => void {
  let previous: TillState | null = null
  return (state) => {
    const last = previous
    previous = state
    if (last === null || differ(connectionOf(last), connectionOf(state))) {
      log.info('connection', connectionOf(state))
    }
    if (last === null) return
    const settings = Object.entries(state.settings)
      .filter(([name, value]) => differ(value, Reflect.get(last.settings, name)))
      .map(([name]) => name)
    if (settings.length > 0) log.info('settings-changed', { settings })
  }
}
