import { DebugLogger } from 'builder-util'
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FuseV1Options } from '@electron/fuses'
import { packaging } from '../../../resources/packaging/electron-builder.config.ts'
import { fuseConfig } from '../../../resources/packaging/fuses.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

describe.each(['win32', 'darwin', 'linux'] as const)('the configuration for %s', (platform) => {
  const config = packaging({ platform, feed: 'https://updates.example/till/' })

  it('is one that electron-builder accepts', async () => {
    await expect(validateConfiguration(config, new DebugLogger(false))).resolves.not.toThrow()
  })

  it('names files that are there', () => {
    const { win, mac, linux } = config
    const files = [win?.icon, mac?.icon, mac?.entitlements, mac?.entitlementsInherit, linux?.icon]
    for (const file of files) expect(existsSync(join(PROJECT, String(file))), String(file)).toBe(true)
  })

  it('carries the feed to where the till and its updater read it', () => {
    expect(config.publish).toEqual({ provider: 'generic', url: 'https://updates.example/till/' })
    expect(config.extraMetadata).toMatchObject({ updateFeed: 'https://updates.example/till/' })
  })

  it('takes the program that prints on Windows to Windows alone', () => {
    const left = JSON.stringify(config.files).includes('!**/node_modules/pdf-to-printer')
    expect(left).toBe(platform !== 'win32')
  })
})

describe('the fuses', () => {
  it('are all decided, and Electron’s others would be refused', () => {
    const config = fuseConfig('linux', false)
    const all = Object.values(FuseV1Options).filter((fuse) => typeof fuse === 'number')
    expect(config.strictlyRequireAllFuses).toBe(true)
    expect(all.every((fuse) => typeof config[fuse] === 'boolean')).toBe(true)
  })

  it('sign anew on macOS, whose signature they void', () => {
    expect(
      [fuseConfig('darwin', false), fuseConfig('win32', false)].map((each) => each.resetAdHocDarwinSignature)
    ).toEqual([true, false])
  })
})
