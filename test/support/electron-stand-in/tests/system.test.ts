import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstPage, FixtureApp } from './fixture-app.ts'

/** The stand-in's own interface for tests. */
interface StandIn {
  readonly calls: Record<string, unknown>[]
  answer(api: string, value: unknown): void
}
type Main = (electron: typeof Electron.CrossProcessExports & { __standIn: StandIn }) => unknown

const SEAL = `
app.whenReady().then(async () => {
  const attempt = async (name, work) => { try { note(name, await work()) } catch (error) { note(name, error.message) } }
  const file = join(here, 'sealed')
  const open = async (bytes) => (await safeStorage.decryptStringAsync(bytes)).result
  if (process.env.USE_PLAIN) safeStorage.setUsePlainTextEncryption(true)
  await attempt('available', () => safeStorage.isAsyncEncryptionAvailable())
  await attempt('backend', () => safeStorage.getSelectedStorageBackend())
  await attempt('encrypted', async () => {
    const sealed = await safeStorage.encryptStringAsync('the token')
    if (!existsSync(file)) appendFileSync(file, sealed)
    return sealed.includes('token') + ' ' + sealed.subarray(0, 3)
  })
  await attempt('decrypted', () => open(readFileSync(file)))
  await attempt('foreign', () => open(Buffer.from('v11' + 'x'.repeat(40))))
  await attempt('text', () => open('text'))
  await attempt('empty', async () => '[' + await open(Buffer.alloc(0)) + ']')
  app.quit()
})
`

