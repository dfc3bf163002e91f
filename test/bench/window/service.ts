/** The training service over HTTP in a separate process, which does not share a thread with the measured app. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { TOKEN } from './open.ts'

/** Serves a new business of so many customers from `file` while `use` works; gives `use` the base address. */
export async function withService<Result>(
  { customers, file }: { readonly customers: number; readonly file: string },
  use: (url: string) => Promise<Result>
): Promise<Result> {
  const program = join(PROJECT, 'electron/service/cli/main.ts')
  const flags = ['--port', '0', '--token', TOKEN, '--data', file, '--customers', String(customers)]
  const service = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(service, 'exit')
  try {
    return await use(await addressOf(createInterface(service.stdout)))
  } finally {
    service.kill()
    await ended
  }
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /^listening on (\S+)$/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('The training service ended before it listened')
}
