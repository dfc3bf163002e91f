import { commandForKey, type Command, type CommandHandler } from './commands.ts'
import { isDialogOpen } from './keep-focus.ts'
import { focusedTextField, insertText, numpadCharacter } from './text-input.ts'

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
