/** A till with everything around it: disk, clock, service, printer, businesses, a second till on its folder. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as after } from 'node:timers/promises'
import { vi } from 'vitest'
import { err, type Result } from '../../electron/contract/failure.ts'
import type { DeliveryMethod } from '../../electron/contract/settings.ts'
import type { PrintDestination } from '../../electron/contract/printing.ts'
import type { SlipBusiness } from '../../electron/main/session/current-business.ts'
import { restoreJournal } from '../../electron/main/upkeep/restore.ts'
import { openSlips, type SlipService } from '../../electron/main/slips/slip-service.ts'
import type { LoyaltyPointsService } from '../../electron/service/index.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { slipDependencies } from '../support/slip-service.ts'
import type { Tmpfs } from '../support/tmpfs.ts'
import type { JournalRow } from '../support/journal-invariants.ts'
import { readJournal } from './journal-rows.ts'
import { PaperPrinter, paperRenderer, readPages } from './printer.ts'
import { Reality, type Paper } from './reality.ts'
import { BUSINESSES, ServiceLine } from './service.ts'

/** When the disk becomes full. */
export const DISK_FAULTS = ['none', 'full', 'full-before-response', 'full-before-outcome'] as const
export type DiskFault = (typeof DISK_FAULTS)[number]

/** How long a till waits until it writes again what the disk did not take, and more. */
const RETRY_MS = 6000
/** Turns of the event loop without activity after which a till waits for something that is held. */
const QUIET_TURNS = 8
/** Turns after which a till works on something that takes a while, such as a file. */
const BUSY_TURNS = 1000
/** Turns after which a till that is still busy is stuck: half a minute. */
const MAX_TURNS = BUSY_TURNS + 30_000

const PRINTER = { kind: 'queue', name: 'Counter' } as const

/** A running till. Its process is simulated: what it asks for after it was killed never happens. */
interface Till {
  /** null: its journal cannot be opened */
  slips: SlipService | null
  isAlive: boolean
}

/** Something that waits until it is released. */
interface Held {
  readonly release: () => void
}

/** Creates no state outside of the folder of its disk. Call `close` at the end. */
export class World {
  readonly reality = new Reality()
  readonly line: ServiceLine
  readonly printer: PaperPrinter
  now = new Date('2026-11-21T12:00:00.000Z')
  business: SlipBusiness = BUSINESSES[0] ?? failed('There is no business')
  destination: PrintDestination = PRINTER
  deliveryMethod: DeliveryMethod = 'print'
  oneJob = false
  readonly tills: Till[] = []
  readonly #disk: Tmpfs
  readonly #root: string
  #folder: string
  #diskFault: DiskFault = 'none'
  #isFull = false
  #starts = 0
  #held: Held[] = []
  readonly #killed: { readonly tills: readonly Till[]; readonly held: readonly Held[] }[] = []
  readonly #ended = Promise.withResolvers<undefined>()
  #calls = 0
  #activity = 0

