/** The log: the interface through which every service writes one event per line, and the files on disk. */
import electronLog from 'electron-log/node'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure } from '../../contract/failure.ts'
import { renameFileSync } from '../fs/atomic-write.ts'
import { redact, serialize } from './redact.ts'

/** Log levels, the most severe first. See README.md for when to use which. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Details of an event: ids, counts, names of settings, errors. Never names of people, tokens or complete points codes.
 * `time`, `level` and `event` are reserved: every line has its own.
 */
export type LogDetails = Readonly<Record<string, unknown>> &
  Readonly<Partial<Record<'time' | 'level' | 'event', never>>>

/** Writes one event, named in kebab-case. Never throws. */
export type WriteEvent = (event: string, details?: LogDetails) => void

/** What services receive to write to the log. `FileLogger` redacts what they write. */
export type Logger = Readonly<Record<LogLevel, WriteEvent>>

/** Returns the details of a failure without the service's own message, which may contain a person's name. */
export function failureDetails(failure: Failure): LogDetails {
  const { kind, ...rest } = failure
  return { failure: kind, ...Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'message')) }
}

/** Returns the first characters of a points code: enough to find the slip, too few to redeem the points. */
export function codePrefix(code: string | null): string | null {
  if (code === null) return null
  const characters = Array.from(code)
  return `${characters.slice(0, Math.min(4, Math.floor(characters.length / 3))).join('')}…`
}

/** Remembers the last error of repeated work. */
export class RepeatedError {
  #last: string | null = null

  /** Calls `write` unless the last attempt failed with the same error. */
  failed(error: unknown, write: (error: unknown) => void): void {
    const text = String(error)
    if (text === this.#last) return
    this.#last = text
    write(error)
  }

  /** An error after this one is a new one. */
  succeeded(): void {
    this.#last = null
  }
}

/** Name of the log files, without their extension. */
const NAME = 'till'
/** Maximum size of the newest file, and the number of files including it. */
const LIMITS = { bytes: 1_000_000, files: 5 }
/** Levels that are also written to standard error, and so to the operating system's log. */
const ECHOED_LEVELS: readonly LogLevel[] = ['error', 'warn']

export interface FileLoggerOptions {
  /** directory of the log files; created if missing */
  readonly folder: string
  /** receives each error and warning as a line without its line end */
  readonly echo: (line: string) => void
  /** replaces LIMITS in tests */
  readonly limits?: typeof LIMITS
}

/**
 * Writes events as JSON lines to `till.log` and rotates the files. Neither the constructor nor the writing throws: if
 * the disk is full, the app continues without a log. Uses electron-log's Node build: its Electron build would add a
 * preload script to every session and an IPC channel that any page can write to.
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
      const entry = formatEntry(new Date(), level, event, details, this.#secrets)
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
