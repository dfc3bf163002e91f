/** Windows programs in Wine, and the project's code on a Windows Node in it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { WINDOWS_NODE_IN_CHROOT } from './chroot.ts'

/** The folder with the scripts that are built for the Windows Node. */
export const SCRIPTS_FOLDER = join(PROJECT, 'out/windows-tests')

const WINE_PREFIX = '/root/.wine'

/** A program in Wine that hangs is stopped. */
const TIMEOUT_MS = 170_000

const wineEnvironment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
  HOME: '/root',
  WINEPREFIX: WINE_PREFIX,
  WINEARCH: 'win64',
  WINEDEBUG: '-all',
  // Wine offers to download replacements of .NET and Internet Explorer otherwise.
  WINEDLLOVERRIDES: 'mscoree,mshtml='
})

/** Runs a program of Wine. Its output goes to a file: a Windows Node fails to write to pipes there. */
async function wine(command: string, args: readonly string[], more?: NodeJS.ProcessEnv): Promise<void> {
  const folder = await mkdtemp('/tmp/wine-')
  const output = await open(join(folder, 'output'), 'w+')
  try {
    const child = spawn(command, args, {
      env: wineEnvironment(more),
      stdio: ['ignore', output.fd, output.fd],
      timeout: TIMEOUT_MS
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) {
      throw new Error(
        `${command} ended with ${String(code)}:\n${await readFile(join(folder, 'output'), 'utf8')}`
      )
    }
  } finally {
    await output.close()
    await rm(folder, { recursive: true })
  }
}

/** Starts Windows, and makes it before unless an earlier run did. It runs until `stopWindows`. */
export async function startWindows(): Promise<void> {
  if (!existsSync(join(WINE_PREFIX, 'system.reg'))) {
    await wine('wineboot', ['--init'])
    await wine('winecfg', ['-v', 'win10'])
  }
  // Without a program Wine shuts its services down, and starts them for the next one in seconds.
  const keepRunning = [WINDOWS_NODE_IN_CHROOT, '-e', 'setInterval(() => undefined, 1000)']
  spawn('wine', keepRunning, { env: wineEnvironment(), stdio: 'ignore' }).unref()
}

/** Ends every program in Wine. */
export const stopWindows = (): Promise<void> => wine('wineserver', ['-k']).catch(() => undefined)

/** Returns the path that a Windows program uses for a path of Linux. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`

/**
 * Runs a script of `on-windows/` on the Windows Node. Resolves with the value that it returned.
 * @param input passed to the script
 * @param more additions to its environment
 */
export async function runOnWindows(
  script: string,
  input: object = {},
  more?: NodeJS.ProcessEnv
): Promise<unknown> {
  const folder = await mkdtemp('/tmp/on-windows-')
  const [inputFile, outputFile] = [join(folder, 'input.json'), join(folder, 'output.json')]
  try {
    await writeFile(inputFile, JSON.stringify(input))
    const args = [join(SCRIPTS_FOLDER, `${script}.mjs`), inputFile, outputFile].map(windowsPath)
    await wine('wine', [WINDOWS_NODE_IN_CHROOT, ...args], more)
    return JSON.parse(await readFile(outputFile, 'utf8')) as unknown
  } finally {
    await rm(folder, { recursive: true })
  }
}
