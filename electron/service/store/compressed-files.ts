/** Files that are kept compressed, with zstd (RFC 8878): `zstd -d` makes the same file. */
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Refusal } from '../domain/refusal.ts'

/** The first bytes of each such file. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Level 6 makes a shop's data 4.1 times smaller; level 3 makes them 3.7 times smaller in half its time, and higher ones gain
 * nothing. Without a checksum a changed bit of the file is not seen.
 */
const PARAMETERS = {
  [constants.ZSTD_c_compressionLevel]: 6,
  [constants.ZSTD_c_checksumFlag]: 1
}

/** How the work on a file is watched. */
export interface FileWork {
  /** Tells how much of the file is read, in pages of 4 KiB. */
  readonly report: (done: number, total: number) => void
  /** ends the work */
  readonly signal: AbortSignal
}

const pagesOf = (bytes: number): number => Math.ceil(bytes / 4096)

/** A new file, which is on the disk when it is closed. Only this user reads it. */
const writing = (file: string) => createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })

/** Whether a file is compressed, by its first bytes. */
export const isCompressed = async (file: string): Promise<boolean> => {
  const opened = await open(file)
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return bytesRead === MAGIC.length && buffer.equals(MAGIC)
  } finally {
    await opened.close()
  }
}

/** Reads a compressed file into a stream. Rejects with a `Refusal` if it is cut off or changed. */
const expandInto = async (source: string, target: Writable, { report, signal }: FileWork): Promise<void> => {
  const { size } = await stat(source)
  let done = 0
  const file = createReadStream(source).on('data', ({ length }) => {
    done += length
    report(pagesOf(done), pagesOf(size))
  })
  try {
    await pipeline(file, createZstdDecompress(), target, { signal })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /^Z(?:STD)?_/.test(String(error.code)))) throw error
    throw new Refusal('place-unsuitable', `${source} is damaged: it cannot be decompressed.`)
  }
}

/** Writes what a compressed file holds as the new file `target`. Rejects as `expandInto` does, for an aborted signal, and for a full disk. */
export const expandFile = (source: string, target: string, work: FileWork): Promise<void> =>
  expandInto(source, writing(target), work)

/** Writes `source` compressed as the new file `target`, and reads that again. Rejects for an aborted signal and for a full disk. */
export const compressFile = async (source: string, target: string, signal: AbortSignal): Promise<void> => {
  await pipeline(createReadStream(source), createZstdCompress({ params: PARAMETERS }), writing(target), {
    signal
  })
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await expandInto(target, nowhere, { report: () => undefined, signal })
}
