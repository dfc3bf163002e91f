/** Where a policy stands. It counts only while nobody but the administrator can change it. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Notice } from '../../contract/till.ts'
import { errorCode } from '../fs/atomic-write.ts'
import { parsePolicy, type Policy, type PolicyForm, type PolicyMistake } from './policy.ts'

/** The key of the registry, in HKEY_LOCAL_MACHINE. */
export const POLICY_KEY = 'Software\\Policies\\Tillpoints'

/** Why a policy is not read. */
export type PolicyRefusal = Extract<Notice, { readonly kind: 'policy-ignored' }>['reason']

/** A mistake with its line, where the source has lines. */
export interface LocatedMistake extends PolicyMistake {
  readonly line: number | null
}

/** What a source says now. */
export type PolicyReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: PolicyRefusal }
  /** half-written, without a valid syntax, or unreadable now: what it said before counts */
  | { readonly kind: 'broken'; readonly mistake: LocatedMistake }
  | { readonly kind: 'read'; readonly policy: Policy; readonly mistakes: readonly LocatedMistake[] }

/** One place of a policy. */
export interface PolicySource {
  /** path or key, for people */
  readonly name: string
  /** Never rejects. */
  read(): Promise<PolicyReading>
  /** Calls `onChange` when it may have changed, until the returned function is called. */
  watch(onChange: () => void): () => void
}

/** Far larger than any policy; such a file is read in an instant. */
export const MAX_POLICY_BYTES = 1024 * 1024

/** Between two looks at a file. Looking also sees a file that replaces another one, and a folder that is new. */
const FILE_INTERVAL_MS = 2000

/** Until a file is read again that could not be read: the check of its owner may take seconds on Windows. */
const RETRY_MS = 60_000

const located = (mistakes: readonly PolicyMistake[], lines?: ReadonlyMap<string, number>): LocatedMistake[] =>
  mistakes.map((mistake) => ({ ...mistake, line: lines?.get(mistake.name) ?? null }))

/** Parses the content of a policy. */
export function readingOf(
  content: unknown,
  form: PolicyForm,
  lines?: ReadonlyMap<string, number>
): PolicyReading {
  const { policy, mistakes } = parsePolicy(content, form)
  return { kind: 'read', policy, mistakes: located(mistakes, lines) }
}

/** Returns the outcome of an error that names no line. @param message what it means; default: that the source cannot be read */
export function brokenBy(error: unknown, message?: string): PolicyReading {
  const code = errorCode(error)
  const unread = `The policy cannot be read now${code === '' ? '' : ` (${code})`}. Check that its file is whole; it is read again in a minute.`
  return { kind: 'broken', mistake: { name: '', message: message ?? unread, line: null } }
}

/** Returns the line of each member of a JSON text, by the names that lead to it. */
function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  const names: string[] = []
  let line = 1
  let last = { name: '', line }
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\\n])*"|[{}[\]:\n]/gu)) {
    if (token === '\n') line += 1
    else if (token === '{' || token === '[') names.push('')
    else if (token === '}' || token === ']') names.pop()
    else if (token === ':') {
      names[names.length - 1] = last.name
      lines.set(names.join('.'), last.line)
    } else last = { name: token.slice(1, -1), line }
  }
  return lines
}

/** Parses the JSON of a policy. V8 names the line of a mistake, unless the text ends too early. */
export function readJsonPolicy(bytes: Buffer): PolicyReading {
  const json = bytes.toString('utf8').replace(/^\uFEFF/u, '')
  let content: unknown
  try {
    content = JSON.parse(json)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const line = Number(/line (\d+)/u.exec(message)?.[1] ?? json.split('\n').length)
    const place =
      'This is no valid JSON: a comma, a quote or a bracket is missing here or too many. Correct it.'
    return { kind: 'broken', mistake: { name: '', message: place, line } }
  }
  return readingOf(content, { isText: false }, linesOf(json))
}

/**
 * Parses a property list of macOS: binary, as a profile makes it, or XML. What the profile says of itself is no setting.
 */
