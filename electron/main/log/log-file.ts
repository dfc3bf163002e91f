/**
 * The log on disk, written by electron-log: one file of limited size and a limited number of older files. Uses
 * electron-log's Node build. Its Electron build would add a preload script to every session and an IPC channel that any
 * page can write to.
 */
import electronLog from 'electron-log/node'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { renameFileSync } from '../fs/atomic-write.ts'
import type { LogDetails, Logger, LogLevel, WriteEvent } from './log.ts'
import { redact, serialize } from './redact.ts'

const NAME = 'till'
/** Maximum size of the newest file, and the number of files including it. */
const LIMITS = { bytes: 1_000_000, files: 5 }
/** Levels that are also written to standard error, and so to the operating system's log. */
const ECHOED_LEVELS: readonly LogLevel[] = ['error', 'warn']

export interface FileLoggerOptions {
  /** directory of the log files; created if missing */
  readonly folder: string
  readonly now: () => Date
  /** receives each error and warning as a line without its line end */
  readonly echo: (line: string) => void
  /** replaces LIMITS in tests */
  readonly limits?: typeof LIMITS
}

/**
 * Writes events as JSON lines to `till.log` and rotates the files. Neither the constructor nor the writing throws: if
 * the disk is full, the app continues without a log.
 */
export class FileLogger implements Logger {
  readonly #options: FileLoggerOptions
  readonly #limits: typeof LIMITS
  readonly #secrets = new Set<string>()
  readonly #writer: ReturnType<typeof electronLog.create>
  readonly error = this.#writeEvent('error')
  readonly warn = this.#writeEvent('warn')
  readonly info = this.#writeEvent('info')
  readonly debug = this.#writeEvent('debug')

  constructor(options: FileLoggerOptions) {
    this.#options = options
    this.#limits = options.limits ?? LIMITS
    this.#writer = electronLog.create({ logId: options.folder })
    for (const transport of Object.values(this.#writer.transports)) if (transport) transport.level = false
    // electron-log's own messages about a failing disk; `echo` receives the lines themselves.
    electronLog.transports.console.writeFn = () => undefined
    const { file } = this.#writer.transports
    // electron-log would search for a package.json, and write nothing where it finds none.
    file.setAppName('Tillpoints')
    file.level = 'silly'
    file.maxSize = this.#limits.bytes
    file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' }
    file.transforms = [({ data }): unknown[] => data]
    file.resolvePathFn = () => this.#path(0)
    file.archiveLogFn = (full) => {
      try {
        this.#rotate()
      } catch {
        // The file must not grow without limit, even if it cannot be renamed.
        full.clear()
      }
    }
  }

  /** Redacts this token in every spelling from now on, whatever its shape. */
  addSecret(secret: string): void {
    this.#secrets.add(secret)
  }

  /** Redacts a text as an event is, with the tokens that were added so far. */
  redact(text: string): string {
    return redact(text, this.#secrets)
  }

  /** Full paths of the existing log files, newest first. */
  files(): readonly string[] {
    return Array.from({ length: this.#limits.files }, (_none, age) => this.#path(age)).filter(existsSync)
  }

  #writeEvent(level: LogLevel): WriteEvent {
    return (event, details = {}) => {
      const entry = formatEntry(this.#options.now(), level, event, details, this.#secrets)
      this.#writer[level](entry)
      if (ECHOED_LEVELS.includes(level)) this.#options.echo(entry)
    }
  }

  #path(age: number): string {
    return join(this.#options.folder, age === 0 ? `${NAME}.log` : `${NAME}.${String(age)}.log`)
  }

  /** Renames each file to the next age and deletes the oldest. Throws the file system's error. */
  #rotate(): void {
    const { files } = this.#limits
    rmSync(this.#path(files - 1), { force: true })
    for (let age = files - 2; age >= 0; age--)
      if (existsSync(this.#path(age))) renameFileSync(this.#path(age), this.#path(age + 1))
  }
}

/**
 * Returns a function that writes lines to a stream until that fails. A program that reads standard error may close it:
 * without a listener the error would be uncaught, logged, echoed, and fail again.
 */
export function createEcho(stream: NodeJS.WritableStream): (line: string) => void {
  let isOpen = true
  stream.on('error', () => {
    isOpen = false
  })
  return (line) => {
    if (isOpen) stream.write(`${line}\n`)
  }
}

/** Returns one event as a line of JSON. Never throws: details that cannot be read are replaced by a note. */
export function formatEntry(
  time: Date,
  level: LogLevel,
  event: string,
  details: LogDetails,
  secrets: Iterable<string>
): string {
  const readable = (): object => {
    try {
      return Object(serialize(details, secrets)) as object
    } catch {
      // A getter of a foreign object threw.
      return { details: '[unreadable]' }
    }
  }
  return JSON.stringify({ time: time.toISOString(), level, event: serialize(event, secrets), ...readable() })
}
