/** What the till holds of a customer: collects it from every place, and removes it. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { CustomerReference, ForgettingProgress, ForgettingResult } from '../../contract/privacy.ts'
import { writeFileAtomic } from '../fs/atomic-write.ts'
import { quarantinedFiles } from '../fs/quarantine.ts'
import type { Logger } from '../log/log.ts'
import {
  customerFingerprintSchema,
  fingerprintOf,
  matchesFingerprint,
  readCustomerSlips,
  removeCustomerFromSlips,
  type CustomerFingerprint,
  type CustomerOperation,
  type CustomerSlip
} from '../journal/customer-slips.ts'
import type { TrainingConnection } from '../session/training-connection.ts'
import { withJournalLock } from '../journal/open-journal.ts'
import { operationFileName } from '../journal/operation-table.ts'
import { removeProgramSlips } from '../journal/program-slips.ts'
import { SlipFolder } from '../printing/slip-folder.ts'

/** Suffixes of SQLite's files beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal']

/** The business, or training mode, that a customer belongs to. */
interface CustomerScope {
  readonly training: boolean
  readonly businessId: string
}

export interface CustomerDataDependencies {
  readonly journalFile: string
  readonly backupsFolder: string
  readonly slipsFolder: string
  readonly trainingFile: string
  /** lists the removals that are not finished, one a line; holds hashes only */
  readonly markerFile: string
  readonly training: Pick<TrainingConnection, 'reset'>
  /** Deletes what may hold the customer and can be loaded again: the HTTP cache, temporary print files. */
  readonly clearCaches: () => Promise<void>
  readonly log: Logger
}

/** A file with slips of the customer; null: it is too damaged to be read. */
interface FileWithSlips {
  readonly file: string
  readonly slips: readonly CustomerSlip[] | null
  readonly operations: readonly CustomerOperation[] | null
}

/** Everything that the files of the till hold of a customer. */
interface CollectedFiles {
  readonly journals: readonly FileWithSlips[]
  /** of the slips in them, and the names of the operations' PDFs */
  readonly codes: readonly string[]
  /** customers in the training data with this id or name */
  readonly training: readonly Readonly<Record<string, unknown>>[]
}

const markerLineSchema = v.pipe(v.string(), v.parseJson(), customerFingerprintSchema)

const removeDatabase = async (file: string): Promise<void> => {
  for (const suffix of ['', ...COMPANIONS]) await rm(file + suffix, { force: true })
}

/** The customer data in the files of the till. */
export class CustomerData {
  readonly #dependencies: CustomerDataDependencies
  readonly #slipFolder: SlipFolder

  constructor(dependencies: CustomerDataDependencies) {
    this.#dependencies = dependencies
    this.#slipFolder = new SlipFolder(dependencies.slipsFolder, dependencies.log)
  }

