/**
 * What the service says of itself, on stderr: one event a line. Never a token, a phone, a code or a name: the message of an
 * error may quote what was sent.
 */
import { fstatSync } from 'node:fs'

/** The journal's priority of an error (sd-daemon(3)). */
const ERROR = '<3>'

/** Stacks that are remembered, so that each is written once. */
const MAX_STACKS = 100
const MAX_FRAMES = 12

/** What people and tills send, by its shape: e-mails, phones, and words with digits, as codes, ids and tokens are. */
const SENT = [
  /\S+@\S+/g,
  /(?<=\breceived ).*/gs,
  /[+＋]?\p{Nd}(?:[\s().-]?\p{Nd}){5,}/gu,
  /(?<![\p{L}\p{N}_-])(?=[\p{L}_-]*\p{N})[\p{L}\p{N}_-]{9,}/gu
]

/** Quoted values, and the quoted names of tables and columns, which are kept. */
const QUOTED = /"(?:[^"\\]|\\.)*(?:"|$)/gs
const NAME = /^"[a-z_]+"$/

const withoutSent = (text: string): string =>
  SENT.reduce((left, shape) => left.replaceAll(shape, '…'), text)
    .replaceAll(QUOTED, (quoted) => (NAME.test(quoted) ? quoted : '…'))
    .replaceAll(/\s+/g, ' ')
    .trim()

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return withoutSent(String(error))
  const own = withoutSent(`${error.name}: ${error.message}`)
  return error.cause === undefined ? own : `${own} (${sentenceOf(error.cause)})`
}

const framesOf = (error: unknown): readonly string[] =>
  (error instanceof Error ? (error.stack ?? '') : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)

/** Whether stderr is the journal: a child's stderr may be a pipe to its parent (systemd.exec(5), JOURNAL_STREAM). */
const isJournal = (): boolean => {
  const { dev, ino } = fstatSync(process.stderr.fd)
  return process.env['JOURNAL_STREAM'] === `${String(dev)}:${String(ino)}`
}

/** Writes lines with their priorities, which only the journal reads. */
export class Log {
  readonly #write: (text: string) => void
  readonly #hasPriorities: boolean
  readonly #stacks = new Set<string>()

  constructor(
    write: (text: string) => void = (text) => void process.stderr.write(text),
    hasPriorities = isJournal()
  ) {
    this.#write = write
    this.#hasPriorities = hasPriorities
  }

  /** Writes a sentence of the service's own, such as why a command was refused. */
  error(sentence: string): void {
    this.#lines(sentence.split('\n'))
  }

  /** Writes what failed and why, with the stack when it is the first such failure. @param what such as `GET /q/:code` */
  failure(what: string, error: unknown): void {
    const frames = framesOf(error)
    const stack = frames.join('\n')
    const isNew = !this.#stacks.has(stack)
    if (this.#stacks.size >= MAX_STACKS) this.#stacks.clear()
    this.#stacks.add(stack)
    this.#lines([`${what} failed: ${sentenceOf(error)}`, ...(isNew ? frames : [])])
  }

  #lines(lines: readonly string[]): void {
    const start = this.#hasPriorities ? ERROR : ''
    this.#write(lines.map((line) => `${start}${line}\n`).join(''))
  }
}
