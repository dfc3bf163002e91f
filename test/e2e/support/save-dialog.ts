/** What a person would say to the system's own dialog. */
import type { ElectronApplication } from '@playwright/test'

/** What the stand-in adds to Electron's modules; see its README. */
interface StandIn {
  answer(api: string, value: unknown): void
  readonly calls: readonly unknown[]
}

/** Has the next dialog for where a file goes answered with `filePath`. */
export const savesAt = (app: ElectronApplication, filePath: string): Promise<void> =>
  app.evaluate((electron, path) => {
    const answer = { canceled: false, filePath: path }
    const standIn = Reflect.get(electron, '__standIn') as StandIn | undefined
    if (standIn) standIn.answer('dialog.showSaveDialog', answer)
    else electron.dialog.showSaveDialog = () => Promise.resolve(answer)
  }, filePath)

/** What would have reached the operating system or a person so far, as JSON; empty on the real Electron. */
export const callsOf = (app: ElectronApplication): Promise<string> =>
  app.evaluate((electron) => {
    const standIn = Reflect.get(electron, '__standIn') as StandIn | undefined
    return JSON.stringify(standIn?.calls ?? [])
  })