  /**
   * Writes what the files and the memory of the till hold of a customer to `file`, as JSON. `about` and `createdAt` explain
   * the file. Rejects when a file is locked or cannot be read, or as the file system does.
   */
  async exportTo(
    file: string,
    scope: CustomerScope,
    customer: CustomerReference,
    {
      about,
      createdAt,
      memory
    }: { readonly about: string; readonly createdAt: string; readonly memory: unknown }
  ): Promise<void> {
    const { journals, codes, training } = await this.#collect(fingerprintOf(scope, customer))
    const content = {
      about,
      createdAt,
      customer,
      journals: journals.map(({ file: path, ...rows }) => ({ file: basename(path), path, ...rows })),
      pdfs: await this.#slipFolder.pdfsOf(codes),
      trainingData: training,
      memory
    }
    await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`)
  }

  /**
   * Removes id and name of a customer from every file, and finishes earlier removals. Nothing may have the journal open.
   * `unfinished` when a file cannot be changed now: the next start continues. Never rejects.
   */
  async remove(
    scope: CustomerScope,
    customer: CustomerReference,
    onProgress: (progress: ForgettingProgress) => void
  ): Promise<ForgettingResult> {
    const { journalFile, log } = this.#dependencies
    const fingerprint = fingerprintOf(scope, customer)
    try {
      const earlier = await this.#readMarker()
      await this.#writeMarker([...earlier, fingerprint])
      return await withJournalLock(journalFile, async () => {
        const result = await this.#remove(fingerprint, false, onProgress)
        await this.#writeMarker(earlier)
        await this.#finish(earlier)
        return result
      })
    } catch (error) {
      log.error('customer-not-forgotten', { error })
      return { kind: 'unfinished' }
    }
  }

  /** Continues the removals that an earlier process did not finish. Call before the journal opens. Never rejects. */
  async resume(): Promise<void> {
    const { journalFile, log } = this.#dependencies
    try {
      const earlier = await this.#readMarker()
      await withJournalLock(journalFile, () => this.#finish(earlier))
    } catch (error) {
      log.error('customer-not-forgotten', { error })
    }
  }

  /** Repeats removals, and takes each that succeeds off the marker. */
  async #finish(removals: readonly CustomerFingerprint[]): Promise<void> {
    for (const [index, fingerprint] of removals.entries()) {
      await this.#remove(fingerprint, true, () => undefined)
      await this.#writeMarker(removals.slice(index + 1))
    }
  }

  /** Returns the removals that are not finished. A damaged line says nothing of its customer and is passed over. */
  async #readMarker(): Promise<readonly CustomerFingerprint[]> {
    const { markerFile, log } = this.#dependencies
    if (!existsSync(markerFile)) return []
    const lines = (await readFile(markerFile, 'utf8')).split('\n')
    return lines.flatMap((line) => {
      const parsed = v.safeParse(markerLineSchema, line)
      if (!parsed.success) log.error('customer-removal-damaged')
      return parsed.success ? [parsed.output] : []
    })
  }

  async #writeMarker(removals: readonly CustomerFingerprint[]): Promise<void> {
    const { markerFile } = this.#dependencies
    if (removals.length === 0) await rm(markerFile)
    else await writeFileAtomic(markerFile, removals.map((removal) => JSON.stringify(removal)).join('\n'))
  }

  async #collect(fingerprint: CustomerFingerprint): Promise<CollectedFiles> {
    const { journalFile } = this.#dependencies
    const journals: FileWithSlips[] = []
    for (const file of [journalFile, ...this.#copies()]) {
      if (!existsSync(file)) continue
      const found = await readCustomerSlips(file, fingerprint)
      const isFound = found.kind === 'found'
      const [slips, operations] = isFound ? [found.slips, found.operations] : [null, null]
      journals.push({ file, slips, operations })
    }
    const codes = journals.flatMap(({ slips, operations }) => [
      ...(slips ?? []).flatMap(({ code }) => code ?? []),
      ...(operations ?? []).map(operationFileName)
    ])
    return { journals, codes, training: this.#inTraining(fingerprint) }
  }

  /** The journal is the last file: until then its slips identify the PDFs, so that a repeated removal finds them. */
  async #remove(
    fingerprint: CustomerFingerprint,
    isRepeated: boolean,
    onProgress: (progress: ForgettingProgress) => void
  ): Promise<ForgettingResult> {
    const { journalFile, training, clearCaches, log } = this.#dependencies
    const copies = this.#copies()
    const total = copies.length + 3
    let done = 0
    const step = async <Value>(work: Promise<Value>): Promise<Value> => {
      const value = await work
      onProgress({ done: ++done, total })
      return value
    }
    onProgress({ done, total })
    await step(clearCaches())
    await this.#removePartialFiles()
    const collected = await step(this.#collect(fingerprint))
    if (collected.training.length > 0) await training.reset()
    const pdfs = await this.#slipFolder.removePdfsOf(collected.codes)
    let changedCopies = 0
    for (const file of copies) {
      const removed = await step(removeCustomerFromSlips(file, fingerprint, isRepeated))
      // It can neither be restored nor cleaned.
      if (removed.kind === 'damaged') await removeDatabase(file)
      if (removed.kind === 'damaged' || removed.slips.length + removed.operations.length > 0) changedCopies++
    }
    let slips = 0
    if (existsSync(journalFile)) {
      const removed = await step(removeCustomerFromSlips(journalFile, fingerprint, isRepeated))
      if (removed.kind === 'damaged') throw new Error('The journal is damaged')
      slips = removed.slips.length
    }
    // The next start makes the file again from the journal.
    removeProgramSlips(journalFile)
    const counts = { slips, pdfs, copies: changedCopies }
    log.info('customer-forgotten', counts)
    return { kind: 'forgotten', ...counts }
  }

  /** Returns the backups and the quarantined journals. */
  #copies(): string[] {
    const { journalFile, backupsFolder } = this.#dependencies
    const backups = existsSync(backupsFolder)
      ? readdirSync(backupsFolder).filter((name) => name.endsWith('.sqlite'))
      : []
    return [
      ...backups.toSorted().map((name) => join(backupsFolder, name)),
      ...quarantinedFiles(journalFile).map(({ path }) => path)
    ]
  }

  /** Removes what a killed process left of a backup, of a restored journal, or of a PDF. */
  async #removePartialFiles(): Promise<void> {
    const { journalFile, backupsFolder, slipsFolder } = this.#dependencies
    await removeDatabase(`${journalFile}.restoring`)
    for (const folder of [backupsFolder, slipsFolder].filter((path) => existsSync(path))) {
      for (const name of readdirSync(folder)) {
        if (/\.part(-wal|-shm|-journal)?$/.test(name)) await rm(join(folder, name), { force: true })
      }
    }
  }

  #inTraining(fingerprint: CustomerFingerprint): Readonly<Record<string, unknown>>[] {
    const { trainingFile } = this.#dependencies
    if (!existsSync(trainingFile)) return []
    const database = new DatabaseSync(trainingFile, { readOnly: true, timeout: 5000 })
    try {
      return database
        .prepare('SELECT id, name, email, phone, balance FROM customers')
        .all()
        .filter(({ id, name }) => matchesFingerprint(fingerprint, { id: String(id), name: String(name) }))
    } finally {
      database.close()
    }
  }
}
