/** Permissions: which role each call of the bridge requires. Checked in main before every call. */
import type { BridgeCalls } from '../../contract/bridge.ts'
import type { CreditRequest } from '../../contract/credits.ts'
import type { TillSettings } from '../../contract/settings.ts'

/** The role that a call requires. */
export type RequiredRole =
  /** allowed on the lock screen, too: reveals and changes nothing of the current sale */
  | 'none'
  /** the till must be unlocked */
  | 'cashier'
  /** the till must be unlocked and, if there is a manager PIN, a manager session must be open */
  | 'manager'

/** Settings that cashiers may change: personal preferences without influence on what is issued. */
const CASHIER_SETTINGS: readonly (keyof TillSettings)[] = [
  'language',
  'theme',
  'contrast',
  'numberPad',
  'customerDisplay',
  'tourSeen'
]

/** The settings that decide what cashiers may do. */
export type PermissionSettings = Pick<TillSettings, 'redemptions'>

const roleForSettings = (change: Partial<TillSettings>): RequiredRole =>
  Object.keys(change).every((name) => CASHIER_SETTINGS.some((allowed) => allowed === name))
    ? 'cashier'
    : 'manager'

/** Whether cashiers redeem rewards is a setting. */
const roleForRedeeming = (_input: unknown, { redemptions }: PermissionSettings): RequiredRole =>
  redemptions.byCashiers ? 'cashier' : 'manager'

/** As issuing a slip; above the shop's limit of a day a manager approves. */
const roleForCrediting = ({ isApproved }: CreditRequest): RequiredRole => (isApproved ? 'manager' : 'cashier')

const ROLES = {
  till: {
    state: 'none',
    rendererReady: 'none',
    startTraining: 'manager',
    leaveTraining: 'manager',
    set: roleForSettings,
    dismissNotice: 'cashier',
    saveDraft: 'cashier',
    draft: 'cashier'
  },
  connection: {
    check: 'manager',
    save: 'manager',
    forget: 'manager',
    refresh: 'none',
    retryConnection: 'none'
  },
  customers: {
    find: 'cashier',
    recent: 'cashier',
    list: 'cashier',
    read: 'cashier',
    standing: 'cashier',
    register: 'cashier',
    linkPhone: 'cashier'
  },
  rewards: { catalogue: 'cashier', read: 'cashier', stop: 'cashier', detail: 'cashier' },
  slips: {
    issue: 'cashier',
    print: 'cashier',
    reprint: 'cashier',
    reprintLast: 'cashier',
    cancelPrint: 'cashier',
    markGiven: 'cashier',
    discard: 'manager',
    list: 'cashier',
    exportCsv: 'manager',
    exportCollections: 'manager',
    report: 'cashier',
    printReport: 'cashier',
    // A count without names, which the renderer reads after every change of a slip, also on the lock screen.
    attention: 'none',
    attentionList: 'cashier',
    check: 'cashier'
  },
  redemptions: {
    redeem: roleForRedeeming,
    undo: 'manager',
    ofCustomer: 'cashier'
  },
  credits: { credit: roleForCrediting, undo: 'manager', ofCustomer: 'cashier' },
  // Takes points away, as an undo does.
  returns: { take: 'manager' },
  operations: {
    print: 'cashier',
    // A count without names.
    attention: 'none',
    attentionList: 'cashier',
    askAgain: 'cashier',
    discard: 'manager'
  },
  // A bill names a customer.
  billLinks: { take: 'cashier' },
  batches: {
    start: 'manager',
    // A cashier can stop a batch at any time.
    pause: 'cashier',
    resume: 'manager',
    cancel: 'manager',
    printRest: 'manager',
    unfinished: 'cashier'
  },
  printers: {
    list: 'cashier',
    // A test page goes to any host and port.
    printTestPage: 'manager',
    preview: 'cashier',
    // Sends packets into the network.
    startFinding: 'manager',
    stopFinding: 'none'
  },
  customerDisplay: {
    // On the lock screen only customers that were sent to the renderer before can be shown.
    serving: 'none',
    screens: 'cashier',
    showNumbers: 'cashier',
    previews: 'cashier',
    askForPhone: 'cashier',
    stopAskingForPhone: 'none'
  },
  staff: {
    lock: 'none',
    lockManager: 'none',
    active: 'none',
    unlock: 'none',
    unlockManager: 'none',
    // requires the token of the business
    reset: 'none',
    // requires the current manager PIN
    setManagerPin: 'cashier',
    addCashier: 'manager',
    changeCashier: 'manager',
    removeCashier: 'manager'
  },
  privacy: { exportCustomer: 'manager', forgetCustomer: 'manager' },
  // A paired program can issue points.
  localInterface: {
    startPairing: 'manager',
    stopPairing: 'manager',
    setCaller: 'manager',
    removeCaller: 'manager'
  },
  // The saved file leaves the business; reading does not.
  diagnostics: { read: 'cashier', save: 'manager' },
  // The update server is a manager setting; the time of the restart is the cashier's decision.
  updates: { check: 'cashier', install: 'cashier' },
  about: { read: 'cashier' }
} as const satisfies {
  readonly [Group in keyof BridgeCalls]: {
    readonly [Call in keyof BridgeCalls[Group]]:
      | RequiredRole
      | (BridgeCalls[Group][Call] extends (input: infer Input) => unknown
          ? (input: Input, settings: PermissionSettings) => RequiredRole
          : never)
  }
}

/**
 * Returns the role that a call requires with these settings. `input` has passed the call's schema. Calls that are missing in
 * the table require the manager.
 */
export function requiredRole(
  group: string,
  call: string,
  input: unknown,
  settings: PermissionSettings
): RequiredRole {
  const calls = new Map<string, unknown>(Object.entries(new Map(Object.entries(ROLES)).get(group) ?? {}))
  const role = calls.get(call)
  if (role === 'none' || role === 'cashier') return role
  if (role === roleForCrediting) return roleForCrediting(input as CreditRequest)
  if (role === roleForRedeeming) return roleForRedeeming(input, settings)
  return role === roleForSettings ? roleForSettings(input as Partial<TillSettings>) : 'manager'
}
