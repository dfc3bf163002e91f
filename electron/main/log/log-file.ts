/** One event as one line of JSON. */
import logger from 'electron-log/node'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LogDetails, LogLevel, Logger } from './log.ts'
import { createSerializer } from './redact.ts'

/** Makes the writing of lines. A line never throws: what cannot be read says so in its place. */
export function createEntryFormatter(
  now: () => Date,
  secrets: () => Iterable<string>
): (level: LogLevel, event: string, details: LogDetails) => string {
  const plain = createSerializer(secrets)
  const readable = (details: LogDetails): object => {
    try {
      return Object(plain(details)) as object
    } catch {
      // A getter of somebody else's object threw.
      return { details: '[unreadable]' }
    }
  }
  return (level, event, details) =>
    JSON.stringify({ time: now().toISOString(), level, event: plain(event), ...readable(details) })
}

/* from log-file.ts:
 * The log on disk, through electron-log: a file of limited size, and a limited number of older ones beside it.
 * electron-log's part for Node is taken, not its part for Electron, which would add a preload script to every session
 * and a channel that any page may write on.
 */

const NAME = 'till'
/** Bytes that the newest file grows to, and how many files there are in all. */
const LIMITS = { bytes: 1_000_000, files: 5 }

/** Least level that is echoed: what a terminal, or the operating system's own log, should show. */
const ECHOED: readonly LogLevel[] = ['error', 'warn']

interface LogFileOptions {
  /** folder of the files; made when absent */
  readonly folder: string
  readonly now: () => Date
  /** what is written without its line end, for standard error */
  readonly echo: (line: string) => void
  /** instead of LIMITS */
  readonly limits?: typeof LIMITS
}

/** The till's log, and its files. */
export interface LogFile {
  readonly log: Logger
  /** Has a token redacted in every spelling from now on, whatever its shape. */
  readonly addSecret: (secret: string) => void
  /** What it has learnt so far. */
  readonly secrets: () => Iterable<string>
  /** Full paths of the files that are there, newest first. */
  readonly files: () => readonly string[]
}

const fileOf = (folder: string, age: number): string =>
  join(folder, age === 0 ? `${NAME}.log` : `${NAME}.${String(age)}.log`)

/** Makes room for a new file: each one gets a step older, and the oldest goes. Throws as the disk does. */
function rotate(folder: string, files: number): void {
  rmSync(fileOf(folder, files - 1), { force: true })
  for (let age = files - 2; age >= 0; age--) {
    if (existsSync(fileOf(folder, age))) renameSync(fileOf(folder, age), fileOf(folder, age + 1))
  }
}

/** Opens the log. Never throws, and neither does writing: a till whose disk is full goes on without a log. */
export function openLogFile({ folder, now, echo, limits = LIMITS }: LogFileOptions): LogFile {
  const secrets = new Set<string>()
  const line = createEntryFormatter(now, () => secrets)

  const writer = logger.create({ logId: folder })
  for (const transport of Object.values(writer.transports)) if (transport) transport.level = false
  // What electron-log would say of a disk that fails; the echo has the lines themselves.
  logger.transports.console.writeFn = () => undefined
  const { file } = writer.transports
  file.level = 'silly'
  file.maxSize = limits.bytes
  file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' }
  file.transforms = [({ data }): unknown[] => data]
  file.resolvePathFn = () => fileOf(folder, 0)
  file.archiveLogFn = (full) => {
    try {
      rotate(folder, limits.files)
    } catch {
      // It must not grow for ever, even where no file can be renamed.
      full.clear()
    }
  }

  const write =
    (level: LogLevel) =>
    (event: string, details = {}) => {
      const text = line(level, event, details)
      writer[level](text)
      if (ECHOED.includes(level)) echo(text)
    }
  return {
    log: { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') },
    addSecret: (secret) => secrets.add(secret),
    secrets: () => secrets,
    files: () => Array.from({ length: limits.files }, (_none, age) => fileOf(folder, age)).filter(existsSync)
  }
}
