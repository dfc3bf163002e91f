/** One IPP Everywhere printer of the test print system (ippeveprinter): stores what it receives, fails on request. */
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listening, start, type StartedProgram } from './programs.ts'

/** What a printer takes: a roll between two widths, or sheets. Lengths in hundredths of a millimetre, as in IPP. */
export interface TestMedia {
  /** MIME types of documents, the best first; default: PDF and raster */
  readonly formats?: string
  readonly sizes: readonly (readonly [x: string, y: string])[]
  /** keywords of PWG 5101.1; the first is loaded */
  readonly names: readonly string[]
}

/** A receipt printer of 203 dpi: any length of a roll 48 to 80 mm wide. */
export const RECEIPT_ROLL: TestMedia = {
  sizes: [
    ['8000', '20000'],
    ['5800', '20000'],
    ['4800-8000', '2000-300000']
  ],
  names: [
    'custom_80x200mm_80x200mm',
    'custom_58x200mm_58x200mm',
    'custom_min_48x20mm',
    'custom_max_80x3000mm'
  ]
}

/** An office printer: A6 and A4, no custom sizes. */
export const OFFICE_SHEETS: TestMedia = {
  sizes: [
    ['10500', '14800'],
    ['21000', '29700']
  ],
  names: ['iso_a6_105x148mm', 'iso_a4_210x297mm']
}

const member = (name: string, value: string): string =>
  `MEMBER ${value.includes('-') ? 'rangeOfInteger' : 'integer'} ${name} ${value}`

const size = ([x, y]: readonly [string, string]): string =>
  `{ ${member('x-dimension', x)} ${member('y-dimension', y)} }`

const noMargins = ['bottom', 'left', 'right', 'top']
  .map((side) => `MEMBER integer media-${side}-margin 0`)
  .join(' ')

const mediaCollection = (of: readonly [string, string]): string =>
  `{ MEMBER collection media-size ${size(of)} ${noMargins} }`

const DOCUMENT_FORMATS = 'application/pdf,image/pwg-raster,application/octet-stream'

/** Returns the text of an attributes file of ippeveprinter. */
function printerAttributes({ sizes, names, formats = DOCUMENT_FORMATS }: TestMedia): string {
  const [ready = ['8000', '20000'] as const] = sizes
  const [readyName = ''] = names
  return [
    'ATTR boolean color-supported false',
    'ATTR integer copies-default 1',
    'ATTR rangeOfInteger copies-supported 1-99',
    `ATTR mimeMediaType document-format-default ${formats.split(',')[0] ?? ''}`,
    `ATTR mimeMediaType document-format-supported ${formats}`,
    'ATTR enum finishings-default 3',
    'ATTR enum finishings-supported 3',
    'ATTR keyword job-creation-attributes-supported copies,media,media-col,print-scaling,printer-resolution',
    `ATTR keyword media-default ${readyName}`,
    `ATTR keyword media-ready ${readyName}`,
    `ATTR keyword media-supported ${names.join(',')}`,
    'ATTR keyword media-col-supported media-size,media-top-margin,media-bottom-margin,media-left-margin,media-right-margin',
    `ATTR collection media-col-default ${mediaCollection(ready)}`,
    `ATTR collection media-col-ready ${mediaCollection(ready)}`,
    `ATTR collection media-col-database ${sizes.map(mediaCollection).join(',')}`,
    `ATTR collection media-size-supported ${sizes.map(size).join(',')}`,
    ...['bottom', 'left', 'right', 'top'].map((side) => `ATTR integer media-${side}-margin-supported 0`),
    'ATTR keyword print-color-mode-default monochrome',
    'ATTR keyword print-color-mode-supported monochrome',
    'ATTR keyword print-scaling-default none',
    'ATTR keyword print-scaling-supported none,fit,auto,auto-fit,fill',
    'ATTR resolution printer-resolution-default 203dpi',
    'ATTR resolution printer-resolution-supported 203dpi',
    'ATTR resolution pwg-raster-document-resolution-supported 203dpi',
    'ATTR keyword pwg-raster-document-type-supported black_1,sgray_8',
    'ATTR keyword pwg-raster-document-sheet-back normal',
    'ATTR keyword urf-supported V1.4,W8,CP1,RS203',
    'ATTR keyword sides-default one-sided',
    'ATTR keyword sides-supported one-sided',
    'ATTR text printer-make-and-model "Test Printer"',
    'ATTR text printer-device-id "MFG:Test;MDL:Printer;CMD:PDF,PWGRaster;"',
    ''
  ].join('\n')
}

/** The program that ippeveprinter runs for each job. */
const RECEIVE_SCRIPT = fileURLToPath(new URL('./receive.sh', import.meta.url))

/** How a printer handles jobs. `silent` accepts a job and never finishes it. */
type TestPrinterBehaviour = 'ok' | 'paper-out' | 'cover-open' | 'silent'

export interface TestPrinter {
  readonly queue: string
  /** Resolves when the current job has ended: CUPS retries a busy printer only after ten seconds. */
  behave(behaviour: TestPrinterBehaviour): Promise<void>
  /** Printed documents, oldest first. */
  received(): Promise<readonly Buffer[]>
  /** Stops its program, as a power cut would. */
  off(): Promise<void>
  on(): Promise<void>
}

interface TestPrinterOptions {
  /** name of the printer's queue */
  readonly queue: string
  readonly media: TestMedia
  /** folder that this printer alone uses */
  readonly folder: string
  readonly port: number
  /** makes the account of the print system's programs the owner of a folder and its contents */
  readonly chownToUser: (folder: string) => Promise<void>
  readonly spawnOptions: { readonly env: NodeJS.ProcessEnv; readonly uid?: number; readonly gid?: number }
}

/** Creates a printer and switches it on. */
export async function createPrinter(options: TestPrinterOptions): Promise<TestPrinter> {
  const { queue, media, folder, port, chownToUser, spawnOptions } = options
  const output = join(folder, 'output')
  const busy = join(output, 'busy')
  const spool = join(folder, 'spool')
  const attributes = join(folder, 'attributes.conf')
  const script = join(folder, 'receive.sh')
  await mkdir(output, { recursive: true })
  await mkdir(spool, { recursive: true })
  await writeFile(attributes, printerAttributes(media))
  // ippeveprinter may run under another account, which cannot enter a clone in a folder of mode 0700.
  await copyFile(RECEIVE_SCRIPT, script)
  await chmod(script, 0o755)
  let program: StartedProgram | null = null

  const printer: TestPrinter = {
    queue,
    async behave(behaviour) {
      const wasBusy = existsSync(busy)
      await writeFile(join(output, 'mode'), behaviour)
      while (wasBusy && program?.ended() === false && existsSync(busy)) await wait(20)
    },
    async received() {
      const names = (await readdir(output)).filter((name) => name.startsWith('job-')).sort()
      return Promise.all(names.map((name) => readFile(join(output, name))))
    },
    async off() {
      await program?.stop()
      program = null
    },
    async on() {
      if (program !== null) return
      const address = ['-r', 'off', '-p', String(port), '-n', 'localhost']
      program = start('ippeveprinter', [...address, '-d', spool, '-a', attributes, '-c', script, queue], {
        ...spawnOptions,
        env: { ...spawnOptions.env, OUTPUT_FOLDER: output }
      })
      await listening(port, program)
    }
  }
  await printer.behave('ok')
  await chownToUser(folder)
  await printer.on()
  return printer
}
