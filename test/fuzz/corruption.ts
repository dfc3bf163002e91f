/** Generates damaged journals. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'

/** SQLite's page size, and the offset of the user version in a file's header (sqlite.org/fileformat.html). */
const PAGE = 4096
const USER_VERSION_AT = 60
/** Size of a sparse file, bytes. */
const VAST = 20 * 1024 ** 3

/** The journal before the damage: closed properly, left by a killed till, or of version 1 without slips. */
const TEMPLATES = ['closed', 'killed', 'version 1'] as const
type Template = (typeof TEMPLATES)[number]

const FILES = ['journal.sqlite', 'journal.sqlite-wal', 'journal.sqlite-shm'] as const
type FileName = (typeof FILES)[number]

type Damage =
  | {
      readonly kind: 'flip'
      readonly file: FileName
      readonly at: number
      readonly bit: number
      readonly count: number
    }
  | { readonly kind: 'cut'; readonly file: FileName; readonly at: number }
  | { readonly kind: 'swap pages'; readonly one: number; readonly other: number }
  | { readonly kind: 'zero a page'; readonly page: number }
  | { readonly kind: 'garbage'; readonly file: FileName; readonly bytes: number }
  | { readonly kind: 'garbage behind'; readonly file: FileName; readonly bytes: number }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'gone'; readonly file: FileName }
  | { readonly kind: 'empty'; readonly file: FileName }
  | { readonly kind: 'foreign'; readonly schema: string }
  | { readonly kind: 'folder'; readonly file: FileName }
  | { readonly kind: 'link to nowhere' }
  | { readonly kind: 'pipe' }
  | { readonly kind: 'vast' }

/** Schemas of other databases, some of them similar to a journal. */
const FOREIGN = [
  'CREATE TABLE notes (text)',
  'CREATE TABLE slips (number INTEGER PRIMARY KEY, intent_id TEXT); PRAGMA user_version = 2',
  'CREATE VIEW slips AS SELECT 1 AS number; CREATE TABLE closing (clean); PRAGMA user_version = 2',
  'CREATE TABLE closing (clean); INSERT INTO closing VALUES (1); PRAGMA user_version = 2',
  `CREATE TABLE closing (clean); INSERT INTO closing VALUES ('x'); PRAGMA user_version = 1`,
  'PRAGMA journal_mode = WAL; CREATE TABLE notes (text)'
]

const place = fc.noBias(fc.nat({ max: 1_000_000 })).map((millionths) => millionths / 1_000_000)
const file = fc.constantFrom(...FILES)

/** `at`, `page`, `one` and `other` are fractions of the file's length. */
const damage: fc.Arbitrary<Damage> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('flip' as const),
      file: fc.constantFrom(FILES[0], FILES[0], FILES[0], FILES[1], FILES[2]),
      at: fc.oneof(place, fc.constantFrom(0, 0.0002, 0.001)),
      bit: fc.nat({ max: 7 }),
      count: fc.constantFrom(1, 1, 10, 200)
    })
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cut' as const), file, at: place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('swap pages' as const), one: place, other: place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('zero a page' as const), page: place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('garbage' as const, 'garbage behind' as const),
      file,
      bytes: fc.constantFrom(1, 100, 5000, 100_000)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('version' as const),
      version: fc.constantFrom(0, 1, 2, 3, 99, -1, 2 ** 31 - 1)
    })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('gone' as const, 'empty' as const), file }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('foreign' as const), schema: fc.constantFrom(...FOREIGN) })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('folder' as const), file }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Damage>({ kind: 'link to nowhere' }, { kind: 'pipe' }, { kind: 'vast' })
  }
)

/** One damaged journal. */
export interface CorruptionCase {
  readonly template: Template
  readonly damages: readonly Damage[]
}

export const damagedJournal: fc.Arbitrary<CorruptionCase> = fc.record({
  template: fc.constantFrom(...TEMPLATES),
  damages: fc.array(damage, { minLength: 1, maxLength: 3 })
})

const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 2_654_435_761 + length) >>> 13
  return bytes
}

/** Changes a file, unless an earlier damage removed or replaced it. */
const change = (path: string, how: (bytes: Buffer) => Buffer): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) writeFileSync(path, how(readFileSync(path)))
}

const pageAt = (bytes: Buffer, fraction: number): number =>
  Math.min(
    Math.floor(fraction * (bytes.byteLength / PAGE)),
    Math.max(0, Math.floor(bytes.byteLength / PAGE) - 1)
  ) * PAGE

const remove = (path: string): void => {
  rmSync(path, { recursive: true, force: true })
}

/** Damages the journal in `folder`. */
function applyDamage(folder: string, what: Damage): void {
  const journal = join(folder, FILES[0])
  switch (what.kind) {
    case 'flip':
      change(join(folder, what.file), (bytes) => {
        for (let turn = 0; turn < what.count && bytes.byteLength > 0; turn += 1) {
          const at = (Math.floor(what.at * (bytes.byteLength - 1)) + turn * 7919) % bytes.byteLength
          bytes[at] = (bytes[at] ?? 0) ^ (1 << what.bit)
        }
        return bytes
      })
      return
    case 'cut':
      change(join(folder, what.file), (bytes) => bytes.subarray(0, Math.floor(what.at * bytes.byteLength)))
      return
    case 'swap pages':
      change(journal, (bytes) => {
        const [one, other] = [pageAt(bytes, what.one), pageAt(bytes, what.other)]
        const copy = Buffer.from(bytes)
        bytes.copy(copy, one, other, other + PAGE)
        bytes.copy(copy, other, one, one + PAGE)
        return copy
      })
      return
    case 'zero a page':
      change(journal, (bytes) => {
        const at = pageAt(bytes, what.page)
        return bytes.fill(0, at, Math.min(at + PAGE, bytes.byteLength))
      })
      return
    case 'garbage':
      change(join(folder, what.file), () => noise(what.bytes))
      return
    case 'garbage behind':
      change(join(folder, what.file), (bytes) => Buffer.concat([bytes, noise(what.bytes)]))
      return
    case 'version':
      change(journal, (bytes) => {
        if (bytes.byteLength > USER_VERSION_AT + 4) bytes.writeInt32BE(what.version, USER_VERSION_AT)
        return bytes
      })
      return
    case 'gone':
      remove(join(folder, what.file))
      return
    case 'empty':
      change(join(folder, what.file), () => Buffer.alloc(0))
      return
    case 'foreign': {
      for (const name of FILES) remove(join(folder, name))
      const database = new DatabaseSync(journal)
      database.exec(what.schema)
      database.close()
      return
    }
    case 'folder':
      remove(join(folder, what.file))
      mkdirSync(join(folder, what.file))
      return
    case 'link to nowhere':
      remove(journal)
      symlinkSync(join(folder, 'nowhere', 'journal.sqlite'), journal)
      return
    case 'pipe':
      remove(journal)
      execFileSync('mkfifo', [journal])
      return
    case 'vast':
      if (lstatSync(journal, { throwIfNoEntry: false })?.isFile()) truncateSync(journal, VAST)
  }
}

/** Copies a template's files to `folder`, and damages them. */
export function createDamagedJournal(
  templates: string,
  folder: string,
  { template, damages }: CorruptionCase
): void {
  cpSync(join(templates, template), folder, { recursive: true })
  // A file of this size cannot be read and changed, so it is made last.
  const inOrder = damages.toSorted(
    (one, other) => Number(one.kind === 'vast') - Number(other.kind === 'vast')
  )
  for (const what of inOrder) applyDamage(folder, what)
}
