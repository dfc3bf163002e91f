import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One entry of an archive's header: a folder, a file inside the archive, or a file beside it. */
interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly offset?: string
  readonly size?: number
  readonly executable?: boolean
  readonly unpacked?: boolean
}

/**
 * Unpacks an app.asar into a temporary folder, since Node, unlike Electron, can't read inside one.
 * @returns the folder; the caller removes it
 */
export function unpackAsar(archive: string): string {
  const bytes = readFileSync(archive)
  // Two nested length-prefixed records (Chromium's pickle): the header's size, then the header's text with its size.
  const headerSize = bytes.readUInt32LE(4)
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Entry
  const start = 8 + headerSize
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-app-'))
  const unpack = (entry: Entry, inside: string): void => {
    const target = join(folder, inside)
    if (entry.files) {
      mkdirSync(target, { recursive: true })
      for (const [name, child] of Object.entries(entry.files)) unpack(child, join(inside, name))
    } else if (entry.unpacked) cpSync(join(`${archive}.unpacked`, inside), target)
    else {
      const from = start + Number(entry.offset)
      writeFileSync(target, bytes.subarray(from, from + (entry.size ?? 0)))
      if (entry.executable) chmodSync(target, 0o755)
    }
  }
  unpack(header, '')
  return folder
}
