/**
 * Controls of the main process: system events, crashes, the answers of system dialogs, and the displays of the stand-in.
 */
import { expect, type ElectronApplication } from '@playwright/test'

/** Evaluates a script in the renderer through main: after a crash Playwright's page object no longer works. */
export const evaluateInRenderer = <Value>(
  app: ElectronApplication,
  script: string
): Promise<Value | undefined> =>
  app.evaluate(
    ({ BrowserWindow }, code) =>
      // A page that is reloading rejects.
      BrowserWindow.getAllWindows()[0]
        ?.webContents.executeJavaScript(code)
        .catch(() => undefined) as Promise<Value | undefined>,
    script
  )

/** Crashes the renderer. Resolves when main has received `render-process-gone`. */
export const crashRenderer = (app: ElectronApplication): Promise<void> =>
  app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.once('render-process-gone', () => resolve())
        contents?.forcefullyCrashRenderer()
      })
  )

/** Crashes the renderer of the customer display. Resolves when its page was loaded again, or its window destroyed. */
export const crashCustomerDisplay = (app: ElectronApplication): Promise<void> =>
  app.evaluate(
    ({ webContents }) =>
      new Promise<void>((resolve, reject) => {
        const contents = webContents
          .getAllWebContents()
          .find((each) => each.getURL().startsWith('app://customer-display'))
        if (!contents) {
          reject(new Error('The customer display is not open'))
          return
        }
        // Its first load may still be about to be reported.
        contents.once('render-process-gone', () => contents.once('did-finish-load', () => resolve()))
        contents.once('destroyed', () => resolve())
        contents.forcefullyCrashRenderer()
      })
  )

/** Emits `suspend` and `resume` on the power monitor, once the till's deferred startup listens to it. */
export async function suspendAndResume(app: ElectronApplication): Promise<void> {
  await expect
    .poll(() => app.evaluate(({ powerMonitor }) => powerMonitor.listenerCount('resume')))
    .toBeGreaterThan(0)
  // The driver's code may run in the middle of Node's: connections that are closed there make reading from them fail.
  await app.evaluate(async ({ powerMonitor }) => {
    await new Promise((resolve) => setImmediate(resolve))
    powerMonitor.emit('suspend')
    powerMonitor.emit('resume')
  })
}

/** The timers of main that `holdTimers` holds. */
export interface HeldTimers {
  /** Returns how many wait now. */
  readonly count: () => Promise<number>
  /** Calls those that wait, and holds no more. */
  readonly release: () => Promise<void>
}

/**
 * Holds the timers that main starts with `setTimeout` and exactly this delay: a limit of the till does not end before what
 * it limits, however slow the machine is.
 */
export async function holdTimers(app: ElectronApplication, delayMs: number): Promise<HeldTimers> {
  const holder = await app.evaluateHandle((_electron, delay) => {
    const { setTimeout: start, clearTimeout: stop } = globalThis
    const held = new Map<unknown, () => void>()
    globalThis.setTimeout = new Proxy(start, {
      apply(target, self, parameters: [() => void, number?, ...unknown[]]) {
        const [run, ms, ...values] = parameters
        if (ms !== delay) return Reflect.apply(target, self, parameters) as NodeJS.Timeout
        // The longest delay of Node.
        const timer = start(() => undefined, 2 ** 31 - 1).unref()
        held.set(timer, () => {
          Reflect.apply(run, undefined, values)
        })
        return timer
      }
    })
    globalThis.clearTimeout = (timer) => {
      held.delete(timer)
      stop(timer)
    }
    return {
      count: () => held.size,
      release() {
        Object.assign(globalThis, { setTimeout: start, clearTimeout: stop })
        for (const [timer, run] of held) {
          stop(timer as NodeJS.Timeout)
          run()
        }
      }
    }
  }, delayMs)
  return {
    count: () => holder.evaluate((timers) => timers.count()),
    release: () => holder.evaluate((timers) => timers.release())
  }
}

/** Answers the next message box with the button of this index, and turns off `app.relaunch`. */
export const answerMessageBox = (app: ElectronApplication, button: number): Promise<void> =>
  app.evaluate((electron, response) => {
    electron.dialog.showMessageBox = () => Promise.resolve({ response, checkboxChecked: false })
    electron.app.relaunch = () => undefined
  }, button)

/** Answers the next message box with its first button. Resolves with its options as JSON. */
export const nextMessageBox = (app: ElectronApplication): Promise<string> =>
  app.evaluate(
    (electron) =>
      new Promise<string>((resolve) => {
        electron.dialog.showMessageBox = (...args: unknown[]) => {
          resolve(JSON.stringify(args.at(-1)))
          return Promise.resolve({ response: 0, checkboxChecked: false })
        }
      })
  )

