/** Tills that make codes without a connection, and the database of their service: each breaks as it is told. */
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Slip } from '../../electron/contract/slips.ts'
import { NetworkFault } from '../../electron/main/loyalty/buffered-fetch.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { OfflineKeys, type OfflineKey } from '../../electron/main/offline/offline-keys.ts'
import { parseSettings, type StoredSettings } from '../../electron/main/settings/settings-schema.ts'
import type { SlipService } from '../../electron/main/slips/slip-service.ts'
import { restoreJournal } from '../../electron/main/upkeep/restore.ts'
import type { Database, Queries } from '../../electron/service/store/database.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { business } from '../support/sample-business.ts'
import { MemorySettings } from '../support/session.ts'
import { openTestSlips } from '../support/slip-service.ts'
import { ORIGIN } from '../unit/service/pages/visitor.ts'
import { paperRenderer } from './printer.ts'

/** Turns without a request after which a till does nothing more by itself. */
const QUIET_TURNS = 10

/** Thrown by the statements of a process that was killed. */
class Killed extends Error {
  override readonly name = 'Killed'
}

/** A database whose process is killed after so many statements: what it has not committed then is not there. */
export class KilledDatabase implements Database {
  readonly #database: Database
  /** statements until the process is killed */
  left = Infinity
  /** what happens once, before the next transaction begins */
  meanwhile: (() => Promise<unknown>) | null = null

  constructor(database: Database) {
    this.#database = database
  }

  get dialect(): Database['dialect'] {
    return this.#database.dialect
  }

  read(...statement: Parameters<Queries['read']>): Promise<readonly unknown[]> {
    return this.#alive(() => this.#database.read(...statement))
  }

  write(...statement: Parameters<Queries['write']>): Promise<readonly unknown[]> {
    return this.#alive(() => this.#database.write(...statement))
  }

  async transaction<Value>(work: (queries: Queries) => Promise<Value>): Promise<Value> {
    const { meanwhile } = this
    this.meanwhile = null
    await meanwhile?.()
    const value = await this.#database.transaction((queries) =>
      work({
        dialect: queries.dialect,
        read: (...statement) => this.#alive(() => queries.read(...statement)),
        write: (...statement) => this.#alive(() => queries.write(...statement))
      })
    )
    // Committed, and the answer may be lost.
    return this.#alive(() => Promise.resolve(value))
  }

  deleteReplaced(): void {
    this.#database.deleteReplaced()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #alive<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.left <= 0) return Promise.reject(new Killed('The process was killed'))
    this.left -= 1
    return work()
  }
}

/** What a till is surrounded by. */
export interface TillWorld {
  readonly now: Date
  /** id of the shop */
  readonly business: string
  fetch(path: string, init: RequestInit): Promise<Response>
}

export type Line = 'mended' | 'cut' | 'loses-answers'

/** A till on a folder, with its settings in a file there. */
export class CutTill {
  readonly token: string
  line: Line = 'mended'
  /** how far its clock is ahead */
  aheadMs = 0
  slips: SlipService
  #offlineKeys: OfflineKeys | null = null
  readonly #world: TillWorld
  readonly #root: string
  readonly #client: LoyaltyClient
  readonly #killed: SlipService[] = []
  #folder: string
  #starts = 0
  #pending = 0
  /** its clock was so far ahead of the last answer */
  #knownAheadMs = 0

