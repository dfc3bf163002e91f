/** The training service over HTTP in a separate process, which does not share a thread with the measured app. */
import { join } from 'node:path'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { startServer } from '../../support/service-load/server.ts'
import { TOKEN } from './open.ts'

/** Serves a new business of so many customers from `file` while `use` works; gives `use` the base address. */
export async function withService<Result>(
  { customers, file }: { readonly customers: number; readonly file: string },
  use: (url: string) => Promise<Result>
): Promise<Result> {
  const service = await startServer(join(PROJECT, 'electron/service/cli/main.ts'), [
    ...['--port', '0', '--token', TOKEN, '--data', file, '--customers', String(customers)]
  ])
  try {
    return await use(service.url.href)
  } finally {
    await service.close()
  }
}
