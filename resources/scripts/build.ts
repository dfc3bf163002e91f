/** `npm run build`: compiles the messages, builds the app into `out/`, and collects the licences of its packages. */
import { runTool, TOOLS } from './tools.ts'

/** Builds the app. Exits the process with the code of the first step that fails. */
export async function build(): Promise<void> {
  const steps = [
    [TOOLS.messages, []],
    [TOOLS.electronVite, ['build', '--logLevel', 'warn']],
    [TOOLS.licences, []]
  ] as const
  for (const [tool, args] of steps) {
    const code = await runTool(tool, args)
    if (code !== 0) process.exit(code)
  }
}

if (import.meta.main) await build()
