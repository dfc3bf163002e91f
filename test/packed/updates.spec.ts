/** The packed app updates itself from a feed on this machine; on Linux as an AppImage. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import type { UpdateState } from '../../electron/contract/updates.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { changeSettings, stateOf } from '../e2e/support/bridge.ts'
import { expect, test as base, type Counter } from '../e2e/support/fixtures.ts'
import { openUpdateFeed, type UpdateFeed } from '../support/update-feed.ts'
import { driven } from './pack.ts'

const [known] = KNOWN_CUSTOMERS

/** A new AppImage: a program that writes down that it was started, and by what. */
const NEW = Buffer.from(
  `#!/bin/sh\necho "started to install only: \${APPIMAGE_EXIT_AFTER_INSTALL:-no} $@" >> "$(dirname "$0")/started"\nexit 0\n${'#'.repeat(200_000)}\n`
)
/** Another, which fails to install itself. */
const FAILING = Buffer.from(NEW.toString().replace('exit 0', 'exit ${APPIMAGE_EXIT_AFTER_INSTALL:+1}'))
const OLD = 'the AppImage that runs now'

/** Presses *Restart and update*, and waits for the end of the process. */
async function restartAndUpdate({ app, page }: Counter): Promise<void> {
  const ended = new Promise((resolve) => app.process().once('exit', resolve))
  const press = page.getByRole('button', { name: 'Restart and update' }).click()
  // The page may be gone before the press is answered.
  const pressed = press.catch((error: unknown) => {
    if (!String(error).includes('has been closed')) throw error
  })
  await Promise.all([ended, pressed])
}

interface Fixtures {
  readonly feed: UpdateFeed
  /** file of the AppImage that runs */
  readonly appImage: string
  /** An app in training mode that checks the feed for updates. */
  readonly till: Counter
}

const test = base.extend<Fixtures>({
  feed: async ({}, use) => {
    const feed = await openUpdateFeed()
    await use(feed)
    await feed.close()
  },
  appImage: async ({ userData }, use) => {
    await mkdir(join(userData, 'installed'))
    const file = join(userData, 'installed/Tillpoints.AppImage')
    await writeFile(file, OLD)
    await chmod(file, 0o755)
    await use(file)
  },
  till: async ({ open, feed, appImage, userData }, use) => {
    const till = await open({
      installed: driven.executable,
      env: {
        APPIMAGE: appImage,
        APPDIR: dirname(driven.executable),
        XDG_CACHE_HOME: join(userData, 'cache')
      }
    })
    await till.manager.startTraining()
    await till.cashier.search.waitFor()
    await changeSettings(till.page, { updates: { feed: feed.url } })
    await use(till)
  }
})

const updateOf = async (page: Page): Promise<UpdateState> => (await stateOf(page)).update

const check = (page: Page) => page.evaluate(() => window.tillpoints?.updates.check())

const install = (page: Page, serving: boolean) =>
  page.evaluate((served) => window.tillpoints?.updates.install({ serving: served }), serving)

/** Looks for an update; how that ended. */
const looked = async (page: Page): Promise<UpdateState> => {
  await check(page)
  await expect.poll(async () => (await updateOf(page)).kind).toMatch(/newest|ready|failed/)
  return updateOf(page)
}

test.describe('an update', () => {
  test('downloads in the background, waits, and is installed when the app closes', async ({
    till,
    feed,
    appImage,
    userData
  }) => {
    expect(await updateOf(till.page)).toEqual({ kind: 'unchecked' })
    expect(feed.asked).toEqual([])
    feed.offer('9.0.0', NEW)
    expect(await looked(till.page)).toEqual({ kind: 'ready', version: '9.0.0' })
    // The updater sends no id of the installation.
    expect(feed.headers['x-user-staging-id']).toBe('')

    await till.cashier.choose(known.phone, known.name)
    expect(await install(till.page, true)).toEqual({ ok: true, value: { kind: 'wait', for: 'customer' } })
    await till.cashier.print(250)
    await expect(till.cashier.lastSlip).toBeVisible()
    expect(await readFile(appImage, 'utf8')).toBe(OLD)

    await till.close()
    await expect.poll(() => existsSync(join(userData, 'installed/started'))).toBe(true)
    expect(await readFile(appImage)).toEqual(NEW)
    expect(await readFile(join(userData, 'installed/started'), 'utf8')).toBe(
      'started to install only: true \n'
    )
  })

  test('restarts the app on request', async ({ till, feed, appImage, userData }) => {
    feed.offer('9.0.0', NEW)
    await looked(till.page)
    await till.page.getByRole('main').getByText('Version 9.0.0 is ready.').waitFor()
    await restartAndUpdate(till)
    const starts = async (): Promise<string[]> =>
      (await readFile(join(userData, 'installed/started'), 'utf8')).trimEnd().split('\n')
    await expect.poll(async () => (await starts()).length).toBe(2)
    expect(await readFile(appImage)).toEqual(NEW)
    const [installation, restart] = await starts()
    expect(installation).toMatch(/^started to install only: true/)
    expect(restart).toMatch(/^started to install only: no .*--user-data-dir=/)
  })

  test('that fails to install is not installed again when the app exits', async ({
    till,
    feed,
    appImage,
    userData
  }) => {
    feed.offer('9.0.0', FAILING)
    await looked(till.page)
    await restartAndUpdate(till)
    // A second installation would remove this file, and find no other to put in its place.
    expect(await readFile(appImage)).toEqual(FAILING)
    const starts = async (): Promise<string[]> =>
      (await readFile(join(userData, 'installed/started'), 'utf8')).trimEnd().split('\n')
    await expect.poll(async () => (await starts()).length).toBe(2)
    const [installation, restart] = await starts()
    expect(installation).toMatch(/^started to install only: true/)
    expect(restart).toMatch(/^started to install only: no .*--update-not-installed/)
  })

  test('is refused when truncated, altered or redirected to http; an older version is no update', async ({
    till,
    feed,
    appImage,
    userData
  }) => {
    expect(await looked(till.page)).toMatchObject({ kind: 'failed', fault: 'no-feed' })
    feed.offer('9.0.0', NEW, 'half')
    expect(await looked(till.page)).toMatchObject({ kind: 'failed', fault: 'unreachable' })
    feed.offer('9.0.0', NEW, 'other')
    expect(await looked(till.page)).toMatchObject({ kind: 'failed', fault: 'damaged' })
    feed.offer('9.0.0', NEW, 'elsewhere')
    expect(await looked(till.page)).toMatchObject({ kind: 'failed', fault: 'unreachable' })
    const kept = await readdir(join(userData, 'cache'), { recursive: true })
    expect(kept.filter((file) => file.endsWith('.AppImage'))).toEqual([])
    expect(await install(till.page, false)).toEqual({ ok: true, value: { kind: 'nothing' } })

    feed.offer('0.0.1', NEW)
    expect(await looked(till.page)).toMatchObject({ kind: 'newest' })
    // A good update is installed after the failures.
    feed.offer('9.0.0', NEW)
    expect(await looked(till.page)).toEqual({ kind: 'ready', version: '9.0.0' })
    expect(await readFile(appImage, 'utf8')).toBe(OLD)
  })
})
