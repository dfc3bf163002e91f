/** How the till stands, put together from the services for the page, and the notices nobody has dismissed yet. */
import * as v from 'valibot'
import type { Language } from '../../contract/language.ts'
import type { Account } from '../../contract/loyalty.ts'
import { tillSettingsSchema } from '../../contract/settings.ts'
import type { StaffState } from '../../contract/staff.ts'
import type { Mode, Notice, TillState } from '../../contract/till.ts'
import type { UpdateState } from '../../contract/updates.ts'
import { redact } from '../log/redact.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import type { StoredSettings } from '../settings/index.ts'

/** What the till's state is put together from. */
interface StandingSources {
  readonly settings: { readonly values: StoredSettings; readonly kept: boolean }
  readonly session: {
    readonly mode: Mode
    readonly accepted: boolean
    readonly business: Account | null
    readonly offlineSince: string | null
  }
  readonly forPage: (account: Account) => Account
  readonly staff: () => StaffState
  readonly language: () => Language
  readonly slipLanguage: () => Language
  readonly country: () => string
  readonly customerDisplayOpen: () => boolean
  readonly slipsFolder: string
  readonly version: string
  readonly update: () => UpdateState
  readonly tell: (state: TillState) => void
}

/** The till's state, and who is told when it changes. */
export interface Standing {
  state(): TillState
  /** Tells every window the state. */
  changed(): void
  /** Adds a notice, once: the same kind twice says nothing new. */
  notice(notice: Notice): void
  /** Takes a notice away that holds no more. */
  withdraw(kind: Notice['kind']): void
  /** Takes the notice at `index` away; false when there is none. */
  dismiss(index: number): boolean
}

/** Puts the till's state together from its sources, each time it is asked. */
export function createStanding(sources: StandingSources): Standing {
  const notices: Notice[] = []
  let toldNotKept = false

  const noticeIfNotKept = (): void => {
    if (sources.settings.kept || toldNotKept) return
    toldNotKept = true
    notices.push({ kind: 'settings-not-saved' })
  }

  const state = (): TillState => {
    noticeIfNotKept()
    const { values } = sources.settings
    const { mode, accepted, business, offlineSince } = sources.session
    return {
      mode,
      accepted,
      baseUrl: values.baseUrl,
      business: business && sources.forPage(business),
      settings: v.parse(tillSettingsSchema, values),
      staff: sources.staff(),
      language: sources.language(),
      slipLanguage: sources.slipLanguage(),
      country: sources.country(),
      offlineSince,
      customerDisplayOpen: sources.customerDisplayOpen(),
      notices: [...notices],
      slipsFolder: sources.slipsFolder,
      version: sources.version,
      update: sources.update()
    }
  }
  const changed = (): void => sources.tell(state())
  return {
    state,
    changed,
    notice(notice) {
      if (notices.some((one) => one.kind === notice.kind)) return
      notices.push(notice)
      changed()
    },
    withdraw(kind) {
      const place = notices.findIndex((one) => one.kind === kind)
      if (place < 0) return
      notices.splice(place, 1)
      changed()
    },
    dismiss(index) {
      const [dismissed] = notices.splice(index, 1)
      if (dismissed) changed()
      return dismissed !== undefined
    }
  }
}

/* from change-log.ts: What changed between two states of the till, for the log: the names of settings and the connection, no values. */

const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)

const connectionOf = ({ mode, accepted, baseUrl }: TillState): LogDetails => ({
  mode,
  accepted,
  service: baseUrl === null ? null : redact(baseUrl)
})

/** Makes the telling of changes; the state that it is given first counts as the one before. */
export function createChangeLog(log: Logger): (state: TillState) => void {
  let before: TillState | null = null
  return (state) => {
    const last = before
    before = state
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
