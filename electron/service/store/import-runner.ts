/** Runs imports in the background of a process. */
import { setTimeout as wait } from 'node:timers/promises'
import type { BusinessKey } from '../domain/businesses.ts'
import type { ParsedImport } from '../domain/imports.ts'
import { ImportStore, type ImportDependencies, type StoredImport } from './import-jobs.ts'

/** The pause between two batches, in which requests are answered. */
const PAUSE_MS = 10

/** After so long without progress another process goes on with an import. */
const TAKE_OVER_MS = 5000

/** Runs the imports that were started, in this process. */
export class ImportRunner {
  readonly store: ImportStore
  readonly #now: () => Date
  readonly #onError: (error: unknown) => void
  /** the imports that this process runs, with the end of each */
  readonly #runs = new Map<string, Promise<void>>()
  /** imports to look at, also when they were stopped and started while their run ends */
  readonly #wanted = new Set<string>()
  #isClosed = false

  constructor({
    onError,
    ...dependencies
  }: ImportDependencies & { readonly onError: (error: unknown) => void }) {
    this.store = new ImportStore(dependencies)
    this.#now = dependencies.now
    this.#onError = onError
  }

  /** Runs an import until its end, or until it is stopped. */
  run({ business, id }: Pick<StoredImport, 'business' | 'id'>): void {
    if (this.#isClosed) return
    this.#wanted.add(id)
    if (!this.#runs.has(id)) this.#runs.set(id, this.#runWanted(business, id))
  }

  /** Goes on with an import that no process seems to run, such as after a crash. */
  takeOver(found: StoredImport): void {
    const age = this.#now().getTime() - Date.parse(found.updatedAt)
    if (found.state === 'running' && age > TAKE_OVER_MS) this.run(found)
  }

  /** Goes on with all imports that are under way. Two processes that run one do no harm. */
  async resume(): Promise<void> {
    for (const found of await this.store.running()) this.run(found)
  }

  /** Ends after the lines that are being written. The imports go on in another process, or at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#runs.values())
  }

  async #runWanted(business: BusinessKey, id: string): Promise<void> {
    try {
      while (this.#wanted.delete(id)) await this.#runOnce(business, id)
    } catch (error) {
      this.#onError(error)
    }
    this.#runs.delete(id)
  }

  async #runOnce(business: BusinessKey, id: string): Promise<void> {
    let parsed: ParsedImport | null = null
    while (!this.#isClosed) {
      const found = await this.store.find(business, id)
      if (found?.state !== 'running') return
      parsed ??= await this.store.parsed(found)
      if (parsed === null) return
      await this.store.advance(found, parsed)
      await wait(PAUSE_MS)
    }
  }
}
