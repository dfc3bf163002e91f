import { m } from '../i18n/messages.ts'
import type { AppContext, BusinessContext } from '../state/app-context.svelte.ts'

/** One row of the table. */
interface Row {
  /** `KeyboardEvent.key`, which is also what `aria-keyshortcuts` takes */
  readonly key: string
  /** what is printed on the key */
  readonly cap: string
  /** what the command does, in the current language */
  readonly label: () => string
}

/** Every key that has a command, in the order of the keyboard. F5, F10 and F11 are left to the operating system. */
const TABLE = {
  help: { key: 'F1', cap: 'F1', label: () => m.helpAndShortcuts() },
  find: { key: 'F2', cap: 'F2', label: () => m.findCustomer() },
  register: { key: 'F3', cap: 'F3', label: () => m.registerCustomer() },
  points: { key: 'F4', cap: 'F4', label: () => m.pointsField() },
  rewards: { key: 'F6', cap: 'F6', label: () => m.navRewards() },
  slips: { key: 'F7', cap: 'F7', label: () => m.navSlips() },
  'check-code': { key: 'F8', cap: 'F8', label: () => m.checkCode() },
  reprint: { key: 'F9', cap: 'F9', label: () => m.reprintLast() },
  lock: { key: 'F12', cap: 'F12', label: () => m.lockTill() },
  back: { key: 'Escape', cap: 'Esc', label: () => m.goBack() }
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
export const commandById = (id: CommandId): Command => ({ id, ...TABLE[id] })

/** The command of a key, by `KeyboardEvent.key`; undefined for a key that has none. */
export const commandForKey = (key: string): Command | undefined => BY_KEY.get(key)

/** Runs a command. */
export type CommandHandler = (id: CommandId) => void

/** Returns the handler of all commands. Every command is safe on any screen and at any time. */
export function createCommandHandler(
  { router, staff }: AppContext,
  businessContext: BusinessContext
): CommandHandler {
  const { checkout, focus, reprint, slips } = businessContext

  const actions: Readonly<Record<CommandId, () => void>> = {
    help: () => {
      businessContext.helpOpen = !businessContext.helpOpen
    },
    find: () => {
      router.navigate('till')
      if (checkout.registration) checkout.closeRegistration()
      focus.to('search')
    },
    register: () => {
      router.navigate('till')
      checkout.openRegistration()
    },
    points: () => {
      router.navigate('till')
      if (checkout.registration) checkout.closeRegistration()
      checkout.search.clear()
      focus.to('figures')
    },
    rewards: () => {
      router.navigate('rewards')
    },
    slips: () => {
      router.navigate('slips')
    },
    'check-code': () => {
      router.navigate('slips')
      slips.chosen = null
      focus.to('code')
    },
    reprint: () => {
      // Only these two screens show the outcome of a reprint.
      if (router.current !== 'slips') router.navigate('till')
      void reprint.print('last')
    },
    lock: () => {
      if (staff.state.lockable) void staff.lock()
    },
    back: () => {
      if (businessContext.closeInnermost(router.current)) return
      if (router.current === 'till') focus.to('search')
      else router.navigate('till')
    }
  }
  return (id) => {
    actions[id]()
  }
}
