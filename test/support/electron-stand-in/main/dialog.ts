import { refuse, strict } from '../strict.ts'
import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { recorder } from './recorder.ts'

type Options = Readonly<Record<string, unknown>>

const MESSAGE_OPTIONS = [
  'message',
  'type',
  'buttons',
  'defaultId',
  'signal',
  'title',
  'detail',
  'checkboxLabel',
  'checkboxChecked',
  'icon',
  'textWidth',
  'cancelId',
  'noLink',
  'normalizeAccessKeys'
]
const FILE_OPTIONS = [
  'title',
  'defaultPath',
  'buttonLabel',
  'filters',
  'properties',
  'message',
  'securityScopedBookmarks',
  'nameFieldLabel',
  'showsTagField'
]

function open(
  api: string,
  args: readonly unknown[],
  known: readonly string[]
): { window: unknown; options: Options } {
  if (!app.isReady()) throw new Error('dialog module can only be used after app is ready')
  const [first, second] = args
  const [window, given] = first instanceof BrowserWindow ? [first, second] : [null, first ?? second]
  const options = (given ?? {}) as Options
  const unknown = Object.keys(options).find((key) => !known.includes(key))
  if (unknown !== undefined) refuse(`the option '${unknown}' of dialog.${api}`)
  recorder.record(`dialog.${api}`, { options, windowId: window instanceof BrowserWindow ? window.id : null })
  return { window, options }
}

function mustBe(options: Options, key: string, type: 'string' | 'boolean', label: string): void {
  const value = options[key]
  if (value !== undefined && typeof value !== type) throw new TypeError(`${label} must be a ${type}`)
}

/** The button that counts as "cancelled", chosen as Electron chooses it. */
function cancelButton(options: Options): number {
  const { cancelId, defaultId } = options
  const buttons = options['buttons'] ?? []
  if (!Array.isArray(buttons)) throw new TypeError('Buttons must be an array')
  if (typeof cancelId === 'number') return cancelId
  const named = buttons.findIndex((button) => ['cancel', 'no'].includes(String(button).toLowerCase()))
  if (named >= 0) return named
  return defaultId === 0 && buttons.length > 1 ? 1 : 0
}

function messageBox(api: string, args: readonly unknown[]): { response: number; checkboxChecked: boolean } {
  const { options } = open(api, args, MESSAGE_OPTIONS)
  const type = options['type'] ?? 'none'
  if (!['none', 'info', 'warning', 'error', 'question'].includes(type as string)) {
    throw new TypeError('Invalid message box type')
  }
  mustBe(options, 'title', 'string', 'Title')
  mustBe(options, 'noLink', 'boolean', 'noLink')
  mustBe(options, 'message', 'string', 'Message')
  mustBe(options, 'detail', 'string', 'Detail')
  mustBe(options, 'checkboxLabel', 'string', 'checkboxLabel')
  const checkboxChecked = options['checkboxChecked'] === true
  if (checkboxChecked && !options['checkboxLabel']) {
    throw new Error('checkboxChecked requires that checkboxLabel also be passed')
  }
  const cancelled = { response: cancelButton(options), checkboxChecked }
  const answer = recorder.take('dialog.showMessageBox', [options], () => cancelled)
  return { ...cancelled, ...(typeof answer === 'number' ? { response: answer } : (answer as object)) }
}

function checkFileOptions(options: Options): void {
  mustBe(options, 'title', 'string', 'Title')
  mustBe(options, 'buttonLabel', 'string', 'Button label')
  mustBe(options, 'defaultPath', 'string', 'Default path')
  mustBe(options, 'message', 'string', 'Message')
  mustBe(options, 'nameFieldLabel', 'string', 'Name field label')
  if (options['properties'] !== undefined && !Array.isArray(options['properties'])) {
    throw new TypeError('Properties must be an array')
  }
}

function openDialog(api: string, args: readonly unknown[]): { canceled: boolean; filePaths: string[] } {
  const { options } = open(api, args, FILE_OPTIONS)
  checkFileOptions(options)
  const cancelled = { canceled: true, filePaths: [] }
  return recorder.take('dialog.showOpenDialog', [options], () => cancelled) as typeof cancelled
}

function saveDialog(api: string, args: readonly unknown[]): { canceled: boolean; filePath: string } {
  const { options } = open(api, args, FILE_OPTIONS)
  checkFileOptions(options)
  const cancelled = { canceled: true, filePath: '' }
  return recorder.take('dialog.showSaveDialog', [options], () => cancelled) as typeof cancelled
}

/**
 * Electron's `dialog`. Nothing is shown: each call is recorded, and answered as a test scripted it
 * (`__standIn.answer('dialog.showMessageBox', { response: 1 })`), else as if the person cancelled.
 */
export const dialog = strict('dialog', {
  showMessageBox: (...args: unknown[]) => Promise.resolve(messageBox('showMessageBox', args)),
  showMessageBoxSync: (...args: unknown[]) => messageBox('showMessageBoxSync', args).response,
  showOpenDialog: (...args: unknown[]) => Promise.resolve(openDialog('showOpenDialog', args)),
  showOpenDialogSync: (...args: unknown[]) => {
    const { canceled, filePaths } = openDialog('showOpenDialogSync', args)
    return canceled ? undefined : filePaths
  },
  showSaveDialog: (...args: unknown[]) => Promise.resolve(saveDialog('showSaveDialog', args)),
  showSaveDialogSync: (...args: unknown[]) => {
    const { canceled, filePath } = saveDialog('showSaveDialogSync', args)
    return canceled ? '' : filePath
  },
  /** Usable before ready, as in Electron; then and in a stand-in it goes to the standard error. */
  showErrorBox(title: string, content: string): void {
    recorder.record('dialog.showErrorBox', { title, content })
    process.stderr.write(`${title}\n${content}\n`)
  }
})
