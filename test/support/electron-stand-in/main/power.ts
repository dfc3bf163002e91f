import { StrictEmitter } from '../strict.ts'
import { recorder } from './recorder.ts'

class PowerMonitor extends StrictEmitter {
  constructor() {
    super('powerMonitor', ['suspend', 'resume', 'lock-screen'])
  }

  getSystemIdleTime(): number {
    return recorder.take<number>('powerMonitor.getSystemIdleTime', 0)
  }

  getSystemIdleState(threshold: number): string {
    if (!(threshold > 0)) throw new TypeError('Invalid idle threshold, must be greater than 0')
    const scripted = recorder.take<string>('powerMonitor.getSystemIdleState', '')
    if (scripted !== '') return scripted
    return this.getSystemIdleTime() >= threshold ? 'idle' : 'active'
  }
}

/** Electron's `powerMonitor`; tests emit its events. */
export const powerMonitor = new PowerMonitor()
