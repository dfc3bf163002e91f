import { runtime } from '../runtime.ts'
import { refuse, strict, StrictEmitter } from '../strict.ts'
import { recorder } from './recorder.ts'

class PowerMonitor extends StrictEmitter {
  constructor() {
    super('powerMonitor', [
      'suspend',
      'resume',
      'on-ac',
      'on-battery',
      'shutdown',
      'lock-screen',
      'unlock-screen',
      'user-did-become-active',
      'user-did-resign-active',
      'thermal-state-change',
      'speed-limit-change'
    ])
  }

  getSystemIdleTime(): number {
    return Number(recorder.take('powerMonitor.getSystemIdleTime', [], () => 0))
  }

  getSystemIdleState(threshold: number): string {
    if (!(threshold > 0)) throw new TypeError('Invalid idle threshold, must be greater than 0')
    const state = (): string => (this.getSystemIdleTime() >= threshold ? 'idle' : 'active')
    return String(recorder.take('powerMonitor.getSystemIdleState', [threshold], state))
  }

  isOnBatteryPower(): boolean {
    return false
  }

  readonly onBatteryPower = false
}

/** Electron's `powerMonitor`; tests emit its events. */
export const powerMonitor = new PowerMonitor()

let lastBlocker = 0
const blockers = new Set<number>()

/** Electron's `powerSaveBlocker`, recorded. */
export const powerSaveBlocker = strict('powerSaveBlocker', {
  start(type: string): number {
    if (!runtime.ready) refuse('powerSaveBlocker.start before app is ready')
    recorder.record('powerSaveBlocker.start', { type })
    blockers.add(++lastBlocker)
    return lastBlocker
  },
  stop: (id: number): boolean => blockers.delete(id),
  isStarted: (id: number): boolean => blockers.has(id)
})
