import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstPage, FixtureApp } from './fixture-app.ts'

/** The stand-in's own interface for tests. */
interface StandIn {
  readonly calls: Record<string, unknown>[]
  answer(api: string, value: unknown): void
  accelerators(): { accelerator: string; label: string }[]
}
type Main = (electron: typeof Electron.CrossProcessExports & { __standIn: StandIn }) => unknown

const SEAL = `
app.whenReady().then(() => {
  const attempt = (name, work) => { try { note(name, work()) } catch (error) { note(name, error.message) } }
  const file = join(here, 'sealed')
  if (process.env.USE_PLAIN) safeStorage.setUsePlainTextEncryption(true)
  attempt('available', () => safeStorage.isEncryptionAvailable())
  attempt('backend', () => safeStorage.getSelectedStorageBackend())
  attempt('encrypted', () => {
    const sealed = safeStorage.encryptString('the token')
    if (!existsSync(file)) appendFileSync(file, sealed)
    return sealed.includes('token') + ' ' + sealed.subarray(0, 3)
  })
  attempt('decrypted', () => safeStorage.decryptString(readFileSync(file)))
  attempt('foreign', () => safeStorage.decryptString(Buffer.from('v11' + 'x'.repeat(40))))
  attempt('plain', () => safeStorage.decryptString(Buffer.from('plain text')))
  attempt('text', () => safeStorage.decryptString('text'))
  attempt('empty', () => '[' + safeStorage.decryptString(Buffer.alloc(0)) + ']')
  app.quit()
})
`

describe('safeStorage on Linux', () => {
  let app: FixtureApp
  beforeAll(() => {
    app = new FixtureApp({ main: SEAL })
  })
  afterAll(() => app.remove())

  async function run(env: Record<string, string>): Promise<string[]> {
    app.forget()
    await app.spawn({ env }).ended
    return app.notes()
  }
  const decryptError = 'Error while decrypting the ciphertext provided to safeStorage.decryptString.'

  it('encrypts a text that a later run of the same app decrypts', async () => {
    const expected = [
      'available true',
      'backend gnome_libsecret',
      'encrypted false v11',
      'decrypted the token',
      `foreign ${decryptError}`,
      `plain ${decryptError} Ciphertext does not appear to be encrypted.`,
      'text Expected the first argument of decryptString() to be a buffer',
      'empty []'
    ]
    expect(await run({})).toEqual(expected)
    expect(await run({})).toEqual(expected)
    expect(statSync(join(app.userData, 'stand-in-keyring')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(app.folder, 'sealed')).includes('token')).toBe(false)
  })

  it('refuses without a keyring, and stores plain text only after setUsePlainTextEncryption(true)', async () => {
    const none = await run({ TILLPOINTS_STAND_IN_KEYRING: 'none' })
    expect(none.slice(0, 4)).toEqual([
      'available false',
      'backend unknown',
      'encrypted Error while encrypting the text provided to safeStorage.encryptString. Encryption is not available.',
      `decrypted ${decryptError} Decryption is not available.`
    ])
    const basic = await run({ TILLPOINTS_STAND_IN_KEYRING: 'basic_text' })
    expect(basic.slice(0, 2)).toEqual(['available false', 'backend basic_text'])
    const plain = await run({ TILLPOINTS_STAND_IN_KEYRING: 'basic_text', USE_PLAIN: '1' })
    expect(plain.slice(0, 3)).toEqual(['available true', 'backend basic_text', 'encrypted false v10'])
  })
})

