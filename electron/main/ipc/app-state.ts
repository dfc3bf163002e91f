/** The state of the till as the page sees it: composed from the services, and sent whenever a part of it changes. */
import { EventEmitter } from 'node:events'
import * as v from 'valibot'
import type { Account } from '../../contract/loyalty.ts'
import { tillSettingsSchema } from '../../contract/settings.ts'
import type { LocalInterfaceState } from '../../contract/local-interface.ts'
import type { Notice, SystemSupport, TillState } from '../../contract/till.ts'
import type { UpdateState } from '../../contract/updates.ts'
import type { Images } from '../images/images.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import { redact } from '../log/redact.ts'
import { managedTill } from '../policy/policy.ts'
import type { ShopRules } from '../session/shop-rules.ts'
import type { Session } from '../session/session.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { Settings, Languages } from '../settings/index.ts'
import type { Staff } from '../staff/staff.ts'

/** Emits `changed` when a part of the state changed. Created before the services that emit it. */
export class StateChanges extends EventEmitter<{ changed: [] }> {
  /** Emits `changed`. Bound, so that it can be passed as a callback. */
  readonly emitChanged = (): void => {
    this.emit('changed')
  }
}

/** Returns the notice that the settings are not saved, as long as that is so. */
export const settingsNotices = ({ kept }: Pick<Settings, 'kept'>): readonly Notice[] =>
  kept ? [] : [{ kind: 'settings-not-saved' }]

/** The notices that the page shows until the user dismisses them. */
export class Notices {
  readonly #changes: StateChanges
  readonly #standing: () => readonly Notice[]
  /** the kinds of standing notices that are not shown again */
  readonly #dismissed = new Set<string>()
  readonly #notices: Notice[] = []

  /** `standing` returns the notices whose causes persist: they are in the list without being added. */
  constructor(changes: StateChanges, standing: () => readonly Notice[] = () => []) {
    this.#changes = changes
    this.#standing = standing
  }

  list(): readonly Notice[] {
    return [...this.#standing().filter(({ kind }) => !this.#dismissed.has(kind)), ...this.#notices]
  }

  /** Adds a notice unless there is one of its kind. */
  add(notice: Notice): void {
    if (this.#notices.some(({ kind }) => kind === notice.kind)) return
    this.#notices.push(notice)
    this.#changes.emitChanged()
  }

  /** Removes the notice of a kind, because its cause is gone or the user has dismissed it. Does nothing if there is none. */
  remove(kind: string): void {
    if (this.list().every((notice) => notice.kind !== kind)) return
    this.#dismissed.add(kind)
    const index = this.#notices.findIndex((notice) => notice.kind === kind)
    if (index !== -1) this.#notices.splice(index, 1)
    this.#changes.emitChanged()
  }
}

/** Returns the account with its logo as a path of the till's own origin. */
export const toRendererAccount = (account: Account, images: Pick<Images, 'path'>): Account => ({
  ...account,
  logo: images.path(account.logo)
})

export interface AppStateDependencies {
  readonly changes: StateChanges
  readonly notices: Notices
  readonly settings: Pick<Settings, 'values'>
  readonly session: Pick<
    Session,
    'mode' | 'owner' | 'accepted' | 'business' | 'offlineSince' | 'isNameRequired'
  >
  readonly staff: Pick<Staff, 'state'>
  readonly languages: Pick<Languages, 'screen' | 'slip'>
  readonly country: Pick<ShopCountry, 'code'>
  readonly images: Pick<Images, 'path'>
  readonly shopRules: Pick<ShopRules, 'ofShop' | 'expiry'>
  readonly customerDisplay: { isOpen(): boolean; hasTouch(): boolean }
  readonly billLinks: { readonly waiting: boolean }
  readonly updates: { readonly state: UpdateState }
  readonly localInterface: { readonly state: LocalInterfaceState }
  readonly slipServices: Pick<TillState, 'collectionsAsOf' | 'hinderedPrint' | 'offlineSlips'>
  readonly system: SystemSupport
  readonly slipsFolder: string
  readonly version: string
}

/** Composes the state on each call, and passes it to its subscribers whenever `StateChanges` emits. */
export class AppState {
  readonly notices: Notices
  readonly #dependencies: AppStateDependencies
  readonly #subscribers: ((state: TillState) => void)[] = []

  constructor(dependencies: AppStateDependencies) {
    this.#dependencies = dependencies
    this.notices = dependencies.notices
    dependencies.changes.on('changed', () => {
      const state = this.state()
      for (const subscriber of this.#subscribers) subscriber(state)
    })
  }

  /** Returns the state as it is now. Changes nothing. */
  state(): TillState {
    const { settings, session, staff, languages, country, images, shopRules } = this.#dependencies
    const {
      customerDisplay,
      billLinks,
      updates,
      localInterface,
      slipServices,
      system,
      slipsFolder,
      version
    } = this.#dependencies
    const { mode, owner, accepted, business, offlineSince, isNameRequired } = session
    return {
      mode,
      owner: owner.number,
      accepted,
      baseUrl: settings.values.baseUrl,
      business: business && toRendererAccount(business, images),
      isNameRequired,
      settings: v.parse(tillSettingsSchema, settings.values),
      managed: managedTill(settings.values.policy),
      staff: staff.state,
      language: languages.screen,
      slipLanguage: languages.slip,
      country: country.code,
      offlineSince,
      offlineSlips: slipServices.offlineSlips,
      shopRule: shopRules.ofShop,
      pointsExpiry: shopRules.expiry,
      customerDisplayOpen: customerDisplay.isOpen(),
      customerDisplayTouch: customerDisplay.hasTouch(),
      billWaiting: billLinks.waiting,
      system,
      notices: this.notices.list(),
      slipsFolder,
      version,
      update: updates.state,
      localInterface: localInterface.state,
      collectionsAsOf: slipServices.collectionsAsOf,
      hinderedPrint: slipServices.hinderedPrint
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
