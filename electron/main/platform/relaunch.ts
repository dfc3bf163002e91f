/** Restarts the till. */
import { app } from 'electron'

export class Relauncher {
  readonly #environment: Readonly<Record<string, string>>

  /** @param environment variables that the next process needs, and this one has removed from its own environment */
  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment
  }

  /**
   * Starts the till again once this process has ended, with the options of this start except `--restore-journal`, which
   * is for one start.
   */
  relaunch(additionalArguments: readonly string[] = []): void {
    const repeated = process.argv.slice(1).filter((argument) => !argument.startsWith('--restore-journal'))
    // Electron starts the process that waits for this one now, and that process passes its environment on.
    Object.assign(process.env, this.#environment)
    app.relaunch({ args: [...repeated, ...additionalArguments] })
    for (const name of Object.keys(this.#environment)) Reflect.deleteProperty(process.env, name)
  }
}
