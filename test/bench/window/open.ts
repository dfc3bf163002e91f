/** The built till in its window and the service that it is connected to, as the rows that drive it need them. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { openTill, type OpenTill } from '../../e2e/support/till.ts'
import { startServer, type Server } from '../../support/service-load/server.ts'
import { TOKEN } from './customers.ts'

/** Starts the training service in a process of its own, which does not share a thread with the measured app. */
export const startTraining = (...args: readonly string[]): Promise<Server> =>
  startServer(join(PROJECT, 'electron/service/cli/main.ts'), ['--port', '0', '--token', TOKEN, ...args])

/** Serves a new business of so many customers from a file in `folder` while `use` works; gives `use` the base address. */
export async function withService<Result>(
  folder: string,
  customers: number,
  use: (url: string) => Promise<Result>
): Promise<Result> {
  const file = join(folder, 'service.sqlite')
  const service = await startTraining('--data', file, '--customers', String(customers))
  try {
    return await use(service.url.href)
  } finally {
    await service.close()
  }
}

/** What a till needs to know its service. */
export const environmentOf = (url: string) => ({ TILLPOINTS_BASE_URL: url, TILLPOINTS_TOKEN: TOKEN })

/**
 * Opens a till, lets `use` work with it, and closes it.
 *
 * @param connected a folder that is there, in which the till's own is made, the base address of a service, and what the
 * environment has beside that of every till
 */
export async function withTill<Result>(
  { folder, url, env }: { readonly folder: string; readonly url: string; readonly env?: object },
  use: (till: OpenTill) => Promise<Result>
): Promise<Result> {
  const userData = join(folder, 'till')
  await mkdir(userData, { recursive: true })
  const till = await openTill({
    userData,
    env: { ...env, ...environmentOf(url) },
    size: { width: 1280, height: 800 }
  })
  try {
    return await use(till)
  } finally {
    await till.close()
  }
}
