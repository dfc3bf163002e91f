/** The backups in a folder. A program of its own makes them, so that the service answers while one is verified. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { BACKUP_NAME, backupName } from '../domain/backups.ts'
import { Refusal } from '../domain/refusal.ts'

export interface Backup {
  /** of its file */
  readonly name: string
  /** ISO 8601, UTC */
  readonly at: string
  readonly bytes: number
}

/** Pages of the data file. */
interface CopyProgress {
  readonly done: number
  /** 0 before the first ones */
  readonly total: number
}

interface BackupFolderOptions {
  readonly folder: string
  /** a program and its arguments, which are followed by the file to write; tells its progress on stderr */
  readonly command: readonly string[]
  readonly now: () => Date
  /** called when a backup was not made */
  readonly onError: (error: unknown) => void
}

/** What the program says of its progress. */
const PROGRESS = /^pages: (\d+) of (\d+)$/

export class BackupFolder {
  readonly #options: BackupFolderOptions
  #running: { readonly child: ChildProcess; readonly ended: Promise<void>; progress: CopyProgress } | null =
    null
  #outcome: 'made' | 'failed' | 'cancelled' | null = null

  constructor(options: BackupFolderOptions) {
    this.#options = options
  }

  /** the backup that is being made; null without one */
  get progress(): CopyProgress | null {
    return this.#running?.progress ?? null
  }

  /** what became of the last one since the start of the service */
  get outcome(): 'made' | 'failed' | 'cancelled' | null {
    return this.#outcome
  }

  /** Returns the backups, the newest first. */
  async list(): Promise<readonly Backup[]> {
    const names = await readdir(this.#options.folder).catch(() => [])
    const backups = await Promise.all(
      names
        .filter((name) => BACKUP_NAME.test(name))
        .map(async (name) => {
          const found = await stat(join(this.#options.folder, name)).catch(() => null)
          return found?.isFile() === true ? [{ name, at: found.mtime.toISOString(), bytes: found.size }] : []
        })
    )
    return backups.flat().toSorted((one, other) => other.at.localeCompare(one.at))
  }

  /** Returns the content of a backup; null without one of this name. */
  async read(
    name: string
  ): Promise<{ readonly bytes: number; readonly content: AsyncIterable<Uint8Array> } | null> {
    const backup = (await this.list()).find((listed) => listed.name === name)
    if (backup === undefined) return null
    return { bytes: backup.bytes, content: createReadStream(join(this.#options.folder, name)) }
  }

  /** Begins a backup. Throws a `Refusal` while one is being made. */
  async start(): Promise<void> {
    const { folder, command, now } = this.#options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (this.#running !== null) throw new Refusal('backup-running', 'A backup is being made.')
    const [program = '', ...args] = command
    const child = spawn(program, [...args, join(folder, backupName(now()))], {
      stdio: ['ignore', 'ignore', 'pipe']
    })
    this.#outcome = null
    this.#running = { child, ended: this.#watch(child), progress: { done: 0, total: 0 } }
  }

  /** Ends a backup that is being made, which then leaves nothing. */
  async cancel(): Promise<void> {
    if (this.#running === null) return
    const { child, ended } = this.#running
    this.#outcome = 'cancelled'
    child.kill('SIGTERM')
    await ended
  }

  async #watch(child: ChildProcess & { readonly stderr: NodeJS.ReadableStream }): Promise<void> {
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', resolve)
      child.once('error', () => {
        resolve(null)
      })
    })
    let said = ''
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, done, total] = PROGRESS.exec(line) ?? []
      if (total === undefined) said = line
      else if (this.#running !== null) this.#running.progress = { done: Number(done), total: Number(total) }
    })
    const code = await ended
    this.#running = null
    if (code === 0) this.#outcome = 'made'
    else if (this.#outcome !== 'cancelled') {
      this.#outcome = 'failed'
      this.#options.onError(new Error(`The backup failed: ${said}`))
    }
  }
}