describe('a locked keyring', () => {
  it('has asynchronous calls wait for the answer to its prompt, and refuses the others', async () => {
    const app = new FixtureApp({
      main: `
        app.whenReady().then(async () => {
          try { safeStorage.encryptString('x') } catch (error) { note(error.message) }
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
    expect(app.notes()).toEqual([
      'electron stand-in: safeStorage without promises, with a locked keyring, is not implemented',
      'unlocks',
      'available true',
      'opened the token'
    ])
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
      name: [own.name, own.getName(), own.getVersion(), own.isPackaged],
      path: own.getAppPath(),
      userData: own.getPath('userData'),
      logs: own.getPath('logs').startsWith(own.getPath('userData')),
      locale: [
        own.getLocale(),
        own.getSystemLocale(),
        own.getLocaleCountryCode(),
        own.getPreferredSystemLanguages()
      ],
      lang: [own.commandLine.hasSwitch('lang'), own.commandLine.getSwitchValue('lang')],
      process: [process.type, process.versions.electron, process.defaultApp, process.argv.slice(1)]
    }))
    expect(facts).toEqual({
      name: ['Fixture Shop', 'Fixture Shop', '1.2.3', false],
      path: app.folder,
      userData: app.userData,
      logs: true,
      locale: ['de-AT', 'fr-BE', 'BE', ['fr-BE']],
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
      main: "note(app.getPath('userData'), app.getPath('appData')); app.quit()"
    })
    const child = plain.spawn({ userData: '', env: { XDG_CONFIG_HOME: join(plain.folder, 'config') } })
    await child.ended
    expect(plain.notes()).toEqual([
      `${join(plain.folder, 'config', 'Fixture Shop')} ${join(plain.folder, 'config')}`
    ])
    plain.remove()
  })

  it('dialogs return the scripted answer, or without one the result of Cancel', async () => {
    const answers = await main(async ({ dialog, BrowserWindow, __standIn }) => {
      const [window] = BrowserWindow.getAllWindows()
      const attempt = (work: () => unknown): string => {
        try {
          work()
          return 'fine'
        } catch (error) {
          return String(error)
        }
      }
      const cancelled = [
        await dialog.showMessageBox({ message: 'Sure?', buttons: ['Yes', 'No', 'Later'] }),
        dialog.showMessageBoxSync({ message: 'Sure?', buttons: ['Yes', 'Later'], defaultId: 0 }),
        await dialog.showOpenDialog({ properties: ['openFile'] }),
        dialog.showSaveDialogSync({ defaultPath: '/x' })
      ]
      __standIn.answer('dialog.showMessageBox', { response: 0 })
      __standIn.answer('dialog.showSaveDialog', (options: { defaultPath: string }) => ({
        canceled: false,
        filePath: options.defaultPath
      }))
      return {
        cancelled,
        scripted: [
          window && (await dialog.showMessageBox(window, { message: 'Sure?', buttons: ['Yes', 'No'] })),
          await dialog.showSaveDialog({ defaultPath: '/tmp/list.csv' })
        ],
        errors: [
          attempt(() => dialog.showMessageBox({ message: 1 as never })),
          attempt(() => dialog.showMessageBox({ message: 'x', type: 'loud' as never })),
          attempt(() => dialog.showMessageBox({ message: 'x', checkboxChecked: true })),
          attempt(() => dialog.showMessageBox({ message: 'x', colour: 'red' } as never))
        ],
        recorded: __standIn.calls
          .filter(({ api }) => api === 'dialog.showMessageBox')
          .map(({ windowId }) => windowId)
      }
    })
    expect(answers).toEqual({
      cancelled: [{ response: 1, checkboxChecked: false }, 1, { canceled: true, filePaths: [] }, ''],
      scripted: [
        { response: 0, checkboxChecked: false },
        { canceled: false, filePath: '/tmp/list.csv' }
      ],
      errors: [
        'TypeError: Message must be a string',
        'TypeError: Invalid message box type',
        'Error: checkboxChecked requires that checkboxLabel also be passed',
        "NotImplementedError: electron stand-in: the option 'colour' of dialog.showMessageBox is not implemented"
      ],
      recorded: [null, 1, null, null, null]
    })
  })

  it('confirm() in a page returns the scripted answer of a message box', async () => {
    await main(({ __standIn }) => __standIn.answer('dialog.showMessageBox', { response: 0 }))
    // Without a listener Playwright dismisses the page's dialogs.
    page.on('dialog', () => undefined)
    expect(await page.evaluate(() => [confirm('First?'), confirm('Second?')])).toEqual([true, false])
  })

  it('shell, Notification and crashReporter record their calls instead of leaving the app', async () => {
    const calls = await main(async ({ shell, Notification, app: own, crashReporter, __standIn }) => {
      const before = __standIn.calls.length
      await shell.openExternal('https://example.com/help')
      await shell.openPath('/tmp/folder')
      shell.showItemInFolder('/tmp/file')
      shell.beep()
      new Notification({ title: 'Printed', body: 'A slip' }).show()
      own.setAppUserModelId('example')
      crashReporter.start({ uploadToServer: false })
      let refused = ''
      try {
        await shell.openExternal('no address')
      } catch (error) {
        refused = String(error)
      }
      return [
        refused,
        ...__standIn.calls.slice(before).map(({ api, url, path, title }) => [api, url ?? path ?? title])
      ]
    })
    expect(calls).toEqual([
      'TypeError: Invalid URL',
      ['shell.openExternal', 'https://example.com/help'],
      ['shell.openPath', '/tmp/folder'],
      ['shell.showItemInFolder', '/tmp/file'],
      ['shell.beep', undefined],
      ['Notification.show', 'Printed'],
      ['app.setAppUserModelId', undefined],
      ['crashReporter.start', undefined]
    ])
  })

  it('has the default menu until the app sets another', async () => {
    const accelerators = await main(({ __standIn }) =>
      __standIn.accelerators().map(({ accelerator }) => accelerator)
    )
    expect(accelerators).toEqual(expect.arrayContaining(['CmdOrCtrl+R', 'CommandOrControl+W', 'F11']))
  })

  it('Menu finds items by id, runs clicks and roles, and lists accelerators', async () => {
    const result = await main(({ Menu, MenuItem, BrowserWindow, __standIn }) => {
      const clicked: unknown[] = []
      const menu = Menu.buildFromTemplate([
        {
          label: 'Till',
          submenu: [
            {
              id: 'print',
              label: 'Print slip',
              accelerator: 'CmdOrCtrl+P',
              click: (item, window) => clicked.push(item.id, window?.id)
            },
            { id: 'sound', label: 'Sound', type: 'checkbox', checked: true },
            { type: 'separator' },
            { role: 'zoomIn' }
          ]
        },
        { role: 'editMenu' }
      ])
      menu.append(new MenuItem({ label: 'Last' }))
      Menu.setApplicationMenu(menu)
      menu.getMenuItemById('print')?.click()
      menu.getMenuItemById('sound')?.click()
      menu.items[0]?.submenu?.items[3]?.click()
      const zoom = BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel()
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomLevel(0)
      const attempt = (work: () => unknown): string => {
        try {
          work()
          return 'fine'
        } catch (error) {
          return String(error)
        }
      }
      return {
        clicked,
        zoom: zoom?.toFixed(1),
        sound: menu.getMenuItemById('sound')?.checked,
        absent: menu.getMenuItemById('absent'),
        labels: menu.items.map(({ label, type }) => [label, type]),
        accelerators: __standIn.accelerators().slice(0, 2),
        errors: [
          attempt(() => Menu.buildFromTemplate('x' as never)),
          attempt(() => Menu.buildFromTemplate([{ id: 'x' }])),
          attempt(() => new MenuItem({ type: 'fancy' as never })),
          attempt(() => Menu.setApplicationMenu({} as never)),
          attempt(() => new MenuItem({ role: 'shareMenu' }))
        ]
      }
    })
    expect(result).toEqual({
      clicked: ['print', 1],
      zoom: '0.5',
      sound: false,
      absent: null,
      labels: [
        ['Till', 'submenu'],
        ['Edit', 'submenu'],
        ['Last', 'normal']
      ],
      accelerators: [
        { accelerator: 'CmdOrCtrl+P', label: 'Print slip' },
        { accelerator: 'CommandOrControl+Plus', label: 'Zoom In' }
      ],
      errors: [
        'TypeError: Invalid template for Menu: Menu template must be an array',
        'TypeError: Invalid template for MenuItem: must have at least one of label, role or type',
        'Error: Unknown menu item type: fancy',
        'TypeError: Invalid menu',
        "NotImplementedError: electron stand-in: the menu role 'sharemenu' is not implemented"
      ]
    })
  })

  it('nativeTheme.themeSource sets prefers-color-scheme in pages', async () => {
    const dark = (): Promise<unknown> =>
      page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
    const updated = await main(({ nativeTheme }) => {
      let count = 0
      nativeTheme.on('updated', () => count++)
      nativeTheme.themeSource = 'dark'
      return [count, nativeTheme.shouldUseDarkColors, nativeTheme.themeSource]
    })
    expect(updated).toEqual([1, true, 'dark'])
    await expect.poll(dark).toBe(true)
    await main(({ nativeTheme }) => void (nativeTheme.themeSource = 'system'))
    await expect.poll(dark).toBe(false)
  })

  it('clipboard, powerMonitor and nativeImage return what was written, emitted and captured', async () => {
    const found = await main(async ({ clipboard, powerMonitor, nativeImage, BrowserWindow, __standIn }) => {
      await clipboard.writeText('kept')
      const events: string[] = []
      powerMonitor.on('resume', () => events.push('resume'))
      powerMonitor.emit('resume')
      __standIn.answer('powerMonitor.getSystemIdleTime', 90)
      __standIn.answer('powerMonitor.getSystemIdleState', 'locked')
      const states = [powerMonitor.getSystemIdleState(1), powerMonitor.getSystemIdleState(91)]
      let refused = ''
      try {
        powerMonitor.getSystemIdleState(0)
      } catch (error) {
        refused = String(error)
      }
      __standIn.answer('powerMonitor.getSystemIdleTime', 90)
      const picture = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage()
      const again = nativeImage.createFromBuffer(picture?.toPNG() ?? Buffer.alloc(0))
      const pdf = await BrowserWindow.getAllWindows()[0]?.webContents.printToPDF({
        pageSize: { width: 3, height: 5 }
      })
      return [
        await clipboard.readText(),
        events,
        powerMonitor.getSystemIdleTime(),
        states,
        refused,
        picture?.getSize(),
        again.getSize(),
        nativeImage.createFromPath('/nowhere.png').isEmpty(),
        pdf?.subarray(0, 5).toString()
      ]
    })
    const size = { width: 800, height: 600 }
    const idleError = 'TypeError: Invalid idle threshold, must be greater than 0'
    expect(found).toEqual([
      'kept',
      ['resume'],
      90,
      ['locked', 'active'],
      idleError,
      size,
      size,
      true,
      '%PDF-'
    ])
  })
})
