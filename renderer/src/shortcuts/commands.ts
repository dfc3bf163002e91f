import { m } from '../i18n/first.ts'

/** One row of the table. */
interface Row {
  /** `KeyboardEvent.key`, which is also what `aria-keyshortcuts` takes */
  readonly key: string
  /** what is printed on the key */
  readonly cap: string
  /** what it does, in the language of the moment */
  readonly says: () => string
}

/** Every key that has a command, in the order of the keyboard. F5, F10 and F11 are left to the operating system. */
const TABLE = {
  help: { key: 'F1', cap: 'F1', says: () => m.helpAndShortcuts() },
  find: { key: 'F2', cap: 'F2', says: () => m.findCustomer() },
  register: { key: 'F3', cap: 'F3', says: () => m.registerCustomer() },
  points: { key: 'F4', cap: 'F4', says: () => m.pointsField() },
  rewards: { key: 'F6', cap: 'F6', says: () => m.navRewards() },
  slips: { key: 'F7', cap: 'F7', says: () => m.navSlips() },
  'check-code': { key: 'F8', cap: 'F8', says: () => m.checkCode() },
  reprint: { key: 'F9', cap: 'F9', says: () => m.reprintLast() },
  lock: { key: 'F12', cap: 'F12', says: () => m.lockTill() },
  back: { key: 'Escape', cap: 'Esc', says: () => m.goBack() }
} as const satisfies Readonly<Record<string, Row>>

/** What a cashier can have the till do with one key. */
export type CommandId = keyof typeof TABLE

/** A key, what it does, and how that is said. */
export interface Command extends Row {
  readonly id: CommandId
}

/** The rows of the table, for the sheet that lists them. */
export const COMMANDS: readonly Command[] = Object.entries(TABLE).map(([id, row]) => ({
  // Object.entries forgets whose names these are.
  id: id as CommandId,
  ...row
}))

const BY_KEY: ReadonlyMap<string, Command> = new Map(COMMANDS.map((command) => [command.key, command]))

/** The row of the table for a command. */
export const commandOf = (id: CommandId): Command => ({ id, ...TABLE[id] })

/** The command of a key, by `KeyboardEvent.key`; undefined for a key that has none. */
export const commandAt = (key: string): Command | undefined => BY_KEY.get(key)
