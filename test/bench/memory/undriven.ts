/**
 * An app without a test driver. A driver has the page keep what it was answered, for its own use: 10 MB of the till's
 * page, and next to nothing of an empty one.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { launchOf, type OpenOptions } from '../../e2e/support/till.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { connectDevTools, type DevTools } from './devtools.ts'
import { sharesOf, type Held } from './processes.ts'

/** An app that runs by itself. */
export interface Undriven {
  /** Reads what main and the page hold now. */
  held(): Promise<Held>
  /** Asks main something; nothing of the connection stays behind. */
  inMain<Result>(use: (main: DevTools) => Promise<Result>): Promise<Result>
  /** The same of the page. */
  inPage<Result>(use: (page: DevTools) => Promise<Result>): Promise<Result>
  /** Has it quit, and waits until it ended. */
  close(): Promise<void>
}

const LISTENING = { main: /^Debugger listening on (ws:\S+)/, page: /^DevTools listening on (ws:\S+)/ }

/** The addresses at which main and Chromium can be asked, from what the app says at its start. */
async function addressesOf(child: ChildProcess): Promise<{ readonly main: string; readonly chromium: URL }> {
  if (!child.stderr) throw new Error('The app has no standard error')
  let [main, chromium] = ['', '']
  const lines = createInterface({ input: child.stderr })
  for await (const line of lines) {
    main ||= LISTENING.main.exec(line)?.[1] ?? ''
    chromium ||= LISTENING.page.exec(line)?.[1] ?? ''
    if (main !== '' && chromium !== '') break
  }
  child.stderr.resume()
  if (main === '' || chromium === '') throw new Error('The app ended before it could be asked')
  return { main, chromium: new URL(chromium) }
}

const pagesSchema = v.array(v.object({ type: v.string(), url: v.string(), webSocketDebuggerUrl: v.string() }))

/** The address of the page that the app shows; waits until there is one. */
async function pageOf(chromium: URL): Promise<string> {
  for (;;) {
    const answer = await fetch(`http://${chromium.host}/json/list`)
    const pages = v.parse(pagesSchema, await answer.json())
    const shown = pages.find(({ type, url }) => type === 'page' && url !== '' && url !== 'about:blank')
    if (shown) return shown.webSocketDebuggerUrl
    await wait(50)
  }
}

const using = async <Result>(
  address: string,
  use: (devTools: DevTools) => Promise<Result>
): Promise<Result> => {
  const devTools = await connectDevTools(address)
  try {
    return await use(devTools)
  } finally {
    devTools.close()
  }
}

/** Megabytes that the main process at `address` says to have in memory, shared pages included. */
const residentOf = (address: string): Promise<number> =>
  using(address, async (main) =>
    v.parse(v.number(), await main.evaluate('process.memoryUsage.rss() / 2 ** 20'))
  )

/** Starts an app, as a desktop would, and waits until it shows a page. */
export async function openUndriven(options: OpenOptions): Promise<Undriven> {
  const { executablePath, args, env } = launchOf(options)
  const child = spawn(executablePath, ['--inspect=0', '--remote-debugging-port=0', ...args], {
    cwd: PROJECT,
    env,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const ended = once(child, 'exit')
  const { main, chromium } = await addressesOf(child)
  const page = await pageOf(chromium)
  // The child may be a shell that started main.
  const pid = await using(main, async (asked) => v.parse(v.number(), await asked.evaluate('process.pid')))
  return {
    held: async () => sharesOf(pid) ?? { main: await residentOf(main), page: null, papers: 0 },
    inMain: (use) => using(main, use),
    inPage: (use) => using(page, use),
    async close() {
      process.kill(pid, 'SIGTERM')
      await ended
    }
  }
}
