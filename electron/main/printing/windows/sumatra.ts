/** SumatraPDF, as pdf-to-printer brings it: hands a PDF to a queue of Windows. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The version that pdf-to-printer 5.8.1 brings. */
const PROGRAM = 'SumatraPDF-3.4.6-32.exe'

/**
 * Full path of the program. Inside the packed application Windows cannot start it from the archive. pdf-to-printer
 * looks for the unpacked copy only where the main module is CommonJS, and the till's is not.
 */
export function sumatraPath(resolved: string): string {
  return join(dirname(resolved), PROGRAM).replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
}

/** A file, a queue, the driver's paper form (null: its default) and the number of copies. */
export interface HandOver {
  readonly file: string
  readonly queue: string
  readonly form: string | null
  readonly copies: number
}

/** Hands a file to a queue. Resolves when the spooler has it; rejects when SumatraPDF says no. */
export type HandToSpooler = (handOver: HandOver) => Promise<void>

/** The way that a till prints; `program` instead of the one that pdf-to-printer brings. */
export const handToSpooler =
  (program?: string): HandToSpooler =>
  async ({ file, queue, form, copies }) => {
    const { print } = await import('pdf-to-printer')
    await print(file, {
      printer: queue,
      scale: 'noscale',
      copies,
      ...(form !== null && { paperSize: form }),
      sumatraPdfPath: program ?? sumatraPath(createRequire(import.meta.url).resolve('pdf-to-printer'))
    })
  }