/** Throws an error that nothing catches, and chooses Restart. Resolves with the options of the relaunch as JSON. */
export const restartAfterError = (app: ElectronApplication): Promise<string> =>
  app.evaluate(
    (electron) =>
      new Promise<string>((resolve) => {
        electron.dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
        electron.app.relaunch = (options) => resolve(JSON.stringify(options ?? null))
        electron.app.quit = () => undefined
        void Promise.reject(new Error('unforeseen'))
      })
  )

/** Kills the PDF worker once, while it renders the next slip, as a font might that crashes the shaper. */
export const killPdfWorkerOnce = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ app: electronApp, utilityProcess }) => {
    // The worker was started long ago: its class is patched by way of another instance.
    const probe = utilityProcess.fork(`${electronApp.getAppPath()}/out/main/pdf-worker.js`)
    probe.once('spawn', () => probe.kill())
    interface Worker {
      postMessage(message: unknown): void
      kill(): boolean
      once(event: 'spawn', listener: () => void): unknown
    }
    interface Request {
      readonly method: string
      readonly args: readonly [readonly { readonly code: string }[]]
    }
    const prototype = Object.getPrototypeOf(probe) as Worker
    const original = Object.getOwnPropertyDescriptor(prototype, 'postMessage')
    if (original === undefined) throw new Error('The class of utility processes has no postMessage')
    prototype.postMessage = function (this: Worker, message: unknown) {
      Reflect.apply(original.value as Worker['postMessage'], this, [message])
      const { method, args } = message as Request
      // The warm-up renders a sample.
      if (method !== 'renderSlips' || args[0][0]?.code === 'SAMPLE') return
      Object.defineProperty(prototype, 'postMessage', original)
      if (!this.kill()) this.once('spawn', () => this.kill())
    }
  })

/** The options for a till on a stand-in with these displays, the primary one first: `1280x800,800x480`. */
export const withDisplays = (screens: string) => ({ env: { TILLPOINTS_STAND_IN_DISPLAYS: screens } })

/** Connects or disconnects displays of the stand-in. */
export const setDisplays = (app: ElectronApplication, screens: string): Promise<void> =>
  app.evaluate((electron, text) => {
    const standIn = Reflect.get(electron, '__standIn') as { setDisplays(text: string): void }
    standIn.setDisplays(text)
  }, screens)

/** The state of a customer display window. */
interface DisplayWindow {
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly kiosk: boolean
  readonly visible: boolean
  readonly focusable: boolean
  readonly focused: boolean
}

/** Returns the windows of the customer display. */
export const customerDisplayWindows = (app: ElectronApplication): Promise<readonly DisplayWindow[]> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.webContents.getURL().startsWith('app://customer-display'))
      .map((window) => ({
        bounds: window.getBounds(),
        kiosk: window.isKiosk(),
        visible: window.isVisible(),
        focusable: window.isFocusable(),
        focused: window.isFocused()
      }))
  )

/** Ends the session of Windows, as its shutdown does. Resolves when the till's process has ended. Stand-in only. */
export async function endSession(app: ElectronApplication): Promise<void> {
  const ended = new Promise((resolve) => app.process().once('exit', resolve))
  await app.evaluate((electron) => {
    const standIn = Reflect.get(electron, '__standIn') as StandIn
    // The evaluation must be answered before.
    setImmediate(() => standIn.endSession())
  })
  await ended
}

/** Answers the prompt of a locked keyring. Stand-in only. */
export const unlockKeyring = (app: ElectronApplication): Promise<void> =>
  app.evaluate((electron) => (Reflect.get(electron, '__standIn') as StandIn).unlockKeyring())

/** The test interface of the Electron stand-in; see its README. */
interface StandIn {
  answer(api: string, value: unknown): void
  endSession(): void
  unlockKeyring(): void
  readonly calls: readonly unknown[]
}

/** Answers the next save dialog with `filePath`. */
export const answerSaveDialog = (app: ElectronApplication, filePath: string): Promise<void> =>
  app.evaluate((electron, path) => {
    const answer = { canceled: false, filePath: path }
    const standIn = Reflect.get(electron, '__standIn') as StandIn | undefined
    if (standIn) standIn.answer('dialog.showSaveDialog', answer)
    else electron.dialog.showSaveDialog = () => Promise.resolve(answer)
  }, filePath)

/** Returns the calls that the stand-in recorded instead of passing them to the system, as JSON; `[]` on real Electron. */
export const systemCalls = (app: ElectronApplication): Promise<string> =>
  app.evaluate((electron) => {
    const standIn = Reflect.get(electron, '__standIn') as StandIn | undefined
    return JSON.stringify(standIn?.calls ?? [])
  })
