import { DebugLogger } from 'builder-util'
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { FuseV1Options } from '@electron/fuses'
import manifest from '../../../package.json' with { type: 'json' }
import { packaging } from '../../../resources/packaging/electron-builder.config.ts'
import { fuseConfig } from '../../../resources/packaging/fuses.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

describe.each(['win32', 'darwin', 'linux'] as const)('the configuration for %s', (platform) => {
  const config = packaging({ platform, feed: 'https://updates.example/till/' })

  it('is accepted by electron-builder', async () => {
    await expect(validateConfiguration(config, new DebugLogger(false))).resolves.not.toThrow()
  })

  it('names files that exist', () => {
    const { win, mac, linux } = config
    const files = [win?.icon, mac?.icon, mac?.entitlements, mac?.entitlementsInherit, linux?.icon]
    for (const file of files) expect(existsSync(join(PROJECT, String(file))), String(file)).toBe(true)
  })

  it('passes the feed to the app and its updater', () => {
    expect(config.publish).toEqual({ provider: 'generic', url: 'https://updates.example/till/' })
    expect(config.extraMetadata).toMatchObject({ updateFeed: 'https://updates.example/till/' })
  })

  it('packs the Windows printing program on Windows only', () => {
    const left = JSON.stringify(config.files).includes('!**/node_modules/pdf-to-printer{,/**/*}')
    expect(left).toBe(platform !== 'win32')
  })

  it('packs the native code of this system only, outside the archive', () => {
    const own = { win32: 'win32-${arch}', darwin: 'darwin-x64+arm64', linux: 'linux-${arch}' }[platform]
    expect(config.files).toContain(`!**/node_modules/@serialport/bindings-cpp/prebuilds/!(${own}){,/**/*}`)
    expect(config.asarUnpack).toContain('**/node_modules/@serialport/bindings-cpp/prebuilds/**')
  })
})

it('the desktop entry of the AppImage starts the till under X11 and in the sandbox', async () => {
  const config = packaging({ platform: 'linux', feed: null })
  const packager = { platformSpecificBuildOptions: config.linux, config, appInfo: { buildVersion: '1' } }
  const helper = { computeDesktopEntry: (_options: unknown, command: string) => command }
  const { default: AppImageTarget } = createRequire(import.meta.url)(
    'app-builder-lib/out/targets/appimage/AppImageTarget.js'
  ) as { default: new (...args: unknown[]) => { desktopEntry: { value: Promise<string> } } }
  const { desktopEntry } = new AppImageTarget('', packager, helper, '')
  expect(await desktopEntry.value).toBe('AppRun --ozone-platform=x11 %U')
})

it('the desktop entries of deb and AppImage open bill links', async () => {
  const config = packaging({ platform: 'linux', feed: null })
  const packager = {
    config,
    platformSpecificBuildOptions: config.linux,
    info: { metadata: manifest },
    executableName: config.linux?.executableName,
    fileAssociations: [],
    appInfo: { productName: 'Tillpoints', sanitizedProductName: 'Tillpoints', description: '' }
  }
  const { LinuxTargetHelper } = createRequire(import.meta.url)(
    'app-builder-lib/out/targets/LinuxTargetHelper.js'
  ) as {
    LinuxTargetHelper: new (packager: unknown) => { computeDesktopEntry(options: unknown): Promise<string> }
  }
  const entry = await new LinuxTargetHelper(packager).computeDesktopEntry(config.linux)
  expect(entry).toContain('MimeType=x-scheme-handler/tillpoints;')
  expect(entry).toMatch(/^Exec=.* %U$/m)
})

it('the Windows installer registers bill links, and passes them as an argument that is no switch', () => {
  const { nsis } = packaging({ platform: 'win32', feed: null })
  const script = readFileSync(join(PROJECT, String(nsis?.include)), 'utf8')
  expect(script).toMatch(/macro customInstall[^]*"Software\\Classes\\tillpoints" "URL Protocol" ""/)
  expect(script).toContain(`'"$INSTDIR\\\${APP_EXECUTABLE_FILENAME}" -- "%1"'`)
  expect(script).toMatch(/macro customUnInstall\s+DeleteRegKey SHELL_CONTEXT "Software\\Classes\\tillpoints"/)
})

describe('the Linux packages', () => {
  it('name their desktop file as package.json names it to Electron, so that desktops match the windows', () => {
    const { linux } = packaging({ platform: 'linux', feed: null })
    expect(manifest.desktopName).toBe(`${linux?.executableName}.desktop`)
    expect(linux?.syncDesktopName).toBe(true)
    expect(linux?.desktop?.entry).not.toHaveProperty('StartupWMClass')
  })

  it('of a test build say so in their names and their version', () => {
    const release = packaging({ platform: 'linux', feed: null })
    const test = packaging({ platform: 'linux', feed: null, standIn: { version: '1.2.3' } })
    expect([release.artifactName, release.deb?.packageName].join()).not.toContain('stand-in')
    expect(test.artifactName).toContain('stand-in')
    expect(test.deb?.packageName).toContain('stand-in')
    expect(test.extraMetadata).toMatchObject({ version: '1.2.3-standin' })
  })
})

it('the icon is a square PNG of 1024 pixels, the largest size of macOS', () => {
  const { width, height } = PNG.sync.read(readFileSync(join(PROJECT, 'resources/icons/icon.png')))
  expect(width).toBe(1024)
  expect(height).toBe(1024)
})

describe('the fuses', () => {
  it('are all set, and unknown ones are refused', () => {
    const config = fuseConfig('linux', false)
    const all = Object.values(FuseV1Options).filter((fuse) => typeof fuse === 'number')
    expect(config.strictlyRequireAllFuses).toBe(true)
    expect(all.every((fuse) => typeof config[fuse] === 'boolean')).toBe(true)
  })

  it('renew the ad-hoc signature on macOS, which they invalidate', () => {
    expect(fuseConfig('darwin', false).resetAdHocDarwinSignature).toBe(true)
    expect(fuseConfig('win32', false).resetAdHocDarwinSignature).toBe(false)
  })
})
