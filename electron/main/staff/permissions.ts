/** What each call of the page needs of the people at the till: one table, asked for every call. */
import type { CallGroups } from '../../contract/bridge.ts'
import type { TillSettings } from '../../contract/settings.ts'

/** What has to hold before a call is answered. */
export type RequiredRole =
  /** answered always, also behind the lock: it shows and changes nothing of the counter */
  | 'nothing'
  /** the till must not be locked */
  | 'counter'
  /** and the manager's PIN must have been given, where there is one */
  | 'manager'

/** Settings that a cashier may change: they follow whoever stands there, and change nothing of what is issued. */
const HARMLESS: readonly (keyof TillSettings)[] = [
  'language',
  'theme',
  'contrast',
  'numberPad',
  'customerDisplay',
  'tourSeen'
]

const forSettings = (change: Partial<TillSettings>): RequiredRole =>
  Object.keys(change).every((name) => HARMLESS.some((harmless) => harmless === name)) ? 'counter' : 'manager'

const NEEDS = {
  till: {
    state: 'nothing',
    drawn: 'nothing',
    startTraining: 'manager',
    leaveTraining: 'counter',
    set: forSettings,
    dismissNotice: 'counter',
    saveDraft: 'counter',
    draft: 'counter'
  },
  connection: {
    check: 'manager',
    save: 'manager',
    forget: 'manager',
    refresh: 'nothing',
    retryConnection: 'nothing'
  },
  customers: { find: 'counter', recent: 'counter', list: 'counter', read: 'counter', register: 'counter' },
  rewards: { catalogue: 'counter', read: 'counter', stop: 'counter', detail: 'counter' },
  slips: {
    issue: 'counter',
    print: 'counter',
    reprint: 'counter',
    reprintLast: 'counter',
    markGiven: 'counter',
    discard: 'manager',
    list: 'counter',
    exportCsv: 'manager',
    report: 'counter',
    printReport: 'counter',
    // A number without a name: the page counts again whenever a slip changes, also behind the lock.
    attention: 'nothing',
    attentionList: 'counter',
    check: 'counter'
  },
  batches: {
    start: 'manager',
    // Stopping is never held up.
    pause: 'counter',
    resume: 'manager',
    cancel: 'manager',
    printRest: 'manager',
    unfinished: 'counter'
  },
  printers: { list: 'counter', printTestPage: 'counter', preview: 'counter' },
  // Nobody new is shown behind the lock: whom the display may greet, the page was sent before it.
  customerDisplay: { serving: 'nothing', screens: 'counter', showNumbers: 'counter', previews: 'counter' },
  staff: {
    lock: 'nothing',
    lockManager: 'nothing',
    active: 'nothing',
    unlock: 'nothing',
    unlockManager: 'nothing',
    // proves the manager by the business's token
    reset: 'nothing',
    // proves the manager by the PIN that is there
    setManagerPin: 'counter',
    addCashier: 'manager',
    changeCashier: 'manager',
    removeCashier: 'manager'
  },
  // Looking harms nobody; what is saved goes out of the house.
  diagnostics: { read: 'counter', save: 'manager' },
  // The feed is the manager's setting; when to restart, whoever stands at the till knows best.
  updates: { check: 'counter', install: 'counter' },
  about: { read: 'counter' }
} as const satisfies {
  readonly [Group in keyof CallGroups]: {
    readonly [Call in keyof CallGroups[Group]]:
      | RequiredRole
      | (CallGroups[Group][Call] extends (input: infer Input) => unknown
          ? (input: Input) => RequiredRole
          : never)
  }
}

/**
 * What a call needs. `input` has passed the call's own schema. A call that is not in the table needs the manager: what
 * is forgotten stays closed.
 */
export function requiredRole(group: string, call: string, input: unknown): RequiredRole {
  const calls = new Map<string, unknown>(Object.entries(new Map(Object.entries(NEEDS)).get(group) ?? {}))
  const need = calls.get(call)
  if (need === 'nothing' || need === 'counter') return need
  // The only entry that looks at its input is the one for `till.set`.
  return need === forSettings ? forSettings(input as Partial<TillSettings>) : 'manager'
}
