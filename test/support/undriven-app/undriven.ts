/**
 * An app without a test driver. A driver makes the page keep its results: 10 MB in the till's page, and almost nothing
 * in an empty one.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { launchOf, type OpenOptions } from '../../e2e/support/till.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { connectDevTools, type DevTools } from './devtools.ts'
import { memoryOf, wholeMemoryOf, type AppMemory, type WholeMemory } from './processes.ts'

/** A running app. */
export interface UndrivenApp {
  /** Resolves with the memory of its processes now. */
  memory(): Promise<AppMemory>
  /** Returns the memory of all its processes now, Chromium's too. Linux only. */
  wholeMemory(): WholeMemory
  /** Opens a DevTools connection to main. */
  connectMain(): Promise<DevTools>
  /** Opens a DevTools connection to the page whose URL contains `urlPart`, once it is shown. */
  connectPage(urlPart: string): Promise<DevTools>
  /** Calls `use` with a DevTools connection to main, which is closed afterwards. */
  inMain<Result>(use: (main: DevTools) => Promise<Result>): Promise<Result>
  /** Calls `use` with a DevTools connection to the page, which is closed afterwards. */
  inPage<Result>(use: (page: DevTools) => Promise<Result>): Promise<Result>
  /** Quits the app, and resolves when it has ended. */
  close(): Promise<void>
}

const LISTENING = { main: /^Debugger listening on (ws:\S+)/, page: /^DevTools listening on (ws:\S+)/ }

/** Resolves with the DevTools addresses of main and Chromium, which the app prints at its start. */
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
  if (main === '' || chromium === '') throw new Error('The app ended before its DevTools listened')
  return { main, chromium: new URL(chromium) }
}

const pagesSchema = v.array(v.object({ type: v.string(), url: v.string(), webSocketDebuggerUrl: v.string() }))

/** Resolves with the DevTools address of a page that the app shows, once there is one whose URL contains `urlPart`. */
async function pageOf(chromium: URL, urlPart = ''): Promise<string> {
  for (;;) {
    const response = await fetch(`http://${chromium.host}/json/list`)
    const pages = v.parse(pagesSchema, await response.json())
    const shown = pages.find(
      ({ type, url }) => type === 'page' && url !== '' && url !== 'about:blank' && url.includes(urlPart)
    )
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

/** Resolves with the resident set of the main process at `address` in MB, shared pages included. */
const residentOf = (address: string): Promise<number> =>
  using(address, async (main) =>
    v.parse(v.number(), await main.evaluate('process.memoryUsage.rss() / 2 ** 20'))
  )

/** Starts an app as a desktop does, and resolves when it shows a page. */
export async function openUndriven(options: OpenOptions): Promise<UndrivenApp> {
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
  const pid = await using(main, async (devTools) =>
    v.parse(v.number(), await devTools.evaluate('process.pid'))
  )
  return {
    memory: async () => memoryOf(pid) ?? { main: await residentOf(main), page: null, pdfWorker: null },
    wholeMemory: () => wholeMemoryOf(pid),
    connectMain: () => connectDevTools(main),
    connectPage: async (urlPart) => connectDevTools(await pageOf(chromium, urlPart)),
    inMain: (use) => using(main, use),
    inPage: (use) => using(page, use),
    async close() {
      process.kill(pid, 'SIGTERM')
      await ended
    }
  }
}
