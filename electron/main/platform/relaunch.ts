/** Restarts the till. */
import { spawn } from 'node:child_process'
import { app } from 'electron'
import { basename, sep } from 'node:path'
import type { Logger } from '../log/log.ts'
import { isBillLink } from './command-line.ts'

/**
 * Waits for the end of the process `$1`, and at most ten seconds until the folder `$2` is gone; then becomes the program
 * `$3` with the other arguments, and with the variables of its input (`NAME=value`, each followed by a NUL). It first closes
 * the inherited files, which would keep the old AppImage mounted. Needs bash, as the AppImage does: other shells cannot close
 * file descriptors above 9.
 */
const START_APP_IMAGE = `
for file in /proc/$$/fd/*; do ((\${file##*/} > 2)) && eval "exec \${file##*/}>&-"; done
while kill -0 "$1" 2> /dev/null; do sleep 0.1; done
for _ in {1..100}; do [ -e "$2" ] || break; sleep 0.1; done
while IFS= read -r -d '' variable; do export "$variable"; done
exec < /dev/null
exec "\${@:3}"`

/** Returns the AppImage that contains this program, and the folder it runs from; null outside of an AppImage. */
function currentAppImage(): { readonly file: string; readonly folder: string } | null {
  // Programs that another AppImage starts inherit its variables.
  const { APPIMAGE: file, APPDIR: folder } = process.env
  return file && folder && app.getPath('exe').startsWith(folder + sep) ? { file, folder } : null
}

/** Set on the command line of a till that restarted because its update could not be installed. */
export const UPDATE_NOT_INSTALLED = '--update-not-installed'

/** Whether an argument is for one start only. */
const isForOneStart = (argument: string): boolean =>
  argument.startsWith('--restore-journal') || argument === UPDATE_NOT_INSTALLED || isBillLink(argument)

/** The one way to restart. Only electron-updater restarts by itself, where its installer must run before: not on Linux. */
export class Relauncher {
  readonly #environment: Readonly<Record<string, string>>
  readonly #log: Logger

  /** @param environment variables that the next process needs, and this one has removed from its own environment */
  constructor(environment: Readonly<Record<string, string>>, log: Logger) {
    this.#environment = environment
    this.#log = log
  }

  /**
   * Starts the till again once this process has ended, with the options of this start except those for one start. The
   * caller quits.
   */
  relaunch(additionalArguments: readonly string[] = []): void {
    const repeated = process.argv.slice(1).filter((argument) => !isForOneStart(argument))
    const args = [...repeated, ...additionalArguments]
    const appImage = currentAppImage()
    this.#log.info('relaunching', { appImage: appImage !== null })
    if (appImage === null) this.#startProgram(args)
    else this.#startAppImage(appImage.file, appImage.folder, args)
  }

  #startProgram(args: string[]): void {
    // The process that waits for the end of this one starts now, is this program too, and passes its environment on.
    Object.assign(process.env, this.#environment)
    app.relaunch({ args })
    for (const name of Object.keys(this.#environment)) Reflect.deleteProperty(process.env, name)
  }

  /** Does what `app.relaunch` would do from inside the AppImage, whose files are gone when this process has ended. */
  #startAppImage(file: string, folder: string, args: readonly string[]): void {
    // `--appimage-extract-and-run` uses the same folder again, and removes it at its end.
    const isExtracted = basename(folder).startsWith('appimage_extracted_')
    const shell = ['-c', START_APP_IMAGE, 'relaunch', String(process.pid), isExtracted ? folder : '', file]
    const child = spawn('bash', [...shell, ...args], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, ...(isExtracted && { APPIMAGE_EXTRACT_AND_RUN: '1' }) }
    })
    const report = (error: Error): void => this.#log.error('not-relaunched', { error })
    child.on('error', report).unref()
    // Not in its environment, which every program that it starts would inherit.
    const variables = Object.entries(this.#environment).map(([name, value]) => `${name}=${value}\0`)
    child.stdin.on('error', report).end(variables.join(''))
  }
}