  /** @param image disk that it begins with, such as `newDisk()` */
  constructor(world: TillWorld, root: string, token: string, image: string) {
    this.#world = world
    this.#root = root
    this.token = token
    this.#client = new LoyaltyClient({
      ...{ baseUrl: `${ORIGIN}/api`, token, languages: { screen: 'en' } },
      fetch: (request) => this.#fetch(request)
    })
    this.#folder = image
    this.#copyDisk(image)
    this.slips = this.#open()
  }

  get now(): Date {
    return new Date(this.#world.now.getTime() + this.aheadMs)
  }

  /** the key that it has opened, which a thief of its disk has, too */
  get key(): OfflineKey | null {
    return this.#offlineKeys?.current ?? null
  }

  /** the slips of its journal */
  list(): readonly Slip[] {
    const list: Slip[] = []
    for (let hasMore = true; hasMore;) {
      const page = this.slips.queries.list({ offset: list.length })
      if (!page.ok) throw new Error(`The journal cannot be read: ${page.failure.kind}`)
      list.push(...page.value.slips)
      hasMore = page.value.hasMore
    }
    return list
  }

  /** Presses *Print slip*. Resolves with the slip, or null where none was printed. @param isKilled before the answer is there */
  async issue(intentId: string, points: number, isKilled: boolean): Promise<Slip | null> {
    const issuing = this.slips.counter.issue({ intentId, points, customer: null })
    if (isKilled) {
      await nextTurn()
      this.kill()
    }
    const issued = await issuing
    await this.#quiet()
    // What a killed till prints is in no hand.
    return issued.ok && !isKilled ? issued.value.slip : null
  }

  /** Asks for lost answers, reports, and renews the key. */
  async report(): Promise<void> {
    await this.slips.lostAnswers.askAgain()
    this.slips.offlineReports.start()
    await this.#quiet()
  }

  kill(): void {
    this.#killed.push(this.slips)
    this.#copyDisk(this.#folder)
    this.slips = this.#open()
  }

  async backUp(): Promise<void> {
    await this.slips.backups.backUpToday()
  }

  /** Replaces the journal by its last backup, if there is one. */
  async restore(): Promise<void> {
    const from = this.slips.backups.newest()
    if (from === null) return
    await this.slips.close()
    await restoreJournal({
      ...{ from, now: this.now, log: noOpLogger },
      journalFile: join(this.#folder, 'journal.db')
    })
    this.slips = this.#open()
  }

  /** Starts an image of its disk as another machine. */
  image(): CutTill {
    return new CutTill(this.#world, mkdtempSync(`${this.#root}-image-`), this.token, this.#folder)
  }

  async close(): Promise<void> {
    await this.slips.close()
    for (const slips of this.#killed) await slips.close()
  }

  #copyDisk(from: string): void {
    this.#starts += 1
    const next = join(this.#root, String(this.#starts))
    // SQLite's index of the write-ahead log is memory that the processes share: it ends with them.
    cpSync(from, next, { recursive: true, filter: (file) => !file.endsWith('-shm') })
    this.#folder = next
  }

  #open(): SlipService {
    const world = this.#world
    const file = join(this.#folder, 'key.json')
    const settings = new FileSettings(file)
    const isCut = (): boolean => this.line === 'cut'
    const offlineKeys = new OfflineKeys({
      settings,
      session: {
        ...{ mode: 'business', accepted: true, businessKey: 'b1' },
        get offlineSince() {
          return isCut() ? world.now.toISOString() : null
        }
      },
      tokens: {
        seal: (ciphertext) => Promise.resolve({ kind: 'sealed', sealed: { ciphertext, weak: false } }),
        open: ({ ciphertext }) => Promise.resolve(ciphertext)
      },
      clock: this.#clock,
      onChange: () => undefined
    })
    this.#offlineKeys = offlineKeys
    // As the start of the till does.
    void offlineKeys.open()
    return openTestSlips(this.#folder, {
      ...{ pdfRenderer: paperRenderer, offlineKeys, retryDelaysMs: [], now: () => this.now },
      currentBusiness: () => ({
        ...business,
        id: world.business,
        extensions: ['codes/1', 'offline-codes/1']
      }),
      issueCode: (...asked) => this.#client.issueCode(...asked),
      offlineKey: (...asked) => this.#client.offlineKey(...asked),
      reportOfflineCodes: (...asked) => this.#client.reportOfflineCodes(...asked)
    })
  }

  get #clock() {
    const known = (): number => this.#knownAheadMs
    return {
      get aheadMs() {
        return known()
      }
    }
  }

  /** Resolves when no request is under way, and none follows. */
  async #quiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
      await nextTurn()
      if (this.#pending > 0 || this.slips.pendingWork() !== null) turns = 0
    }
  }

  async #fetch(request: Request): Promise<Response> {
    if (this.line === 'cut') throw new NetworkFault('not-sent')
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    this.#pending += 1
    try {
      const body = method === 'POST' ? { body: await request.text() } : {}
      const response = await this.#world.fetch(pathname + search, { method, headers, ...body })
      if (this.line === 'loses-answers') throw new NetworkFault('lost')
      this.#knownAheadMs = this.aheadMs
      return response
    } finally {
      this.#pending -= 1
    }
  }
}

/** Returns the disk of a till that was started once: creating a journal takes a fifth of the time of a sequence. */
export const newDisk = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'offline-disk-'))
  await openTestSlips(folder).close()
  return folder
}

/** Settings whose key is in a file. */
class FileSettings extends MemorySettings {
  readonly #file: string

  constructor(file: string) {
    super({ offlineKey: readKey(file) })
    this.#file = file
  }

  override update(change: Partial<StoredSettings>): void {
    super.update(change)
    // Not after the end of the run.
    if (existsSync(dirname(this.#file))) writeFileSync(this.#file, JSON.stringify(this.values.offlineKey))
  }
}

const readKey = (file: string): StoredSettings['offlineKey'] => {
  if (!existsSync(file)) return null
  return (
    parseSettings({ offlineKey: JSON.parse(readFileSync(file, 'utf8')) as unknown })?.values.offlineKey ??
    null
  )
}
