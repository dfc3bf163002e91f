/** What a machine does to a till, and how a test sees a page that Playwright has lost. */
import type { ElectronApplication } from '@playwright/test'

/** Runs a script in the window's page as main sees it: Playwright's own page is of no use after a crash. */
export const inPage = <Value>(app: ElectronApplication, script: string): Promise<Value | undefined> =>
  app.evaluate(
    ({ BrowserWindow }, code) =>
      // A page that is being loaded again has nothing to say yet.
      BrowserWindow.getAllWindows()[0]
        ?.webContents.executeJavaScript(code)
        .catch(() => undefined) as Promise<Value | undefined>,
    script
  )

/** Ends the page's process, as a fault of Chromium would; resolves when main has heard of it. */
export const crashPage = (app: ElectronApplication): Promise<void> =>
  app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.once('render-process-gone', () => resolve())
        contents?.forcefullyCrashRenderer()
      })
  )

/** Puts the machine to sleep and wakes it. */
export const sleepAndWake = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ powerMonitor }) => {
    powerMonitor.emit('suspend')
    powerMonitor.emit('resume')
  })

/** Decides what the person answers to the next message, by the place of the button; nothing is started again. */
export const answerMessage = (app: ElectronApplication, button: number): Promise<void> =>
  app.evaluate((electron, response) => {
    const standIn: unknown = Reflect.get(electron, '__standIn')
    if (standIn) {
      const { answer } = standIn as { answer: (api: string, value: unknown) => void }
      answer.call(standIn, 'dialog.showMessageBox', { response })
      return
    }
    electron.dialog.showMessageBox = () => Promise.resolve({ response, checkboxChecked: false })
    electron.app.relaunch = () => undefined
  }, button)

/** Ends the process that papers are made in, the first time, as it is asked for a slip: as a font might that breaks it. */
export const losePapersOnce = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ utilityProcess }) => {
    const fork = utilityProcess.fork.bind(utilityProcess)
    utilityProcess.fork = (...input) => {
      utilityProcess.fork = fork
      const child = fork(...input)
      const post = child.postMessage.bind(child)
      child.postMessage = (message: { readonly call: string }) => {
        post(message)
        if (message.call === 'slips' && !child.kill()) child.once('spawn', () => child.kill())
      }
      return child
    }
  })
