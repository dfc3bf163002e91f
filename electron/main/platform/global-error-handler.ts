/**
 * Handles uncaught errors: logs them and asks the user to restart, because the till may be in an undefined state. Issued
 * slips are in the journal by then.
 */
import { app, BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import type { Logger } from '../log/log.ts'

/** Longer than a pending request and print may take. */
const SHUTDOWN_TIMEOUT_MS = 20_000

const BUTTONS = { restart: 'Restart', quit: 'Quit', diagnostics: 'Save diagnostics…' } as const
type Choice = keyof typeof BUTTONS

const MESSAGES = {
  /** an error that nothing caught */
  uncaught: {
    message: 'Something went wrong in Tillpoints.',
    detail: 'Your slips are kept. Restart to continue.'
  },
  /** the till did not start */
  start: {
    message: 'Tillpoints could not start.',
    detail: 'Nothing was lost. Restart to try again.'
  },
  /** the page crashed repeatedly */
  page: {
    message: 'The screen of Tillpoints keeps failing.',
    detail: 'Your slips are kept. Restart to continue.'
  }
} as const
export type ErrorOccasion = keyof typeof MESSAGES

export class GlobalErrorHandler {
  readonly #log: Logger
  readonly #logsFolder: string
  #isAsking = false
  #saveDiagnostics: (() => Promise<unknown>) | null = null

  /** @param logsFolder named in the dialog */
  constructor(log: Logger, logsFolder: string) {
    this.#log = log
    this.#logsFolder = logsFolder
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
      dialog.showErrorBox('Tillpoints', `${MESSAGES[occasion].message}\n${this.#logsFolder}`)
      app.exit(1)
      return
    }
    this.#askAndEnd(occasion).catch((dialogError: unknown) => {
      this.#log.error('error-dialog-failed', { error: dialogError })
      app.exit(1)
    })
  }

  /** Adds a button that saves diagnostics. */
  offerDiagnostics(save: () => Promise<unknown>): void {
    this.#saveDiagnostics = save
  }

  async #askAndEnd(occasion: ErrorOccasion): Promise<void> {
    let choice = await this.#ask(occasion)
    while (choice === 'diagnostics') {
      await this.#saveDiagnostics?.()
      choice = await this.#ask(occasion)
    }
    this.#log.info('error-dialog-answered', { choice })
    if (choice === 'restart') app.relaunch()
    // The till may be unable to close its services.
    setTimeout(() => app.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    app.quit()
  }

  async #ask(occasion: ErrorOccasion): Promise<Choice> {
    const { message, detail } = MESSAGES[occasion]
    const choices: readonly Choice[] = this.#saveDiagnostics
      ? ['restart', 'quit', 'diagnostics']
      : ['restart', 'quit']
    const options: MessageBoxOptions = {
      type: 'error',
      title: 'Tillpoints',
      message,
      detail: `${detail} If this happens again, show the log to your technician:\n${this.#logsFolder}`,
      buttons: choices.map((choice) => BUTTONS[choice]),
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
