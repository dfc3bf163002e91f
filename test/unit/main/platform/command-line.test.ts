import { beforeEach, describe, expect, it, vi } from 'vitest'

const { state } = vi.hoisted(() => ({
  state: { isPackaged: true, switches: [] as string[], inspector: undefined as string | undefined }
}))

vi.mock('electron', () => ({
  app: {
    get isPackaged() {
      return state.isPackaged
    },
    commandLine: { hasSwitch: (name: string) => state.switches.includes(name) }
  }
}))
vi.mock('node:inspector', () => ({ url: () => state.inspector }))

const { refusedSwitch } = await import('../../../../electron/main/platform/command-line.ts')

beforeEach(() => {
  state.isPackaged = true
  state.inspector = undefined
})

describe('refusedSwitch', () => {
  it('returns the switch that accepts any certificate, installed or not', () => {
    state.switches = ['lang', 'ignore-certificate-errors']
    expect(refusedSwitch()).toBe('ignore-certificate-errors')
    state.isPackaged = false
    expect(refusedSwitch()).toBe('ignore-certificate-errors')
  })

  it('returns the switch that opens a debugger in an installed app', () => {
    state.switches = ['remote-debugging-port']
    expect(refusedSwitch()).toBe('remote-debugging-port')
    state.isPackaged = false
    expect(refusedSwitch()).toBeNull()
  })

  it('allows a debugger in a build whose fuses allow one', () => {
    state.switches = ['remote-debugging-port']
    state.inspector = 'ws://127.0.0.1:9229/id'
    expect(refusedSwitch()).toBeNull()
  })

  it('returns null for other switches', () => {
    state.switches = ['lang', 'user-data-dir', 'proxy-server']
    expect(refusedSwitch()).toBeNull()
  })
})
