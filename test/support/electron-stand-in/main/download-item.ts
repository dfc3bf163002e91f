import { makeEvent, StrictEmitter } from '../strict.ts'

/** Electron's `DownloadItem`, of a download that never gets further than its announcement. */
export class DownloadItem extends StrictEmitter {
  readonly #url: string
  readonly #filename: string
  #cancelled = false

  constructor(url: string, filename: string) {
    super('DownloadItem', ['updated', 'done'])
    this.#url = url
    this.#filename = filename
  }

  getURL(): string {
    return this.#url
  }

  getFilename(): string {
    return this.#filename
  }

  getState(): string {
    return this.#cancelled ? 'cancelled' : 'progressing'
  }

  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    this.emit('done', makeEvent({}), 'cancelled')
  }
}
