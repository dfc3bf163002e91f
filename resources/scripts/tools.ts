/** Running one program of the project's own tools and waiting for its end. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** Paths of the tools that the steps run, in node_modules. */
export const TOOLS = {
  messages: 'resources/scripts/messages.ts',
  tsc: 'node_modules/typescript/bin/tsc',
  svelteCheck: 'node_modules/svelte-check/bin/svelte-check',
  eslint: 'node_modules/eslint/bin/eslint.js',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  electronVite: 'node_modules/electron-vite/bin/electron-vite.js',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js'
} as const

/**
 * Runs a JavaScript tool with this very Node, its output passed through.
 * @returns the exit code; 1 when a signal ended it
 */
export function runTool(tool: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return runProgram(process.execPath, [tool, ...args], env)
}

/** Runs any program in the project's folder, its output passed through; gives the exit code. */
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

/** Builds the app into `out/`; ends this process when the build fails. */
export async function build(): Promise<void> {
  if ((await runTool(TOOLS.messages, [])) !== 0) process.exit(1)
  const code = await runTool(TOOLS.electronVite, ['build', '--logLevel', 'warn'])
  if (code !== 0) process.exit(code)
}

/** Whether a window can be shown to a person on this machine. */

/** True on Windows and macOS, and on Linux with an X or Wayland display. */
export const hasDisplay = (): boolean =>
  process.platform !== 'linux' || ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => process.env[name])
