import { resolve } from 'node:path'

/** What `electron [options] [path] [arguments]` asked for. */
export interface CommandLine {
  /** modules to require before the app, from -r */
  readonly preloadModules: readonly string[]
  /** the folder or file of the app, absolute; undefined when none was given */
  readonly app: string | undefined
  /** the port of Node's inspector; undefined: no inspector */
  readonly inspectPort: number | undefined
  /** the port of Chromium's debugging server; undefined: no server */
  readonly remoteDebuggingPort: string | undefined
  /** show real windows rather than run headless */
  readonly visible: boolean
  /** print the version and exit */
  readonly version: boolean
}

/**
 * Reads the arguments as Electron's default app does: what follows the app's path belongs to the app, except that
 * switches apply at every position, because Chromium reads the whole line.
 */
export function parseCommandLine(args: readonly string[], environment: NodeJS.ProcessEnv): CommandLine {
  const preloadModules: string[] = []
  let app: string | undefined
  for (let index = 0; index < args.length && app === undefined; index++) {
    const arg = args[index] ?? ''
    if (arg === '-r' || arg === '--require') preloadModules.push(args[++index] ?? '')
    else if (arg.startsWith('--app=')) app = arg.slice('--app='.length)
    else if (!arg.startsWith('-')) app = arg
  }
  const inspect = args.find((arg) => /^--inspect(-brk)?(=|$)/.test(arg))
  return {
    preloadModules,
    app: app === undefined ? undefined : resolve(app),
    inspectPort: inspect === undefined ? undefined : Number(/(\d+)$/.exec(inspect)?.[1] ?? 9229),
    remoteDebuggingPort: readSwitch(args, 'remote-debugging-port'),
    visible: environment['TILLPOINTS_STAND_IN'] === 'visible' || args.includes('--stand-in-visible'),
    version: app === undefined && (args.includes('--version') || args.includes('-v'))
  }
}

/** The value of `--name=value` in a command line; an empty text for a bare `--name`, undefined when absent. */
export function readSwitch(args: readonly string[], name: string): string | undefined {
  const arg = args.findLast((each) => each === `--${name}` || each.startsWith(`--${name}=`))
  return arg?.slice(name.length + 3)
}