describe('safeStorage on Linux', () => {
  let app: FixtureApp
  beforeAll(() => {
    app = new FixtureApp({ main: SEAL })
  })
  afterAll(() => app.remove())

  async function run(keyring: string, env: Record<string, string> = {}): Promise<string[]> {
    app.forget()
    await app.spawn({ env: { TILLPOINTS_STAND_IN_KEYRING: keyring, ...env } }).ended
    return app.notes()
  }
  const decryptError = 'Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.'

  it('encrypts a text that a later run of the same app decrypts', async () => {
    const expected = [
      'available true',
      'backend gnome_libsecret',
      'encrypted false v11',
      'decrypted the token',
      `foreign ${decryptError}`,
      'text Expected the first argument of decryptStringAsync() to be a buffer',
      'empty []'
    ]
    expect(await run('gnome_libsecret')).toEqual(expected)
    expect(await run('gnome_libsecret')).toEqual(expected)
    expect(statSync(join(app.userData, 'stand-in-keyring')).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['none', {}, ['available true', 'backend unknown']],
    ['basic_text', {}, ['available false', 'backend basic_text', 'encrypted false v10']],
    ['basic_text', { USE_PLAIN: '1' }, ['available true', 'backend basic_text', 'encrypted false v10']],
    // The desktop names a keyring that does not answer: Chromium falls back to its fixed key.
    ['unreachable', {}, ['available true', 'backend gnome_libsecret', 'encrypted false v10']]
  ])('with the keyring %s and %o notes %o', async (keyring, env, notes) => {
    expect(await run(keyring, env)).toEqual(expect.arrayContaining(notes))
  })
})

describe('a locked keyring', () => {
  it('has calls wait for the answer to its prompt', async () => {
    const app = new FixtureApp({
      main: `
        app.whenReady().then(async () => {
          const available = safeStorage.isAsyncEncryptionAvailable()
          const opened = safeStorage.encryptStringAsync('the token').then((sealed) => safeStorage.decryptStringAsync(sealed))
          setTimeout(() => { note('unlocks'); electron.__standIn.unlockKeyring() }, 100)
          opened.then(({ result }) => note('opened', result))
          note('available', await available)
          await opened
          app.quit()
        })`
    })
    await app.spawn({ env: { TILLPOINTS_STAND_IN_KEYRING: 'locked' } }).ended
    expect(app.notes()).toEqual(['unlocks', 'available true', 'opened the token'])
    app.remove()
  })
})

describe('APIs of the operating system and the user', () => {
  let app: FixtureApp
  let running: ElectronApplication
  let page: Page
  beforeAll(async () => {
    app = new FixtureApp({ main: 'app.whenReady().then(() => open())' })
    running = await app.launch({ args: ['--lang=de-AT'], env: { LANG: 'fr_BE.UTF-8' } })
    page = await firstPage(running)
  })
  afterAll(async () => {
    await running.close()
    app.remove()
  })

  const main = (work: Main): Promise<unknown> =>
    running.evaluate(work as (electron: typeof Electron.CrossProcessExports) => unknown)

  it('app returns the name, version, paths and languages of the started app', async () => {
    const facts = await main(({ app: own }) => ({
      name: [own.getName(), own.getVersion(), own.isPackaged],
      path: own.getAppPath(),
      userData: own.getPath('userData'),
      locale: [own.getLocale(), own.getLocaleCountryCode(), own.getPreferredSystemLanguages()],
      lang: [own.commandLine.hasSwitch('lang'), own.commandLine.getSwitchValue('lang')],
      process: [process.type, process.versions.electron, process.defaultApp, process.argv.slice(1)]
    }))
    expect(facts).toEqual({
      name: ['Fixture Shop', '1.2.3', false],
      path: app.folder,
      userData: app.userData,
      locale: ['de-AT', 'BE', ['fr-BE']],
      lang: [true, 'de-AT'],
      process: ['browser', '45.4.1', true, [app.folder, `--user-data-dir=${app.userData}`, '--lang=de-AT']]
    })
    expect(await page.evaluate('[navigator.language, Intl.NumberFormat().resolvedOptions().locale]')).toEqual(
      ['de-AT', 'de-AT']
    )
    expect(await page.evaluate('navigator.userAgent')).toMatch(
      /FixtureShop\/1\.2\.3 Chrome\/[\d.]+ Electron\/45\.4\.1/
    )
  })

  it('user data is in XDG_CONFIG_HOME under the app’s name when no folder is given', async () => {
    const plain = new FixtureApp({
      main: "note(app.getPath('userData')); try { app.getPath('nowhere') } catch (error) { note(error.message) } app.quit()"
    })
    const child = plain.spawn({ userData: '', env: { XDG_CONFIG_HOME: join(plain.folder, 'config') } })
    await child.ended
    expect(plain.notes()).toEqual([
      join(plain.folder, 'config', 'Fixture Shop'),
      "Failed to get 'nowhere' path"
    ])
    plain.remove()
  })

  it('dialogs return the scripted answer, or without one the result of Cancel', async () => {
    const answers = await main(async ({ dialog, BrowserWindow, __standIn }) => {
      const [window] = BrowserWindow.getAllWindows()
      const before = __standIn.calls.length
      const cancelled = [
        (await dialog.showMessageBox({ message: 'x', buttons: ['Yes', 'No'] })).response,
        (await dialog.showMessageBox({ message: 'x', buttons: ['Later', 'Now'], defaultId: 0 })).response,
        (await dialog.showMessageBox({ message: 'x', cancelId: 7 })).response,
        await dialog.showSaveDialog({})
      ]
      __standIn.answer('dialog.showMessageBox', { response: 1 })
      __standIn.answer('dialog.showSaveDialog', { canceled: false, filePath: '/saved' })
      const scripted = [
        window && (await dialog.showMessageBox(window, { message: 'x' })).response,
        await dialog.showSaveDialog({ defaultPath: '/x' }),
        (await dialog.showMessageBox({ message: 'x' })).response
      ]
      return { cancelled, scripted, windows: __standIn.calls.slice(before).map(({ windowId }) => windowId) }
    })
    expect(answers).toEqual({
      cancelled: [1, 1, 7, { canceled: true, filePath: '' }],
      scripted: [1, { canceled: false, filePath: '/saved' }, 0],
      windows: [null, null, null, null, 1, null, null]
    })
  })

  it.each([
    ['showMessageBox', [{ type: 'fancy' }], 'TypeError: Invalid message box type'],
    ['showMessageBox', [{ buttons: 'OK' }], 'TypeError: Buttons must be an array'],
    ['showMessageBox', [{ message: 1 }], 'TypeError: Message must be a string'],
    ['showSaveDialog', [{ defaultPath: 1 }], 'TypeError: Default path must be a string'],
    [
      'showErrorBox',
      ['title', 1],
      'TypeError: Error processing argument at index 1, conversion failure from 1'
    ],
    ['showErrorBox', ['title'], 'TypeError: Insufficient number of arguments.']
  ])('dialog.%s throws for %o', async (name, given, message) => {
    const thrown = await running.evaluate(
      ({ dialog }, [method, args]) => {
        try {
          Reflect.apply(Reflect.get(dialog, method) as () => void, dialog, args)
          return 'fine'
        } catch (error) {
          return String(error)
        }
      },
      [name, given] as const
    )
    expect(thrown).toBe(message)
  })

  it('has the default menu until the app sets another, made of roles', async () => {
    const menus = await main(({ Menu }) => {
      const roles = (): unknown =>
        Menu.getApplicationMenu()?.items.flatMap(({ role, submenu }) => [
          role,
          ...(submenu?.items ?? []).map((item) => item.role)
        ])
      const standard = roles()
      Menu.setApplicationMenu(
        Menu.buildFromTemplate([{ role: 'editMenu' }, { role: 'window', submenu: [{ role: 'minimize' }] }])
      )
      const own = roles()
      Menu.setApplicationMenu(null)
      let refused = ''
      try {
        Menu.setApplicationMenu({} as never)
      } catch (error) {
        refused = String(error)
      }
      return [standard, own, Menu.getApplicationMenu(), refused]
    })
    expect(menus).toEqual([
      expect.arrayContaining(['viewmenu', 'reload', 'close', 'zoomin', 'toggledevtools']),
      ['editmenu', 'undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectall', 'window', 'minimize'],
      null,
      'TypeError: Invalid menu'
    ])
  })

  it('nativeTheme.themeSource sets prefers-color-scheme in pages', async () => {
    const dark = (): Promise<unknown> =>
      page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
    const now = await main(({ nativeTheme }) => {
      nativeTheme.themeSource = 'dark'
      return [nativeTheme.shouldUseDarkColors, nativeTheme.themeSource]
    })
    expect(now).toEqual([true, 'dark'])
    await expect.poll(dark).toBe(true)
    await main(({ nativeTheme }) => void (nativeTheme.themeSource = 'system'))
    await expect.poll(dark).toBe(false)
  })

  it('clipboard returns what was written', async () => {
    const text = await main(async ({ clipboard }) => {
      await clipboard.writeText('kept')
      return clipboard.readText()
    })
    expect(text).toBe('kept')
  })

  it('powerMonitor emits what tests emit, and has scripted idle times and states', async () => {
    const found = await main(({ powerMonitor, __standIn }) => {
      const events: string[] = []
      powerMonitor.on('resume', () => events.push('resume'))
      powerMonitor.emit('resume')
      __standIn.answer('powerMonitor.getSystemIdleTime', 90)
      __standIn.answer('powerMonitor.getSystemIdleState', 'locked')
      const states = [powerMonitor.getSystemIdleState(1), powerMonitor.getSystemIdleState(91)]
      let refused = ''
      try {
        powerMonitor.getSystemIdleState(-1)
      } catch (error) {
        refused = String(error)
      }
      __standIn.answer('powerMonitor.getSystemIdleTime', 90)
      return [events, powerMonitor.getSystemIdleTime(), powerMonitor.getSystemIdleTime(), states, refused]
    })
    const idleError = 'TypeError: Invalid idle threshold, must be greater than 0'
    expect(found).toEqual([['resume'], 90, 0, ['locked', 'active'], idleError])
  })
})
