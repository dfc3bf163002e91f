import type { Result } from '../../../electron/contract/failure.ts'
import { AsyncRequest } from './ipc-client.svelte.ts'

/** What the main process returns once its dialog closed: the path of the file, null if the user cancelled. */
interface SavedFile {
  readonly file: string | null
}

/** The export of a file, one at a time. */
export class FileExport<Saved extends SavedFile = SavedFile> extends AsyncRequest {
  /** The result of the last export; null before, and after a failure. */
  saved = $state.raw<Saved | null>(null)

  async save(call: () => Promise<Result<Saved>>): Promise<void> {
    if (this.running) return
    this.saved = null
    await this.run(call, (saved) => {
      this.saved = saved
    })
  }

  override reset(): void {
    super.reset()
    this.saved = null
  }
}
