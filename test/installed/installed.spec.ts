/** The Linux installers on a minimal Debian. The tests are steps: each continues where the one before it ended. */
import { expect, test } from '@playwright/test'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { slipsOf } from '../e2e/support/bridge.ts'
import { answerMessageBox } from '../e2e/support/main-process.ts'
import { readSlip } from '../support/read-slip.ts'
import { Chroot, HOME_INSIDE, PROJECT_INSIDE } from './chroot.ts'
import { installerIn, NEXT_OUTPUT, NEXT_VERSION, OUTPUT, VERSION } from './installers.ts'
import { openInstalled, USER_DATA, type InstalledTill } from './open-installed.ts'

const [known] = KNOWN_CUSTOMERS

const PACKAGE = 'tillpoints-stand-in'
const DESKTOP_FILE = '/usr/share/applications/tillpoints.desktop'
const LINK = '/usr/bin/tillpoints'
const APP_IMAGE = `${HOME_INSIDE}/Tillpoints.AppImage`

/** Libraries that Electron is linked with, or loads at its start. */
const LIBRARIES = [
  'libasound.so.2',
  'libatk-bridge-2.0.so.0',
  'libatspi.so.0',
  'libcups.so.2',
  'libdbus-1.so.3',
  'libgbm.so.1',
  'libgtk-3.so.0',
  'libnotify.so.4',
  'libnss3.so',
  'libsecret-1.so.0',
  'libxkbcommon.so.0'
]

/** What starts the stand-in and checks the package; a till needs none of it. */
const TEST_PACKAGES = [
  'appstream',
  'chromium',
  'chromium-sandbox',
  'desktop-file-utils',
  'lintian',
  'squashfs-tools'
]

let chroot: Chroot

test.beforeAll(async () => {
  chroot = await Chroot.create()
})
test.afterAll(() => chroot.remove())

const deb = (folder: string): string => `${PROJECT_INSIDE}/${installerIn(folder, 'deb')}`

/** Returns the values of a desktop file by their keys. */
async function desktopEntry(): Promise<Record<string, string>> {
  const lines = (await readFile(chroot.path(DESKTOP_FILE), 'utf8')).split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []].filter(isPair))
  )
}

const isPair = (parts: readonly string[]): parts is [string, string] => parts.length === 2

/** Issues a slip, and reads its PDF. */
async function issueSlip({ cashier, page }: InstalledTill, points: number): Promise<void> {
  await cashier.choose(known.phone, known.name)
  await cashier.print(points)
  await expect(cashier.lastSlip).toBeVisible()
  await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
  const [slip] = await slipsOf(page)
  if (!slip?.code || !slip.url) throw new Error('no slip')
  const pdf = await readFile(join(chroot.path(USER_DATA), 'slips', `${slip.code}.pdf`))
  const { codes } = await readSlip(new Uint8Array(pdf))
  expect(codes).toEqual([slip.url])
}

const pointsInJournal = async ({ page }: InstalledTill): Promise<number[]> =>
  (await slipsOf(page)).map(({ points }) => points)

const versionOf = ({ app }: InstalledTill): Promise<string> => app.evaluate(({ app }) => app.getVersion())

