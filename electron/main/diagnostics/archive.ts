/** Diagnostics as one zip, for a manager to hand to whoever helps. */
import { strToU8, zip, type AsyncZippable } from 'fflate'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

const READ_ME = `Diagnostics of a till.

about.json     versions, system, printers and their state, numbers of the journal, the last errors
settings.json  what was chosen in the settings; of what was typed only whether it is set
logs/          what the till did, one line of JSON an event

Tokens, phones, e-mails and codes are masked, names are left out. Look through it before you hand it on.
`

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const packed = (files: AsyncZippable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    zip(files, (error, bytes) => {
      if (error) reject(error)
      else resolve(bytes)
    })
  })

/** What goes in: two reports that are masked already, and the log's files, which are masked once more. */
export interface ArchiveParts {
  readonly about: unknown
  readonly settings: unknown
  readonly logFiles: readonly string[]
  /** how the log masks, with the tokens that it has learnt since the lines were written */
  readonly mask: (text: string) => string
}

/** Makes the zip. A log that cannot be read is left out. Rejects when the packing fails. */
export async function archive({ about, settings, logFiles, mask }: ArchiveParts): Promise<Uint8Array> {
  const files: AsyncZippable = {
    'README.txt': strToU8(READ_ME),
    'about.json': strToU8(json(about)),
    'settings.json': strToU8(json(settings))
  }
  for (const file of logFiles) {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text !== null) files[`logs/${basename(file)}`] = strToU8(mask(text))
  }
  return packed(files)
}
