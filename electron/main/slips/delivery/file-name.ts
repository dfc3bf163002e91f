/** A file name for any code: codes have no documented form, so one may hold path separators or anything else. */
import { createHash } from 'node:crypto'

/** File systems take 255 bytes a name; the rest is room for what is put around it. */
const LONGEST = 160

/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

const escaped = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

/**
 * A name without extension that stays inside its folder on every system: letters, digits, `-`, `_` and inner dots
 * as they are, every other byte of UTF-8 as `%XX`. Different codes have different names; a code too long for a
 * name is cut and told apart by its SHA-256.
 */
export function fileNameOf(code: string): string {
  const bytes = Buffer.from(code.toWellFormed(), 'utf8')
  let name = ''
  for (const [index, byte] of bytes.entries()) {
    const character = String.fromCharCode(byte)
    const edge = index === 0 || index === bytes.length - 1
    const plain = /[A-Za-z0-9_-]/.test(character) || (character === '.' && !edge)
    name += plain ? character : escaped(byte)
  }
  if (DEVICE.test(name)) name = escaped(bytes[0] ?? 0) + name.slice(1)
  if (name.length <= LONGEST) return name
  return `${name.slice(0, LONGEST - 65)}~${createHash('sha256').update(code).digest('hex')}`
}