test.describe.serial('the deb', () => {
  test('is installed by apt with all that Electron loads', async () => {
    await chroot.install(deb(OUTPUT))
    expect(await chroot.run('dpkg-query', ['--show', '--showformat=${Status} ${Version}', PACKAGE])).toBe(
      `install ok installed ${VERSION}~standin`
    )
    expect(await chroot.run('dpkg', ['--verify', PACKAGE])).toBe('')
    const libraries = await chroot.run('ldconfig', ['--print-cache'])
    for (const library of LIBRARIES) expect(libraries).toContain(library)
  })

  test('has an icon that desktops find, and a desktop file with the name of the windows', async () => {
    const entry = await desktopEntry()
    expect(DESKTOP_FILE).toBe(`/usr/share/applications/${manifest.desktopName}`)
    expect(entry).toMatchObject({ Name: 'Tillpoints', StartupWMClass: 'tillpoints', Icon: 'tillpoints' })
    const theme = await readFile(chroot.path('/usr/share/icons/hicolor/index.theme'), 'utf8')
    const icons = await chroot.find('/usr/share/icons/hicolor', 'tillpoints.*')
    expect(icons.length).toBeGreaterThan(0)
    for (const icon of icons) expect(theme).toContain(`[${icon.split('/').slice(-3, -1).join('/')}]`)
  })

  test('passes desktop-file-validate, appstreamcli and lintian', async () => {
    await chroot.install(...TEST_PACKAGES)
    expect(await chroot.run('desktop-file-validate', [DESKTOP_FILE], 'cashier')).toBe('')
    const metadata = '/usr/share/metainfo/app.tillpoints.till.metainfo.xml'
    await chroot.run('appstreamcli', ['validate', '--no-net', metadata], 'cashier')
    expect(await readFile(chroot.path(metadata), 'utf8')).toContain(`>${manifest.desktopName}</launchable>`)
    await chroot.run('lintian', ['--fail-on', 'error', deb(OUTPUT)], 'cashier')
  })

  test('starts by its desktop file and issues a slip', async () => {
    const { Exec = '' } = await desktopEntry()
    const till = await openInstalled(
      chroot,
      Exec.split(' ').filter((word) => !word.startsWith('%'))
    )
    await till.manager.startTraining()
    await issueSlip(till, 250)
    expect(await versionOf(till)).toBe(`${VERSION}-standin`)
    await till.app.close()
  })

  test('is the program for bill links, and fills one in', async () => {
    expect(await chroot.run('xdg-mime', ['query', 'default', 'x-scheme-handler/tillpoints'], 'cashier')).toBe(
      `${manifest.desktopName}\n`
    )
    const { Exec = '' } = await desktopEntry()
    const till = await openInstalled(chroot, Exec.replace('%U', 'tillpoints://bill?points=42').split(' '))
    await expect(till.cashier.points).toHaveValue('42')
    await till.app.close()
  })

  test('starts by its link on the path and has the journal', async () => {
    const till = await openInstalled(chroot, [LINK])
    await till.cashier.search.waitFor()
    await expect.poll(() => pointsInJournal(till)).toEqual([250])
    await till.app.close()
  })

  test('is replaced by the next version, which continues the journal', async () => {
    await chroot.install(deb(NEXT_OUTPUT))
    const till = await openInstalled(chroot, [LINK])
    expect(await versionOf(till)).toBe(`${NEXT_VERSION}-standin`)
    await till.cashier.search.waitFor()
    await issueSlip(till, 75)
    await expect.poll(() => pointsInJournal(till)).toEqual([75, 250])
    await till.app.close()
  })

  test('is removed and purged, and leaves the data of the account', async () => {
    const userData = await chroot.find(USER_DATA, '*')
    await chroot.run('apt-get', ['remove', '--yes', PACKAGE])
    await chroot.run('apt-get', ['purge', '--yes', PACKAGE])
    expect(await chroot.find('/', '*tillpoints*')).toEqual([USER_DATA])
    expect(await chroot.find(USER_DATA, '*')).toEqual(userData)
    expect(await readdir(chroot.path(USER_DATA))).toEqual(expect.arrayContaining(['journal.sqlite', 'slips']))
  })
})

/** What the stand-in's Chromium writes outside of its own folder; Electron has none of it. */
const OF_CHROMIUM = `${HOME_INSIDE}/.config/chromium`

/** Returns the paths in the cashier's home folder, without the content of the till's folder. */
const homeFolder = async (): Promise<string[]> =>
  (await chroot.find(HOME_INSIDE, '*')).filter(
    (path) => !path.startsWith(`${USER_DATA}/`) && !path.startsWith(OF_CHROMIUM)
  )

/** Returns how often the till has shown its page, by its log. */
const timesShown = async (): Promise<number> => {
  const log = await readFile(join(chroot.path(USER_DATA), 'logs/till.log'), 'utf8')
  return log.split('renderer-ready').length - 1
}

test.describe.serial('the AppImage', () => {
  test('starts, issues a slip, and registers nothing', async () => {
    await chroot.run('rm', ['--recursive', USER_DATA])
    await chroot.run('cp', [`${PROJECT_INSIDE}/${installerIn(OUTPUT, 'AppImage')}`, APP_IMAGE], 'cashier')
    const before = await homeFolder()
    const till = await openInstalled(chroot, [APP_IMAGE])
    await till.manager.startTraining()
    await issueSlip(till, 30)
    await till.app.close()
    const filled = await openInstalled(chroot, [APP_IMAGE, 'tillpoints://bill?points=43'])
    await expect(filled.cashier.points).toHaveValue('43')
    await filled.app.close()
    // No menu entry, file type, protocol, start with the session, or icon: the home folder has one folder more.
    expect(await homeFolder()).toEqual([...before, USER_DATA].sort())
    await expect.poll(() => chroot.find('/', '*tillpoints*')).toEqual([USER_DATA, APP_IMAGE].sort())
  })

  test('restarts itself, although its mount ends with it', async () => {
    const till = await openInstalled(chroot, [APP_IMAGE])
    await till.cashier.search.waitFor()
    const shown = await timesShown()
    await answerMessageBox(till.app, 0)
    const closed = till.app.waitForEvent('close')
    await till.app.evaluate(() => {
      setImmediate(() => {
        throw new Error('An error of this test')
      })
    })
    await closed
    await expect.poll(timesShown).toBe(shown + 1)
    await chroot.stopPrograms()
  })
})
