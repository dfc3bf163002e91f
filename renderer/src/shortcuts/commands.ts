import { m } from '../i18n/messages.ts'
import type { AppContext, BusinessContext } from '../state/app-context.svelte.ts'
import { focusedTextField, insertText, isDialogOpen, numpadCharacter } from './focus.ts'

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
  const { checkout, focus, report, slips } = businessContext

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
      void checkout.reprint.print('last')
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

/** What the shortcuts depend on. */
export interface ShortcutOptions {
  readonly perform: CommandHandler
  /** whether the open dialog is the help: its key closes it */
  readonly helpOpen: () => boolean
  /** whether the till is locked: all shortcuts are disabled */
  readonly locked: () => boolean
  /** the decimal separator of the screen's locale */
  readonly decimal: () => string
}

const isPlain = ({ ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  !ctrlKey && !altKey && !metaKey && !shiftKey

/** Listens to the keys of the window and runs their commands. Returns a function that stops. */
export function listenForShortcuts(page: Window, options: ShortcutOptions): () => void {
  /** whether a dialog was open before the key: Escape may have closed it before the event bubbles here */
  let dialogBefore = false

  const beforeAll = (): void => {
    dialogBefore = isDialogOpen(page.document)
  }

  const allowed = (command: Command): boolean =>
    !dialogBefore || (command.id === 'help' && options.helpOpen())

  const typeDigit = (event: KeyboardEvent): void => {
    const field = focusedTextField(page.document)
    const character = field && numpadCharacter(event, options.decimal())
    if (!field || character === null) return
    event.preventDefault()
    insertText(field, character)
  }

  const afterAll = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || options.locked()) return
    const command = isPlain(event) ? commandForKey(event.key) : undefined
    if (!command) {
      typeDigit(event)
      return
    }
    // Escape in a dialog is handled by the dialog.
    if (dialogBefore && command.id === 'back') return
    event.preventDefault()
    if (!event.repeat && allowed(command)) options.perform(command.id)
  }

  page.addEventListener('keydown', beforeAll, { capture: true })
  page.addEventListener('keydown', afterAll)
  return () => {
    page.removeEventListener('keydown', beforeAll, { capture: true })
    page.removeEventListener('keydown', afterAll)
  }
}
