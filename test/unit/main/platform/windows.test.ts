import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { reloadAfterCrash } from '../../../../electron/main/platform/windows.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const createCrashingWindow = () => {
  const did: string[] = []
  vi.setSystemTime(0)
  onTestFinished(() => void vi.useRealTimers())
  const webContents = Object.assign(new EventEmitter(), { reload: () => did.push('reload') })
  const window = { webContents, isDestroyed: () => false }
  // Only these members are asked.
  reloadAfterCrash(window as unknown as BrowserWindow, {
    name: 'till',
    onGivenUp: () => did.push('given up'),
    log: noOpLogger
  })
  return {
    did,
    crash: (after: number, reason = 'crashed'): void => {
      vi.setSystemTime(Date.now() + after)
      webContents.emit('render-process-gone', {}, { reason })
    }
  }
}

describe('a page that crashes', () => {
  it('is loaded again, up to three times a minute', () => {
    const { did, crash } = createCrashingWindow()
    for (let times = 0; times < 4; times += 1) crash(1000)
    expect(did).toEqual(['reload', 'reload', 'reload', 'given up'])
  })

  it('now and then is loaded again each time', () => {
    const { did, crash } = createCrashingWindow()
    for (let times = 0; times < 6; times += 1) crash(20_000)
    expect(did).toEqual(Array(6).fill('reload'))
  })

  it('is left alone when its process ended as it should', () => {
    const { did, crash } = createCrashingWindow()
    crash(0, 'clean-exit')
    expect(did).toEqual([])
  })
})
