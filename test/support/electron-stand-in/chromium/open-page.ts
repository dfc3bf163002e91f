import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Connection } from './connection.ts'

/** Width and height in device-independent pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** Opens an empty page without anything to see. @returns Chromium's id of the page */
export async function openHiddenPage(connection: Connection, { width, height }: PageSize): Promise<string> {
  const opened = await connection.send('Target.createTarget', {
    url: 'about:blank',
    width,
    height,
    newWindow: true
  })
  return opened.targetId
}

/**
 * Opens an empty page in a window of its own, without tabs and address bar. Only Chromium's command line can ask for
 * such a window: a second process with the same profile forwards the request to the running one and ends.
 * @returns Chromium's id of the page
 */
export async function openAppWindow(
  connection: Connection,
  launcher: {
    readonly executable: string
    readonly switches: readonly string[]
    readonly environment: NodeJS.ProcessEnv
  },
  { width, height }: PageSize
): Promise<string> {
  const mark = `stand-in-${randomUUID()}`
  const found = Promise.withResolvers<string>()
  const stop = connection.on('Target.targetInfoChanged', ({ targetInfo }) => {
    if (targetInfo.url.includes(mark)) found.resolve(targetInfo.targetId)
  })
  const wanted = [
    ...launcher.switches,
    `--window-size=${width},${height}`,
    `--app=data:text/html,<!--${mark}-->`
  ]
  const messenger = spawn(launcher.executable, wanted, {
    env: launcher.environment,
    stdio: 'ignore'
  })
  messenger.once('error', found.reject)
  try {
    return await found.promise
  } finally {
    stop()
  }
}
