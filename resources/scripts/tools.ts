/** Runs the project's tools and other programs from the npm scripts. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** Paths of the tools, relative to the project's folder. */
export const TOOLS = {
  messages: 'resources/scripts/messages.ts',
  licences: 'resources/packaging/licences.ts',
  tsc: 'node_modules/@typescript/native/bin/tsc',
  svelteCheck: 'node_modules/svelte-check/bin/svelte-check',
  eslint: 'node_modules/eslint/bin/eslint.js',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  knip: 'node_modules/knip/bin/knip.js',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  electronVite: 'node_modules/electron-vite/bin/electron-vite.js',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js'
} as const

/** Runs a JavaScript tool with the current Node. Resolves with its exit code; see `runProgram`. */
export function runTool(tool: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return runProgram(process.execPath, [tool, ...args], env)
}

/** As `runTool`, but what runs beside it has the processors first. */
export function runToolBehindOthers(
  tool: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {}
): Promise<number> {
  if (process.platform === 'win32') return runTool(tool, args, env)
  return runProgram('nice', ['-n', '19', process.execPath, tool, ...args], env)
}

/**
 * Runs a program in the project's folder with inherited output.
 * @param env variables added to the current environment
 * @returns its exit code; 1 when a signal ended it
 */
export function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {}
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: PROJECT, stdio: 'inherit', env: { ...process.env, ...env } })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Whether a window can be shown: always on Windows and macOS, on Linux with an X or Wayland display. */
export const hasDisplay = (): boolean =>
  process.platform !== 'linux' || ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => process.env[name])
