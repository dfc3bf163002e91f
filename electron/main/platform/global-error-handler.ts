/**
 * What nothing else caught. The till may be in a state that nobody foresaw, so it says so and asks for a restart; what
 * was issued is in the journal by then, and stays.
 */
import { app, BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import type { Logger } from '../log/log.ts'

/** ms that the till is given to close after a fault: longer than a request and a print that are waited for. */
const CLOSING_PATIENCE = 20_000

const BUTTONS = { restart: 'Restart', quit: 'Quit', diagnostics: 'Save diagnostics…' } as const
type Choice = keyof typeof BUTTONS

/** What happened, as the person in front of the till is told. */
const SENTENCES = {
  fault: {
    message: 'Something went wrong in Tillpoints.',
    detail: 'Your slips are kept. Restart to go on serving.'
  },
  start: {
    message: 'Tillpoints could not open.',
    detail: 'Nothing was lost. Restart to try again.'
  },
  page: {
    message: 'The screen of Tillpoints keeps failing.',
    detail: 'Your slips are kept. Restart to go on serving.'
  }
} as const
/** `fault`: an error that nobody caught; `start`: the till did not open; `page`: its page crashed again and again. */
export type Occasion = keyof typeof SENTENCES

/** The till's last resort. */
export interface GlobalErrorHandler {
  /** Catches from here on what nothing else does. Call once. */
  watch(): void
  /** Logs it, and asks the person in front of the till; while they are asked, further ones are logged only. */
  report(occasion: Occasion, error: unknown): void
  /** Offers to save diagnostics from here on. */
  offer(save: () => Promise<unknown>): void
}

/** @param logs folder of the log, named in what the person reads */
export function createGlobalErrorHandler(log: Logger, logs: string): GlobalErrorHandler {
  let asking = false
  let save: (() => Promise<unknown>) | null = null

  const ask = async (occasion: Occasion): Promise<Choice> => {
    const { message, detail } = SENTENCES[occasion]
    const more = `If this comes back, show the log to whoever looks after this till:\n${logs}`
    const choices: readonly Choice[] = save ? ['restart', 'quit', 'diagnostics'] : ['restart', 'quit']
    const options: MessageBoxOptions = {
      type: 'error',
      title: 'Tillpoints',
      message,
      detail: `${detail} ${more}`,
      buttons: choices.map((choice) => BUTTONS[choice]),
      defaultId: 0,
      cancelId: 1,
      noLink: true
    }
    // A question in a window that nobody sees yet might not be seen either.
    const window = BrowserWindow.getAllWindows().find((each) => each.isVisible())
    const { response } = await (window
      ? dialog.showMessageBox(window, options)
      : dialog.showMessageBox(options))
    return choices[response] ?? 'quit'
  }

  const end = (choice: Exclude<Choice, 'diagnostics'>): void => {
    log.info('fault-answered', { choice })
    if (choice === 'restart') app.relaunch()
    // What is left of the till may be unable to close.
    setTimeout(() => app.exit(1), CLOSING_PATIENCE).unref()
    app.quit()
  }

  const settle = async (occasion: Occasion): Promise<void> => {
    let choice = await ask(occasion)
    for (; choice === 'diagnostics'; choice = await ask(occasion)) await save?.()
    end(choice)
  }

  const report = (occasion: Occasion, error: unknown): void => {
    log.error('fault-uncaught', { occasion, error })
    if (asking) return
    asking = true
    if (!app.isReady()) {
      const { message } = SENTENCES[occasion]
      dialog.showErrorBox('Tillpoints', `${message}\n${logs}`)
      app.exit(1)
      return
    }
    settle(occasion).catch((second: unknown) => {
      log.error('fault-not-shown', { error: second })
      app.exit(1)
    })
  }

  return {
    watch() {
      process.on('uncaughtException', (error) => report('fault', error))
      process.on('unhandledRejection', (reason) => report('fault', reason))
    },
    report,
    offer(how) {
      save = how
    }
  }
}