  /** @param disk is filled and freed; the world uses a folder of its own on it */
  constructor(disk: Tmpfs, service: Pick<LoyaltyPointsService, 'fetch'>) {
    this.#disk = disk
    this.#root = mkdtempSync(join(disk.folder, 'world-'))
    this.#folder = join(this.#root, 'till-0')
    mkdirSync(this.#folder)
    this.line = new ServiceLine({
      service,
      reality: this.reality,
      hold: () => this.#hold(),
      beforeResponse: () => this.#fillWhen('full-before-response')
    })
    this.printer = new PaperPrinter({
      onPaper: (paper) => this.#addPaper(paper),
      hold: (signal) => this.#holdJob(signal),
      beforeOutcome: () => this.#fillWhen('full-before-outcome')
    })
  }

  /** Creates a world whose till is open. */
  static open(disk: Tmpfs, service: Pick<LoyaltyPointsService, 'fetch'>): World {
    const world = new World(disk, service)
    world.openTill()
    return world
  }

  get journalFile(): string {
    return join(this.#folder, 'journal.db')
  }

  get isHolding(): boolean {
    return this.#held.length > 0
  }

  get isDiskFull(): boolean {
    return this.#isFull
  }

  setDisk(fault: DiskFault): void {
    this.#diskFault = fault
    if (fault === 'full') this.#fill()
    else this.#free()
  }

  /** Opens a till on the folder. */
  openTill(): void {
    const till: Till = { slips: this.#openSlips(() => till), isAlive: true }
    this.tills.push(till)
  }

  /** Returns the slips of a till; one whose journal could not be opened tries again, like the app. Null: it cannot. */
  till(place: number): SlipService | null {
    const till = this.tills[place % this.tills.length] ?? failed('No till is open')
    till.slips ??= this.#openSlips(() => till)
    return till.slips
  }

  /** Runs a call without waiting for it: it may wait for something that is held. */
  start(call: Promise<unknown>): void {
    this.#calls += 1
    this.#activity += 1
    call
      .catch((error: unknown) => this.reality.violations.push(`A call rejected: ${String(error)}`))
      .finally(() => {
        this.#calls -= 1
        this.#activity += 1
      })
  }

  /** Resolves when nothing is pending, or only what is held. Then the timers of the tills run for some seconds. */
  async settle(): Promise<void> {
    await this.#waitUntilQuiet()
    vi.advanceTimersByTime(RETRY_MS)
    await this.#waitUntilQuiet()
  }

  async #waitUntilQuiet(): Promise<void> {
    let quiet = 0
    let seen = -1
    for (let turn = 0; quiet < QUIET_TURNS; turn++) {
      await (turn < BUSY_TURNS ? nextTurn() : after(1))
      const isWaiting =
        (this.isIdle || this.isHolding) && !process.getActiveResourcesInfo().includes('FSReqPromise')
      quiet = isWaiting && seen === this.#activity ? quiet + 1 : 0
      seen = this.#activity
      if (turn > MAX_TURNS) {
        this.reality.violations.push('The till is busy, and waits for nothing')
        return
      }
    }
  }

  /** Whether no call and no work of a till is pending. */
  get isIdle(): boolean {
    return (
      this.#calls === 0 &&
      !this.isHolding &&
      this.tills.every(({ slips }) => (slips?.pendingWork() ?? null) === null)
    )
  }

  /** Releases everything that is held. */
  release(): void {
    for (const { release } of this.#held.splice(0)) release()
    this.line.fault = this.line.fault === 'hold' ? 'none' : this.line.fault
    this.printer.fault = this.printer.fault === 'hold' ? 'none' : this.printer.fault
  }

  /** Ends the processes of all tills at this moment, and starts one on the files that they leave. */
  kill(): void {
    this.#free()
    this.#starts += 1
    const next = join(this.#root, `till-${String(this.#starts)}`)
    // SQLite's index of the write-ahead log is memory that the processes share: it ends with them.
    cpSync(this.#folder, next, { recursive: true, filter: (file) => !file.endsWith('-shm') })
    for (const till of this.tills) till.isAlive = false
    this.#killed.push({ tills: this.tills.splice(0), held: this.#held.splice(0) })
    this.#folder = next
    this.#calls = 0
    this.#forgetProcess()
    if (this.#diskFault === 'full') this.#fill()
    this.openTill()
  }

  /** Closes all tills as a user does. */
  async closeTills(): Promise<void> {
    this.release()
    await this.settle()
    for (const { slips } of this.tills.splice(0)) await slips?.close()
    this.#forgetProcess()
  }

  /** Closes the second till. */
  async closeSecondTill(): Promise<void> {
    const till = this.tills.splice(1, 1)[0]
    this.release()
    await this.settle()
    await till?.slips?.close()
  }

  /** Makes the backup of today. */
  async backUp(): Promise<void> {
    const backups = this.till(0)?.backups
    if (backups === undefined) return
    const { reality } = this
    const before = backups.newest()
    const listed = new Set(this.readJournal().flatMap(({ code }) => code ?? []))
    const isMade = await backups.backUpToday()
    const newest = backups.newest()
    if (newest !== null && newest !== before) reality.listedBefore.set(basename(newest), listed)
    if (isMade && newest === null) reality.violations.push('The backup of today was made, and is not there')
  }

  /** Restores the newest backup, with the tills closed. Resolves with whether there was one. */
  async restore(): Promise<boolean> {
    const backup = this.tills[0]?.slips?.backups.newest() ?? null
    if (backup === null) return false
    await this.closeTills()
    const { reality } = this
    const restored = await restoreJournal({
      journalFile: this.journalFile,
      from: backup,
      now: this.now,
      log: noOpLogger
    })
    if (restored.kind === 'restored') {
      reality.papersBeforeRestore = reality.papers.length
      const kept = restored.keptAs === null ? [] : readJournal(join(this.#folder, restored.keptAs))
      const keptCodes = new Set(kept.map(({ code }) => code))
      for (const code of reality.stored.values()) {
        if (!keptCodes.has(code)) reality.violations.push(`${code} is not in the journal that was replaced`)
      }
      const rows = readJournal(this.journalFile)
      reality.stored.clear()
      for (const { intentId, code } of rows) if (code !== null) reality.stored.set(intentId, code)
      const codes = new Set(rows.map(({ code }) => code))
      const listed = reality.listedBefore.get(basename(backup))
      for (const code of reality.made.keys()) {
        if (!codes.has(code) && listed?.has(code) !== true) reality.forgotten.add(code)
      }
    } else if (!this.#isFull && restored.reason !== 'already-restored') {
      reality.violations.push(`The backup was not restored: ${restored.reason}`)
    }
    this.openTill()
    return true
  }

  /** Returns the rows on disk. SQLite needs a little room beside a file that no till has open. */
  readJournal(): readonly JournalRow[] {
    const isFull = this.#isFull && this.tills.every(({ slips }) => slips === null)
    if (isFull) this.#free()
    try {
      return existsSync(this.journalFile) ? readJournal(this.journalFile) : []
    } finally {
      if (isFull) this.#fill()
    }
  }

  /** Returns the pages that came out of the printer, and those in the folder. */
  papers(): readonly Paper[] {
    const folder = join(this.#folder, 'slips')
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pdf')) : []
    return [...this.reality.papers, ...files.flatMap((name) => readPages(readFileSync(join(folder, name))))]
  }

  /** Whether a customer can have this code on paper: what a cashier sees at the printer and in the folder. */
  isOnPaper(code: string): boolean {
    return this.papers().some((paper) => paper.code === code)
  }

  /** Ends everything, and removes the files. */
  async close(): Promise<void> {
    this.setDisk('none')
    this.release()
    this.#ended.resolve(undefined)
    for (const { held } of this.#killed) for (const { release } of held) release()
    for (const { tills } of this.#killed) for (const { slips } of tills) await slips?.close()
    for (const { slips } of this.tills) await slips?.close()
    rmSync(this.#root, { recursive: true, force: true })
  }

  #forgetProcess(): void {
    this.reality.states.clear()
  }

  #openSlips(self: () => Till): SlipService | null {
    const { reality } = this
    const folder = this.#folder
    /** What a process asks for after it was killed has no effect. */
    const whileAlive = async <Value>(ask: () => Promise<Result<Value>>): Promise<Result<Value>> => {
      const isAlive = (): boolean => self().isAlive
      if (isAlive()) {
        this.#activity += 1
        const result = await ask()
        this.#activity += 1
        if (isAlive()) return result
      }
      await this.#ended.promise
      return err({ kind: 'offline' })
    }
    const opened = openSlips(
      slipDependencies(folder, {
        lockTimeoutMs: 100,
        shutdownGraceMs: 1,
        pdfRenderer: paperRenderer,
        createQr: (points) => whileAlive(() => this.line.client(this.business).createQr(points)),
        issueCode: (key, asked) => whileAlive(() => this.line.client(this.business).issueCode(key, asked)),
        // A command asks for the lost answers.
        retryDelaysMs: [],
        printOnPrinter: (job, _to, { signal }) => whileAlive(() => this.printer.print(job.pdf, signal)),
        settings: () => ({
          printer: { destination: this.destination, paperSize: '80mm' },
          copies: 1,
          oneJob: this.oneJob
        }),
        now: () => this.now,
        currentBusiness: () => this.business,
        deliveryMethod: () => this.deliveryMethod,
        showOnDisplay: ({ code }) => {
          if (self().isAlive && this.deliveryMethod !== 'print' && code !== null) reality.shown.add(code)
          return this.deliveryMethod !== 'print'
        },
        onSlip: (slip) => {
          this.#activity += 1
          if (self().isAlive) reality.report(slip)
        },
        onBatch: () => {
          this.#activity += 1
        },
        log: noOpLogger
      })
    )
    return opened.slips.ok ? opened.slips.value : null
  }

  #addPaper(paper: Paper): void {
    const { reality } = this
    reality.papers.push(paper)
    const made = reality.made.get(paper.code)
    const row = this.readJournal().find(({ code }) => code === paper.code)
    if (made === undefined) reality.violations.push(`${paper.code} was printed, and not issued`)
    if (row === undefined) reality.violations.push(`${paper.code} was printed, and is not in the journal`)
    if (made?.isUsed === true) reality.violations.push(`${paper.code} was printed, and was used before`)
    if (made !== undefined && (made.points !== paper.points || made.training !== paper.training)) {
      reality.violations.push(`${paper.code} was printed with other points, or without its mark`)
    }
  }

  async #hold(): Promise<void> {
    const held = Promise.withResolvers<undefined>()
    this.#held.push({ release: () => held.resolve(undefined) })
    await held.promise
  }

  async #holdJob(signal: AbortSignal): Promise<boolean> {
    const held = Promise.withResolvers<boolean>()
    const one: Held = { release: () => held.resolve(true) }
    this.#held.push(one)
    signal.addEventListener('abort', () => {
      this.#held = this.#held.filter((other) => other !== one)
      held.resolve(false)
    })
    return held.promise
  }

  #fillWhen(fault: DiskFault): void {
    if (this.#diskFault === fault) this.#fill()
  }

  #fill(): void {
    this.#isFull = true
    this.#disk.fill()
  }

  #free(): void {
    this.#isFull = false
    this.#disk.free()
  }
}

function failed(message: string): never {
  throw new Error(message)
}
