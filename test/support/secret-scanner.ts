/** Looking for a secret where it must not be, in every form that it may have been written in. */
import { unzipSync } from 'fflate'
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'

/** A token that a header can carry, and that every encoding of it changes. */
export const CANARY_TOKEN = 'tkn+Mark/er=7f3Qz~xK9_demo'

/** Base64 of a text at any position in a longer one: its letters depend on the bytes before it. */
function base64At(bytes: Buffer, before: 0 | 1 | 2): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  // The first letters hold bits of what is before, the last ones bits of what is behind.
  return encoded.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1)
}

const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_')
const escaped = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** The secret's forms as bytes, by name, each once. */
export function encodingsOf(secret: string): ReadonlyMap<string, Buffer> {
  const bytes = Buffer.from(secret)
  const utf16 = Buffer.from(secret, 'utf16le')
  const texts: Record<string, string> = {
    plain: secret,
    'percent-encoded': encodeURIComponent(secret),
    'percent-encoded throughout': escaped(bytes),
    'percent-encoded throughout, upper case': escaped(bytes).toUpperCase(),
    hex: bytes.toString('hex'),
    'hex, upper case': bytes.toString('hex').toUpperCase(),
    'JSON in JSON': JSON.stringify(JSON.stringify(secret)).slice(3, -3)
  }
  for (const before of [0, 1, 2] as const) {
    const encoded = base64At(bytes, before)
    texts[`base64, ${String(before)} before`] = encoded
    texts[`base64url, ${String(before)} before`] = urlSafe(encoded)
  }
  const forms = [
    ...Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const),
    ['UTF-16', utf16] as const,
    ['UTF-16, big end first', Buffer.from(utf16).swap16()] as const
  ]
  // Two encodings may spell a secret alike.
  return new Map(
    forms.filter(([, form], index) => forms.findIndex(([, other]) => other.equals(form)) === index)
  )
}

/** Names of the forms in which `bytes` hold the secret; empty is what is hoped for. */
export function encodingsIn(bytes: Buffer | string, secret: string): string[] {
  const where = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  return [...encodingsOf(secret)].filter(([, form]) => where.includes(form)).map(([name]) => name)
}

/** The streams of a PDF that are deflated, inflated. */
function streamsOf(pdf: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = pdf.indexOf('stream\n'); at !== -1; at = pdf.indexOf('stream\n', at + 7)) {
    try {
      found.push(inflateSync(pdf.subarray(at + 7)))
    } catch {
      // The end of a stream, or one that is not deflated.
    }
  }
  return found
}

/** What is inside of a file, unpacked where it is packed. */
function partsOf(name: string, bytes: Buffer): readonly (readonly [string, Buffer])[] {
  if (name.endsWith('.zip')) {
    return Object.entries(unzipSync(bytes)).map(([part, inside]) => [`${name}:${part}`, Buffer.from(inside)])
  }
  if (!name.endsWith('.pdf')) return [[name, bytes]]
  return [[name, bytes], ...streamsOf(bytes).map((stream) => [name, stream] as const)]
}

async function entriesBelow(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
  const folders = entries.filter((entry) => entry.isDirectory())
  const below = await Promise.all(folders.map(({ name }) => entriesBelow(join(folder, name))))
  return [...entries, ...below.flat()]
}

/**
 * Looks through every file below `folder`, names included, zips and PDFs unpacked. Gives `<path>: <form>` for each find.
 * Files and folders that go while it looks are passed over.
 */
export async function scanFolder(folder: string, secret: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await entriesBelow(folder)) {
    const path = join(entry.parentPath, entry.name)
    for (const form of encodingsIn(entry.name, secret)) found.push(`the name ${path}: ${form}`)
    if (!entry.isFile()) continue
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    for (const [name, part] of partsOf(path, bytes)) {
      for (const form of encodingsIn(part, secret)) found.push(`${name}: ${form}`)
    }
  }
  return found
}