export async function readPropertyList(bytes: Buffer): Promise<PolicyReading> {
  const { parse } = await import('plist')
  const isBinary = bytes.subarray(0, 6).toString('latin1') === 'bplist'
  try {
    // A text that begins otherwise is parsed as the format of OpenStep.
    if (!isBinary && bytes[0] !== '<'.charCodeAt(0)) throw new Error('No property list')
    const content = parse(isBinary ? bytes : bytes.toString('utf8'))
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      throw new Error('No dictionary')
    const own = Object.entries(content).filter(([name]) => !name.startsWith('Payload'))
    return readingOf(Object.fromEntries(own), { isText: true })
  } catch (error) {
    return brokenBy(
      error,
      'This is no property list with a dictionary, binary or XML. Make it again from the profile.'
    )
  }
}

/**
 * The owner and the mode of POSIX: the owner must be `administrator`, and neither group nor others may write. Access lists
 * of Linux show in the group's bits; those of macOS do not.
 */
const modeRefusal = (
  { uid, mode }: { readonly uid: number; readonly mode: number },
  administrator: number
): PolicyRefusal | null => {
  if (uid !== administrator) return 'owner'
  return (mode & (constants.S_IWGRP | constants.S_IWOTH)) === 0 ? null : 'writable'
}

/** The errors of a path that leads to no file, and of a link to itself or a socket. */
const MISSING = new Set(['ENOENT', 'ENOTDIR'])
const NO_FILE = new Set(['ELOOP', 'ENXIO'])

/** The bytes of a file that passed the check, or why it did not. */
type FileContent =
  { readonly kind: 'content'; readonly bytes: Buffer } | Extract<PolicyReading, { kind: 'refused' }>

/**
 * Reads a file of POSIX, whose folder is checked too. What was checked is what is read. Throws the file system's error.
 */
function readGuarded(path: string, administrator: number): FileContent {
  // Opening a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > MAX_POLICY_BYTES) return { kind: 'refused', reason: 'unreadable' }
    const reason = modeRefusal(stats, administrator) ?? modeRefusal(statSync(dirname(path)), administrator)
    return reason === null ? { kind: 'content', bytes: readFileSync(file) } : { kind: 'refused', reason }
  } finally {
    closeSync(file)
  }
}

/** Returns what differs after a file or its folder has changed. */
const stampOf = (path: string): string =>
  [path, dirname(path)]
    .map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }))
    .map((stats) => (stats ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join() : ''))
    .join(';')

/** A file whose changes are seen from the moment it was read: a watch that starts later misses what came between. */
export class FileWatch {
  readonly #path: string
  #stamp = ''
  #retryAt = Infinity

  constructor(path: string) {
    this.#path = path
  }

  /** Call before the file is read. */
  remember(): void {
    this.#stamp = this.#look()
    this.#retryAt = Infinity
  }

  /**
   * Returns the outcome of an error while the file was read or checked. What cannot be read now counts as changed after a
   * minute: another program may have it open, or the system may be busy.
   */
  outcomeOf(error: unknown): PolicyReading {
    const code = errorCode(error)
    if (MISSING.has(code)) return { kind: 'absent' }
    if (NO_FILE.has(code)) return { kind: 'refused', reason: 'unreadable' }
    this.#retryAt = performance.now() + RETRY_MS
    return brokenBy(error)
  }

  /** Calls `onChange` while the file is not as remembered, until the returned function is called. */
  start(onChange: () => void): () => void {
    const timer = setInterval(() => {
      if (this.#look() !== this.#stamp || performance.now() >= this.#retryAt) onChange()
    }, FILE_INTERVAL_MS).unref()
    return () => clearInterval(timer)
  }

  #look(): string {
    try {
      return stampOf(this.#path)
    } catch {
      return ''
    }
  }
}

/** Parses the bytes of a policy. */
export type PolicyFormat = (bytes: Buffer) => PolicyReading | Promise<PolicyReading>

/** A file of Linux or macOS. */
export class PolicyFile implements PolicySource {
  readonly name: string
  readonly #administrator: number
  readonly #format: PolicyFormat
  readonly #watch: FileWatch

  /** @param administrator the user id that must own the file and its folder */
  constructor(path: string, administrator: number, format: PolicyFormat) {
    this.name = path
    this.#administrator = administrator
    this.#format = format
    this.#watch = new FileWatch(path)
  }

  async read(): Promise<PolicyReading> {
    this.#watch.remember()
    try {
      const content = readGuarded(this.name, this.#administrator)
      return content.kind === 'content' ? await this.#format(content.bytes) : content
    } catch (error) {
      return this.#watch.outcomeOf(error)
    }
  }

  watch(onChange: () => void): () => void {
    return this.#watch.start(onChange)
  }
}
