/** Diagnostics as one zip, for a manager to hand to whoever helps. */
import { strToU8, zip, type AsyncZippable } from 'fflate'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

const READ_ME = `Diagnostics of a till.

about.json     versions, system, printers and their state, numbers of the journal, the last errors
settings.json  what was chosen in the settings; of what was typed only whether it is set
logs/          what the till did, one line of JSON an event

Tokens, phones, e-mails and codes are redacted, names are left out. Look through it before you hand it on.
`

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const packed = (files: AsyncZippable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    zip(files, (error, bytes) => {
      if (error) reject(error)
      else resolve(bytes)
    })
  })

/** What goes in: two reports that are redacted already, and the log's files, which are redacted once more. */
interface ArchiveParts {
  readonly about: unknown
  readonly settings: unknown
  readonly logFiles: readonly string[]
  /** how the log masks, with the tokens that it has learnt since the lines were written */
  readonly redact: (text: string) => string
}

/** Makes the zip. A log that cannot be read is left out. Rejects when the packing fails. */
export async function archive({ about, settings, logFiles, redact }: ArchiveParts): Promise<Uint8Array> {
  const files: AsyncZippable = {
    'README.txt': strToU8(READ_ME),
    'about.json': strToU8(json(about)),
    'settings.json': strToU8(json(settings))
  }
  for (const file of logFiles) {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text !== null) files[`logs/${basename(file)}`] = strToU8(redact(text))
  }
  return packed(files)
}

/** Settings as diagnostics may hold them: what was chosen from a list, and of all else only whether it is set. */

/** Settings whose text is one of a few that the till itself offers. */
const CHOICES = new Set([
  'mode',
  'language',
  'country',
  'kind',
  'paper',
  'code',
  'port',
  'rounding',
  'theme',
  'contrast'
])

/**
 * The settings without what somebody typed: a business's texts, names, addresses and secrets say only that they are
 * set. What a later version adds is treated the same way.
 */
export function settingsReport(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]: [string, unknown]) => [name, report(name, value)])
  )
}

/** Whole groups that are about the business, or secret. */
const GROUPS = new Set(['token', 'business'])

function report(name: string, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return 'not set'
  if (GROUPS.has(name)) return 'set'
  if (typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'string') return CHOICES.has(name) ? value : 'set'
  if (Array.isArray(value)) return `${String(value.length)} items`
  return typeof value === 'object' ? settingsReport(value) : 'set'
}
