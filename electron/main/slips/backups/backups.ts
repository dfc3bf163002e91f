/** The journal's daily backup: at the first start of a day, and at midnight of a till that stays open. */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../../fs/sync-folder.ts'
import type { Log } from '../../log/index.ts'
import { checkCopy } from './check.ts'
import { copyJournal } from './copy.ts'
import { backupsIn, nameOf, prune } from './kept.ts'

/** How often an open till looks whether a new day has begun, or a backup that failed is to be tried again. */
const LOOK_EVERY_MS = 15 * 60_000

/** What must stay free for the slips themselves once the copy is there, in bytes. */
const RESERVE = 50_000_000

export interface BackupsOptions {
  readonly journalFile: string
  /** where they are kept; made at the first one */
  readonly folder: string
  readonly now: () => Date
  readonly log: Log
  /** bytes that are free where `folder` is; asked of the system unless given */
  readonly free?: (folder: string) => number
}

/** The backups of one journal. Nothing here throws or rejects: a till without a backup goes on, and its log says why. */
export interface Backups {
  /** Makes today's, unless it is there; a second call joins the first. True when today's is there. */
  today(): Promise<boolean>
  /** Makes today's now and each day's from then on. */
  start(): void
  /** Full path of the newest one; null when there is none. */
  newest(): string | null
  /** How many there are. */
  count(): number
  /** Begins no more, and resolves when the one under way is done. */
  stop(): Promise<void>
}

/** Raised when there is no room for a copy beside what the till itself needs. */
class NoRoom extends Error {}

const freeAt = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Makes the backups of the journal in `journalFile`. */
export function createBackups({ journalFile, folder, now, log, free = freeAt }: BackupsOptions): Backups {
  let underWay: Promise<boolean> | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const make = async (name: string): Promise<void> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const needed = statSync(journalFile).size + RESERVE
    if (free(folder) < needed) throw new NoRoom(`A copy needs ${String(needed)} bytes of room`)
    const part = join(folder, `${name}.part`)
    const removePart = (): void => {
      for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(part + ending, { force: true })
    }
    // Left there by a till that was killed.
    removePart()
    try {
      await copyJournal(journalFile, part)
      chmodSync(part, 0o600)
      const checked = await checkCopy(part)
      if (checked.kind === 'damaged') throw new Error(`The copy is damaged: ${checked.reason}`)
      renameSync(part, join(folder, name))
      await syncFolder(folder)
      log.info('backup-made', { backup: name, slips: checked.slips })
    } finally {
      removePart()
    }
    prune(folder)
  }

  const today = async (): Promise<boolean> => {
    const name = nameOf(now())
    if (existsSync(join(folder, name))) return true
    try {
      await make(name)
      return true
    } catch (error) {
      log.error('backup-failed', { backup: name, error })
      return false
    }
  }

  const share = (): Promise<boolean> => {
    underWay ??= today().finally(() => {
      underWay = null
    })
    return underWay
  }

  return {
    today: share,
    start() {
      if (stopped || timer !== undefined) return
      timer = setInterval(() => void share(), LOOK_EVERY_MS)
      // A till that has nothing else to do may end.
      timer.unref()
      void share()
    },
    newest() {
      const [name] = backupsIn(folder)
      return name === undefined ? null : join(folder, name)
    },
    count: () => backupsIn(folder).length,
    async stop() {
      stopped = true
      clearInterval(timer)
      await underWay
    }
  }
}
