import { commandForKey, type Command, type CommandHandler } from './commands.ts'
import { isDialogOpen } from './keep-focus.ts'
import { focusedTextField, insertText, numpadCharacter } from './text-input.ts'

/** What the keyboard asks of the rest. */
export interface ShortcutOptions {
  readonly perform: CommandHandler
  /** whether the sheet that lists the keys is the dialog that is open: its key closes it again */
  readonly helpOpen: () => boolean
  /** whether the till is locked: no key does anything then */
  readonly locked: () => boolean
  /** the sign before the decimals, in the language of the screen */
  readonly decimal: () => string
}

const isPlain = ({ ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  !ctrlKey && !altKey && !metaKey && !shiftKey

/** Hears the keys of the window and gives their commands. Gives what ends the hearing. */
export function listenForShortcuts(page: Window, around: ShortcutOptions): () => void {
  /** as it was before the key reached the dialog: Esc may have closed it by the time it comes back here */
  let dialogBefore = false

  const beforeAll = (): void => {
    dialogBefore = isDialogOpen(page.document)
  }

  const allowed = (command: Command): boolean => !dialogBefore || (command.id === 'help' && around.helpOpen())

  const typeDigit = (event: KeyboardEvent): void => {
    const field = focusedTextField(page.document)
    const character = field && numpadCharacter(event, around.decimal())
    if (!field || character === null) return
    event.preventDefault()
    insertText(field, character)
  }

  const afterAll = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || around.locked()) return
    const command = isPlain(event) ? commandForKey(event.key) : undefined
    if (!command) {
      typeDigit(event)
      return
    }
    // Esc in a dialog is the dialog's own.
    if (dialogBefore && command.id === 'back') return
    event.preventDefault()
    if (!event.repeat && allowed(command)) around.perform(command.id)
  }

  page.addEventListener('keydown', beforeAll, { capture: true })
  page.addEventListener('keydown', afterAll)
  return () => {
    page.removeEventListener('keydown', beforeAll, { capture: true })
    page.removeEventListener('keydown', afterAll)
  }
}
