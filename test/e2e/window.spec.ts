import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EVENTS, IPC_METHODS } from '../../electron/contract/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { electron } from './support/electron.ts'
import { crashRenderer, evaluateInRenderer } from './support/main-process.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'

test.describe('main window', () => {
  test('a second start on the same folder shows the window and exits', async ({ open }) => {
    const till = await open()
    await till.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
    const second = spawn(electron.executable, [...electron.args, '.', `--user-data-dir=${till.userData}`], {
      cwd: PROJECT,
      env: { ...process.env, ...electron.env },
      stdio: 'ignore'
    })
    expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0)
    const minimized = () =>
      till.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isMinimized()))
    await expect.poll(minimized).toEqual([false])
  })

  test('runs on when its standard error is closed', async ({ userData }) => {
    // A damaged journal is logged as an error, which is echoed.
    const folder = join(userData, 'till')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'journal.sqlite'), 'not a database')
    const till = spawn(electron.executable, [...electron.args, '.', `--user-data-dir=${folder}`], {
      cwd: PROJECT,
      env: { ...process.env, ...electron.env },
      stdio: ['ignore', 'ignore', 'pipe']
    })
    const ended = once(till, 'exit')
    till.stderr.destroy()
    const log = (): Promise<string> => readFile(join(folder, 'logs/till.log'), 'utf8').catch(() => '')
    await expect.poll(log).toContain('journal-not-opened')
    till.kill()
    await ended
    expect(await log()).not.toContain('EPIPE')
  })

  test('main starts deferred work after the first paint', async ({ shared }) => {
    const { userData } = shared
    const events = async (): Promise<unknown[]> =>
      (await readFile(join(userData, 'logs/till.log'), 'utf8'))
        .trim()
        .split('\n')
        .map((line): unknown => Reflect.get(JSON.parse(line) as object, 'event'))
    await expect.poll(events).toContain('renderer-ready')
    expect(await events()).not.toContain('renderer-not-ready')
  })

  test('has no menu whose shortcuts reload, close or zoom the page', async ({ shared }) => {
    const { app } = shared
    const roles = await app.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) =>
        (submenu?.items ?? []).map(({ role }) => String(role).toLowerCase())
      )
    )
    expect(roles).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/reload|close|zoom(in|out)|devtools/)])
    )
  })

  test('reloads after a renderer crash', async ({ openConnected }) => {
    const { app, cashier } = await openConnected()
    await expect(cashier.search).toBeFocused()
    await crashRenderer(app)
    await expect
      .poll(() => evaluateInRenderer(app, 'document.activeElement?.getAttribute("aria-label")'))
      .toBe('Find customer')
  })

  test('blocks navigation and new windows', async ({ shared }) => {
    const { app, cashier, page } = shared
    const before = page.url()
    await page.evaluate(() => {
      window.open('https://example.com/')
      location.href = 'https://example.com/'
    })
    const windows = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
    expect(page.url()).toBe(before)
    expect(windows).toBe(1)
    await expect(cashier.search).toBeVisible()
  })

  test('exposes only the bridge, nothing of Electron or Node', async ({ shared }) => {
    const { page } = shared
    expect(
      await page.evaluate(() => ({
        bridge: Object.keys(window.tillpoints ?? {}).sort(),
        node: ['require', 'process', 'module', 'Buffer', 'electron'].filter((name) => name in globalThis)
      }))
    ).toEqual({
      bridge: [...Object.keys(IPC_METHODS), ...Object.keys(EVENTS), 'of'].sort(),
      node: []
    })
  })
})
