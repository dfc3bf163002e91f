import type { Output } from '../../../electron/contract/printing.ts'
import { m } from '../i18n/messages.ts'
import type { AppContext, BusinessContext } from '../state/app-context.svelte.ts'
import { focusedTextField, insertText, isDialogOpen, numpadCharacter } from './focus.ts'

/** A row of the table. */
interface Row {
  /** as `aria-keyshortcuts` takes it: one key, or several that the command tells apart */
  readonly key: string
  /** label on the key */
  readonly cap: string
  /** what the command does, in the current language; `output` is where printouts go */
  readonly label: (output: Output) => string
}

/** The commands with a key, in the order of the keyboard. F5, F10 and F11 are left to the operating system. */
const TABLE = {
  help: { key: 'F1', cap: 'F1', label: () => m.helpAndShortcuts() },
  find: { key: 'F2', cap: 'F2', label: () => m.findCustomer() },
  register: { key: 'F3', cap: 'F3', label: () => m.registerCustomer() },
  points: { key: 'F4', cap: 'F4', label: () => m.pointsField() },
  'quick-points': { key: 'Alt+1 Alt+2 Alt+3', cap: 'Alt+1–3', label: () => m.quickPoints() },
  'last-points': { key: 'Alt+4 Alt+5 Alt+6', cap: 'Alt+4–6', label: () => m.lastPointsKeys() },
  customers: { key: 'Alt+7', cap: 'Alt+7', label: () => m.navCustomers() },
  settings: { key: 'Alt+8', cap: 'Alt+8', label: () => m.navSettings() },
  'points-way': { key: 'Alt+9', cap: 'Alt+9', label: () => m.switchPointsWay() },
  rewards: { key: 'F6', cap: 'F6', label: () => m.navRewards() },
  slips: { key: 'F7', cap: 'F7', label: () => m.navSlips() },
  'check-code': { key: 'F8', cap: 'F8', label: () => m.checkCode() },
  reprint: { key: 'F9', cap: 'F9', label: (to: Output) => m.reprintLast({ to }) },
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

/** The keys of a command, each as `commandForKey` takes it. */
export const shortcutsOf = (id: CommandId): readonly string[] => TABLE[id].key.split(' ')

/** A command, and which of its keys was pressed. */
interface PressedCommand {
  readonly id: CommandId
  readonly index: number
}

const BY_KEY: ReadonlyMap<string, PressedCommand> = new Map(
  COMMANDS.flatMap(({ id }) => shortcutsOf(id).map((key, index) => [key, { id, index }] as const))
)

/** Returns a command by id. */
export const commandById = (id: CommandId): Command => ({ id, ...TABLE[id] })

/** Returns the command of a key, such as `F4` or `Alt+1`; undefined if it has none. */
export const commandForKey = (key: string): PressedCommand | undefined => BY_KEY.get(key)

/** Runs a command. `index` is that of its key, from 0. */
export type CommandHandler = (id: CommandId, index?: number) => void

/** Returns the handler of all commands. Every command is safe on any screen and at any time. */
export function createCommandHandler(
  { router, staff }: AppContext,
  businessContext: BusinessContext
): CommandHandler {
  const { checkout, focus, quickPoints, report, slips } = businessContext

  const actions: Readonly<Record<CommandId, (index: number) => void>> = {
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
      checkout.showSale()
      focus.to('bill-or-points')
    },
    'quick-points': (index) => {
      if (router.current === 'till') quickPoints.add(index)
    },
    'last-points': (index) => {
      if (router.current === 'till') quickPoints.takeLast(index)
    },
    'points-way': () => {
      if (router.current === 'till') checkout.form.switchWay()
    },
    customers: () => {
      businessContext.navigate('customers')
    },
    settings: () => {
      businessContext.navigate('settings')
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
      // Where it says that a PIN is missing, and has the button that sets one.
      else businessContext.openSettings('staff')
    },
    back: () => {
      if (businessContext.closeInnermost(router.current)) return
      if (router.current === 'till') focus.to('search')
      else router.navigate('till')
    }
  }
  return (id, index = 0) => {
    actions[id](index)
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

/** Returns the key as the table names it. With Alt the digit of the row above the letters counts, in every layout. */
function keyOf({ ctrlKey, altKey, metaKey, shiftKey, key, code }: KeyboardEvent): string | null {
  if (ctrlKey || metaKey || shiftKey) return null
  return altKey ? `Alt+${code.replace('Digit', '')}` : key
}

/** Listens to the keys of the window and runs their commands. Returns a function that stops. */
export function listenForShortcuts(page: Window, options: ShortcutOptions): () => void {
  /** whether a dialog was open before the key: Escape may have closed it before the event bubbles here */
  let dialogBefore = false

  const beforeAll = (): void => {
    dialogBefore = isDialogOpen(page.document)
  }

  const allowed = ({ id }: PressedCommand): boolean => !dialogBefore || (id === 'help' && options.helpOpen())

  const typeDigit = (event: KeyboardEvent): void => {
    const field = focusedTextField(page.document)
    const character = field && numpadCharacter(event, options.decimal())
    if (!field || character === null) return
    event.preventDefault()
    insertText(field, character)
  }

  const afterAll = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || options.locked()) return
    const key = keyOf(event)
    const command = key === null ? undefined : commandForKey(key)
    if (!command) {
      typeDigit(event)
      return
    }
    // Escape in a dialog is handled by the dialog.
    if (dialogBefore && command.id === 'back') return
    event.preventDefault()
    if (!event.repeat && allowed(command)) options.perform(command.id, command.index)
  }

  page.addEventListener('keydown', beforeAll, { capture: true })
  page.addEventListener('keydown', afterAll)
  return () => {
    page.removeEventListener('keydown', beforeAll, { capture: true })
    page.removeEventListener('keydown', afterAll)
  }
}
