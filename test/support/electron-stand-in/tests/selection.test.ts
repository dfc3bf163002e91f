import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findChromium } from '../../chromium.ts'
import { chooseElectron } from '../../electron-runtime.ts'

const HOME = join(import.meta.dirname, '..')

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('choosing an Electron', () => {
  it('takes the stand-in when the environment selects it', () => {
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', HOME)
    expect(chooseElectron()).toEqual({
      kind: 'stand-in',
      version: '45.4.1',
      env: { ELECTRON_OVERRIDE_DIST_PATH: HOME, ELECTRON_EXEC_PATH: join(HOME, 'electron') },
      args: [],
      executable: join(HOME, 'electron'),
      reason: 'ELECTRON_OVERRIDE_DIST_PATH selects the stand-in.'
    })
  })

  it('takes another folder that the environment names as a real Electron', () => {
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', '/opt/electron')
    const choice = chooseElectron()
    expect(choice.kind).toBe('electron')
    expect(choice.reason).toBe('ELECTRON_OVERRIDE_DIST_PATH names /opt/electron.')
  })
})

describe('finding a Chromium', () => {
  it('takes the one that the environment names, and none when that is missing', () => {
    vi.stubEnv('TILLPOINTS_CHROMIUM', process.execPath)
    expect(findChromium()).toBe(process.execPath)
    vi.stubEnv('TILLPOINTS_CHROMIUM', '/no/such/chromium')
    expect(findChromium()).toBeUndefined()
  })
})
