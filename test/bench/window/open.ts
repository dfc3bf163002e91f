/** The built till in its window, connected to a service, as the rows that drive it need it. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openTill, type OpenTill } from '../../e2e/support/till.ts'

/** Where a till gets its data and its service. */
export interface Connected {
  /** a folder that is there; the till's own is made in it */
  readonly folder: string
  /** base address of a training service that knows the token `demo` */
  readonly url: string
  /** folder of the app, where it is not the built till as it is */
  readonly appFolder?: string
  /** what its environment has beside that of every till */
  readonly env?: Readonly<Record<string, string>>
}

/** The token of every service of the bench. */
export const TOKEN = 'demo'

/** Opens a till, lets `use` work with it, and closes it. */
export async function withTill<Result>(
  { folder, url, env, ...app }: Connected,
  use: (till: OpenTill) => Promise<Result>
): Promise<Result> {
  const userData = join(folder, 'till')
  await mkdir(userData, { recursive: true })
  const till = await openTill({
    ...app,
    userData,
    env: { ...env, TILLPOINTS_BASE_URL: url, TILLPOINTS_TOKEN: TOKEN },
    size: { width: 1280, height: 800 }
  })
  try {
    return await use(till)
  } finally {
    await till.close()
  }
}
