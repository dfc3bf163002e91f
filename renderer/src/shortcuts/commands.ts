import { m } from '../i18n/messages.ts'
import type { AppContext, BusinessContext } from '../state/app-context.svelte.ts'

/** A row of the table. */
interface Row {
  /** `KeyboardEvent.key`, which is also what `aria-keyshortcuts` takes */
  readonly key: string
  /** label on the key */
  readonly cap: string
  /** what the command does, in the current language */
  readonly label: () => string
}

/** The commands with a key, in the order of the keyboard. F5, F10 and F11 are left to the operating system. */
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

/** The id of a command. */
export type CommandId = keyof typeof TABLE

/** A command with its key and label. */
export interface Command extends Row {
  readonly id: CommandId
}

/** All commands, for the help dialog. */
export const COMMANDS: readonly Command[] = Object.entries(TABLE).map(([id, row]) => ({
  // Object.entries loses the key type.
  id: id as CommandId,
  ...row
}))

const BY_KEY: ReadonlyMap<string, Command> = new Map(COMMANDS.map((command) => [command.key, command]))

/** Returns a command by id. */
export const commandById = (id: CommandId): Command => ({ id, ...TABLE[id] })

/** Returns the command of a key (`KeyboardEvent.key`); undefined if it has none. */
export const commandForKey = (key: string): Command | undefined => BY_KEY.get(key)

/** Runs a command. */
export type CommandHandler = (id: CommandId) => void

/** Returns the handler of all commands. Every command is safe on any screen and at any time. */
export function createCommandHandler(
  { router, staff }: AppContext,
  businessContext: BusinessContext
): CommandHandler {
  const { checkout, focus, report, reprint, slips } = businessContext

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
      focus.to('bill-or-points')
    },
    rewards: () => {
      businessContext.navigate('rewards')
    },
    slips: () => {
      businessContext.navigate('slips')
    },
    'check-code': () => {
      router.navigate('slips')
      // The report and the details of a slip take the place of the field.
      report.close()
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
