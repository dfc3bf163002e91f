/** What keeps a service from working on its own machine: the disk, the backups, the clock. */
import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { Database } from '../../store/database.ts'
import { newestBackup } from '../place.ts'
import { finding, joined, notSeen, reasonOf, right, type Diagnosis } from './diagnosis.ts'

/** Below this the next backup or a busy day may fill the disk. */
const MIN_FREE_BYTES = 500 * 1024 * 1024
const MAX_BACKUP_AGE_HOURS = 48
/** What the clock may differ. A request takes some of it. */
const CLOCK_TOLERANCE_MS = 60_000
/** For another machine to tell its time. */
const TIMEOUT_MS = 10_000

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const run = promisify(execFile)

/** Looks at the disk of a folder. */
export const diskReport = async (folder: string): Promise<Diagnosis> => {
  const { bavail, bsize } = await statfs(folder)
  const megabytes = Math.round((bavail * bsize) / 1024 / 1024)
  return bavail * bsize >= MIN_FREE_BYTES
    ? right(`The disk of ${folder} has ${String(megabytes)} MB left.`)
    : finding(`The disk of ${folder} has ${String(megabytes)} MB left. Make room.`)
}

/** Looks at the backups in a folder. */
export const backupReport = (folder: string, now: Date): Diagnosis => {
  const newest = newestBackup(folder)
  if (newest === null) return finding(`There is no backup in ${folder} (see backup --help).`)
  const hours = Math.floor((now.getTime() - newest) / HOUR_MS)
  const text = `The newest backup in ${folder} is ${String(hours)} hours old`
  return hours < MAX_BACKUP_AGE_HOURS
    ? right(`${text}.`)
    : finding(`${text}. journalctl -u tillpoints-service-backup says why there is no newer one.`)
}

const newestRow = v.object({ at: v.nullable(v.string()) })

/** Compares the clock with the newest entry, which is never later. */
export const entryClockReport = async (database: Database, now: Date): Promise<Diagnosis> => {
  const [row] = await database.read(
    'SELECT max(at) AS at FROM (SELECT max(at) AS at FROM entries UNION ALL SELECT max(created_at) FROM codes) AS newest'
  )
  const { at } = v.parse(newestRow, row)
  const behind = at === null ? 0 : Date.parse(at) - now.getTime()
  if (behind <= CLOCK_TOLERANCE_MS) return joined([])
  const minutes = Math.round(behind / MINUTE_MS)
  return finding(
    `The clock is ${String(minutes)} minutes behind the newest entry: codes expire too late, or too early. Set it.`
  )
}

/** Compares the clock with the `Date` (RFC 9110, 6.6.1) of another machine. */
const dateReport = async (url: string, now: () => Date): Promise<Diagnosis> => {
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const ahead = now().getTime() - Date.parse(answer.headers.get('date') ?? '')
    if (Number.isNaN(ahead)) return notSeen(`Whether the clock is right: ${url} does not tell its time.`)
    if (Math.abs(ahead) <= CLOCK_TOLERANCE_MS) return right(`The clock agrees with that of ${url}.`)
    const minutes = Math.round(Math.abs(ahead) / MINUTE_MS)
    return finding(
      `The clock is ${String(minutes)} minutes ${ahead > 0 ? 'ahead of' : 'behind'} that of ${url}. Set it: timedatectl set-ntp true.`
    )
  } catch (error) {
    return notSeen(`Whether the clock is right: ${url} does not answer (${reasonOf(error)}).`)
  }
}

/** Asks systemd whether a time server sets the clock. */
const synchronizedReport = async (): Promise<Diagnosis> => {
  const { stdout } = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value']).catch(
    () => ({
      stdout: ''
    })
  )
  switch (stdout.trim()) {
    case 'yes':
      return right('A time server sets the clock.')
    case 'no':
      return finding('No time server sets the clock, which goes wrong. Let one: timedatectl set-ntp true.')
    default:
      return notSeen(
        'Whether the clock is right: timedatectl says nothing here. Give doctor a --clock to compare it with.'
      )
  }
}

/** Looks at the clock. @param url of a machine whose time is right; undefined for what systemd says */
export const clockReport = (url: string | undefined, now: () => Date): Promise<Diagnosis> =>
  url === undefined ? synchronizedReport() : dateReport(url, now)
