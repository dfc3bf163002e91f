/**
 * Handles uncaught errors: logs them and asks the user to restart, because the till may be in an undefined state. Issued
 * slips are in the journal by then.
 */
import { app, BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import { messagesByLanguage } from '../../../generated/messages/dialogs/all.js'
import type { Language } from '../../contract/language.ts'
import { UnreadableFileError } from '../fs/atomic-write.ts'
import type { Logger } from '../log/log.ts'
import type { Relauncher } from './relaunch.ts'
import { systemLanguage } from './system.ts'

/** Longer than a pending request and print may take. */
const SHUTDOWN_TIMEOUT_MS = 20_000

type Choice = 'restart' | 'quit' | 'diagnostics'

/** An error that nothing caught, a till that did not start, or a page that crashed repeatedly. */
export type ErrorOccasion = 'uncaught' | 'start' | 'page'

export class GlobalErrorHandler {
  readonly #log: Logger
  readonly #logsFolder: string
  readonly #relauncher: Relauncher
  #languages: { readonly screen: Language } | null = null
  #isAsking = false
  #saveDiagnostics: (() => Promise<unknown>) | null = null
  #maySaveDiagnostics = (): boolean => false

  /** @param logsFolder named in the dialog */
  constructor(log: Logger, logsFolder: string, relauncher: Relauncher) {
    this.#log = log
    this.#logsFolder = logsFolder
    this.#relauncher = relauncher
  }

  /** Catches uncaught exceptions and unhandled rejections. Call once. */
  register(): void {
    process.on('uncaughtException', (error) => this.report('uncaught', error))
    process.on('unhandledRejection', (reason) => this.report('uncaught', reason))
  }

  /** Logs the error and asks the user to restart. While the dialog is open, further errors are only logged. */
  report(occasion: ErrorOccasion, error: unknown): void {
    this.#log.error('uncaught-error', { occasion, error })
    if (this.#isAsking) return
    this.#isAsking = true
    if (!app.isReady()) {
      const m = messagesByLanguage[this.#languages?.screen ?? systemLanguage()]
      dialog.showErrorBox('Tillpoints', `${m.errorMessage({ occasion })}\n${this.#logsFolder}`)
      app.exit(1)
      return
    }
    this.#askAndEnd(occasion, error).catch((dialogError: unknown) => {
      this.#log.error('error-dialog-failed', { error: dialogError })
      app.exit(1)
    })
  }

  /** Sets the language of the dialog, which is the system's until the settings are read. */
  setLanguages(languages: { readonly screen: Language }): void {
    this.#languages = languages
  }

  /** Adds a button that saves diagnostics. @param isAllowed false while the lock or the manager PIN forbids it */
  offerDiagnostics(save: () => Promise<unknown>, isAllowed: () => boolean): void {
    this.#saveDiagnostics = save
    this.#maySaveDiagnostics = isAllowed
  }

  async #askAndEnd(occasion: ErrorOccasion, error: unknown): Promise<void> {
    let choice = await this.#ask(occasion, error)
    while (choice === 'diagnostics') {
      await this.#saveDiagnostics?.()
      choice = await this.#ask(occasion, error)
    }
    this.#log.info('error-dialog-answered', { choice })
    if (choice === 'restart') this.#relauncher.relaunch()
    // The till may be unable to close its services.
    setTimeout(() => app.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    app.quit()
  }

  async #ask(occasion: ErrorOccasion, error: unknown): Promise<Choice> {
    const m = messagesByLanguage[this.#languages?.screen ?? systemLanguage()]
    const choices: readonly Choice[] = this.#maySaveDiagnostics()
      ? ['restart', 'quit', 'diagnostics']
      : ['restart', 'quit']
    const reason = error instanceof UnreadableFileError ? `${m.fileUnreadable(error)} ` : ''
    const options: MessageBoxOptions = {
      type: 'error',
      title: 'Tillpoints',
      message: m.errorMessage({ occasion }),
      detail: `${reason}${m.errorDetail({ occasion })} ${m.errorLog()}\n${this.#logsFolder}`,
      buttons: choices.map((choice) => m.errorButton({ choice })),
      defaultId: 0,
      cancelId: 1,
      noLink: true
    }
    // A dialog of a hidden window would be hidden, too.
    const window = BrowserWindow.getAllWindows().find((each) => each.isVisible())
    const { response } = await (window
      ? dialog.showMessageBox(window, options)
      : dialog.showMessageBox(options))
    return choices[response] ?? 'quit'
  }
}
