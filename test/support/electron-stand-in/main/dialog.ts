import { refuse, strict } from '../strict.ts'
import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { recorder } from './recorder.ts'

type Options = Readonly<Record<string, unknown>>

const MESSAGE_OPTIONS = ['message', 'type', 'buttons', 'defaultId', 'title', 'detail', 'cancelId', 'noLink']
const SAVE_OPTIONS = ['defaultPath', 'filters']

/** Checks and records a call, with or without a window. @returns its options */
function open(api: string, args: readonly unknown[], known: readonly string[]): Options {
  if (!app.isReady()) throw new Error('dialog module can only be used after app is ready')
  const [first, second] = args
  const isModal = first instanceof BrowserWindow
  const options = ((isModal ? second : first) ?? {}) as Options
  const unknown = Object.keys(options).find((key) => !known.includes(key))
  if (unknown !== undefined) refuse(`the option '${unknown}' of dialog.${api}`)
  recorder.record(`dialog.${api}`, { options, windowId: isModal ? first.id : null })
  return options
}

function mustBe(options: Options, key: string, type: 'string' | 'boolean', label: string): void {
  const value = options[key]
  if (value !== undefined && typeof value !== type) throw new TypeError(`${label} must be a ${type}`)
}

/** The button that counts as "cancelled", chosen as Electron chooses it. */
function cancelButton({ cancelId, defaultId, buttons = [] }: Options): number {
  if (!Array.isArray(buttons)) throw new TypeError('Buttons must be an array')
  if (typeof cancelId === 'number') return cancelId
  const named = buttons.findIndex((button) => ['cancel', 'no'].includes(String(button).toLowerCase()))
  if (named >= 0) return named
  return defaultId === 0 && buttons.length > 1 ? 1 : 0
}

function messageBox(args: readonly unknown[]): object {
  const options = open('showMessageBox', args, MESSAGE_OPTIONS)
  const types: readonly unknown[] = ['none', 'info', 'warning', 'error', 'question']
  if (!types.includes(options['type'] ?? 'none')) throw new TypeError('Invalid message box type')
  mustBe(options, 'title', 'string', 'Title')
  mustBe(options, 'noLink', 'boolean', 'noLink')
  mustBe(options, 'message', 'string', 'Message')
  mustBe(options, 'detail', 'string', 'Detail')
  const cancelled = { response: cancelButton(options), checkboxChecked: false }
  return { ...cancelled, ...recorder.take('dialog.showMessageBox', cancelled) }
}

function saveDialog(args: readonly unknown[]): object {
  const options = open('showSaveDialog', args, SAVE_OPTIONS)
  mustBe(options, 'defaultPath', 'string', 'Default path')
  return recorder.take('dialog.showSaveDialog', { canceled: true, filePath: '' })
}

/**
 * Electron's `dialog`. Nothing is shown: each call is recorded, and answered as a test scripted it
 * (`__standIn.answer('dialog.showMessageBox', { response: 1 })`), else as if the person cancelled.
 */
export const dialog = strict('dialog', {
  showMessageBox: (...args: unknown[]) => Promise.resolve(messageBox(args)),
  showSaveDialog: (...args: unknown[]) => Promise.resolve(saveDialog(args)),
  /** Usable before ready, as in Electron; then and in a stand-in it goes to the standard error. */
  showErrorBox(...args: unknown[]): void {
    for (const [index, arg] of args.entries()) {
      if (typeof arg !== 'string')
        throw new TypeError(
          `Error processing argument at index ${index}, conversion failure from ${String(arg)}`
        )
    }
    if (args.length < 2) throw new TypeError('Insufficient number of arguments.')
    const [title, content] = args
    recorder.record('dialog.showErrorBox', { title, content })
    process.stderr.write(`${String(title)}\n${String(content)}\n`)
  }
})
