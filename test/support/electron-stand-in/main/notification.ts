import { runtime } from '../runtime.ts'
import { makeEvent, StrictEmitter } from '../strict.ts'
import { recorder } from './recorder.ts'

/** Electron's `Notification`. It is recorded and counts as shown; a test may emit `click` on it. */
export class Notification extends StrictEmitter {
  title: string
  body: string
  silent: boolean

  constructor(options: { title?: string; body?: string; silent?: boolean } = {}) {
    if (!runtime.ready) throw new Error('Cannot create Notification before app is ready')
    super('Notification', ['show', 'click', 'close', 'reply', 'action', 'failed'])
    this.title = options.title ?? ''
    this.body = options.body ?? ''
    this.silent = options.silent ?? false
  }

  static isSupported(): boolean {
    return true
  }

  show(): void {
    recorder.record('Notification.show', { title: this.title, body: this.body, silent: this.silent })
    this.emit('show', makeEvent({}))
  }

  close(): void {
    this.emit('close', makeEvent({}))
  }
}
