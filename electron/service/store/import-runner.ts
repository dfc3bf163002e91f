/** Reads the files of imports and runs imports in the background of a process. */
import { setTimeout as wait } from 'node:timers/promises'
import type { BusinessKey } from '../domain/businesses.ts'
import type { ParsedImport } from '../domain/imports.ts'
import { ImportStore, type ImportDependencies } from './import-jobs.ts'
import type { StoredImport } from './stored-import.ts'

/** The longest pause between two batches, in which requests are answered: as long as the batch took, where that is shorter. */
const MAX_PAUSE_MS = 10

/** After so long without progress another process goes on with an import. */
const TAKE_OVER_MS = 5000

/** Whether its file is read, or it is imported. */
export const isUnderWay = ({ state }: StoredImport): boolean => state === 'reading' || state === 'running'

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

  /**
   * Reads the file of an import, or runs an import that was started. Resolves at its end, also when it is stopped, discarded or
   * fails.
   */
  run({ business, id }: Pick<StoredImport, 'business' | 'id'>): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    this.#wanted.add(id)
    const run = this.#runs.get(id) ?? this.#runWanted(business, id)
    this.#runs.set(id, run)
    return run
  }

  /** Goes on with a file or an import that no process seems to be at, such as after a crash. */
  takeOver(found: StoredImport): void {
    const age = this.#now().getTime() - Date.parse(found.updatedAt)
    if (isUnderWay(found) && age > TAKE_OVER_MS) void this.run(found)
  }

  /** Goes on with all imports that are under way. Two processes that run one do no harm. */
  async resume(): Promise<void> {
    for (const found of await this.store.running()) void this.run(found)
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
    await this.store.read({ business, id }, () => this.#isClosed)
    let parsed: ParsedImport | null = null
    while (!this.#isClosed) {
      const found = await this.store.find(business, id)
      if (found?.state !== 'running') return
      parsed ??= await this.store.parsed(found)
      if (parsed === null) return
      const begun = performance.now()
      await this.store.advance(found, parsed)
      await wait(Math.min(MAX_PAUSE_MS, performance.now() - begun))
    }
  }
}
