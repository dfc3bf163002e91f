import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const { powerMonitor, closing } = await vi.hoisted(async () => ({
  powerMonitor: new (await import('node:events')).EventEmitter(),
  closing: { fails: false, closed: 0 }
}))

vi.mock('electron', () => ({
  powerMonitor,
  net: {},
  session: {
    defaultSession: {
      closeAllConnections: () => {
        closing.closed += 1
        return closing.fails ? Promise.reject(new Error('no network service')) : Promise.resolve()
      }
    }
  }
}))

const { onResume } = await import('../../../../electron/main/platform/system.ts')

it('closes the connections of before a sleep, then asks anew, also when they cannot be closed', async () => {
  const woke = vi.fn()
  onResume(woke, noOpLogger)
  expect(powerMonitor).toBeInstanceOf(EventEmitter)
  powerMonitor.emit('suspend')
  expect(closing.closed).toBe(0)
  expect(woke.mock.calls).toHaveLength(0)
  powerMonitor.emit('resume')
  await vi.waitFor(() => expect(woke).toHaveBeenCalledTimes(1))
  closing.fails = true
  powerMonitor.emit('resume')
  await vi.waitFor(() => expect(woke).toHaveBeenCalledTimes(2))
  expect(closing.closed).toBe(2)
})
