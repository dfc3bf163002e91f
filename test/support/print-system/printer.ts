import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listening, start, type StartedProgram } from './programs.ts'

/** What the rig's IPP printers say of themselves: ippeveprinter's attributes file, in its own language. */

/** Paper that a printer takes: a roll between two widths, or sheets. Hundredths of a millimetre, as IPP counts. */
export interface TestMedia {
  readonly sizes: readonly (readonly [x: string, y: string])[]
  /** keywords of PWG 5101.1, the first is in the printer */
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

const media = (of: readonly [string, string]): string =>
  `{ MEMBER collection media-size ${size(of)} ${noMargins} }`

/** The file's text. */
function printerAttributes({ sizes, names }: TestMedia): string {
  const [ready = ['8000', '20000'] as const] = sizes
  const [readyName = ''] = names
  return [
    'ATTR boolean color-supported false',
    'ATTR integer copies-default 1',
    'ATTR rangeOfInteger copies-supported 1-99',
    'ATTR mimeMediaType document-format-default application/pdf',
    'ATTR mimeMediaType document-format-supported application/pdf,image/pwg-raster,application/octet-stream',
    'ATTR enum finishings-default 3',
    'ATTR enum finishings-supported 3',
    'ATTR keyword job-creation-attributes-supported copies,media,media-col,print-scaling,printer-resolution',
    `ATTR keyword media-default ${readyName}`,
    `ATTR keyword media-ready ${readyName}`,
    `ATTR keyword media-supported ${names.join(',')}`,
    'ATTR keyword media-col-supported media-size,media-top-margin,media-bottom-margin,media-left-margin,media-right-margin',
    `ATTR collection media-col-default ${media(ready)}`,
    `ATTR collection media-col-ready ${media(ready)}`,
    `ATTR collection media-col-database ${sizes.map(media).join(',')}`,
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
    'ATTR keyword sides-default one-sided',
    'ATTR keyword sides-supported one-sided',
    'ATTR text printer-make-and-model "Rig Printer"',
    'ATTR text printer-device-id "MFG:Rig;MDL:Printer;CMD:PDF,PWGRaster;"',
    ''
  ].join('\n')
}

/* from printer.ts: One IPP Everywhere printer of the rig: keeps what it receives, and fails when it is told to. */

const RECEIVE = fileURLToPath(new URL('./receive.sh', import.meta.url))

/** How a printer behaves from now on. `silent` takes a job and says nothing more. */
export type TestPrinterBehaviour = 'ok' | 'paper-out' | 'cover-open' | 'silent' | 'cutter-jam'

export interface TestPrinter {
  readonly queue: string
  /** Waits until the printer has let go of what it was doing: a busy one is tried again only after ten seconds. */
  behave(behaviour: TestPrinterBehaviour): Promise<void>
  /** Documents that came out, oldest first. */
  received(): Promise<readonly Buffer[]>
  /** Pulls its plug. */
  off(): Promise<void>
  on(): Promise<void>
}

interface TestPrinterOptions {
  readonly queue: string
  readonly paper: TestMedia
  /** a folder of its own */
  readonly folder: string
  readonly port: number
  /** gives what is in the folder to the user that the printer runs as */
  readonly handOver: (folder: string) => Promise<void>
  readonly options: { readonly env: NodeJS.ProcessEnv; readonly uid?: number; readonly gid?: number }
}

/** Makes a printer, switched on. */
export async function createPrinter(parts: TestPrinterOptions): Promise<TestPrinter> {
  const { queue, paper, folder, port, handOver, options } = parts
  const kept = join(folder, 'kept')
  const busy = join(kept, 'busy')
  const spool = join(folder, 'spool')
  const attributes = join(folder, 'attributes.conf')
  await mkdir(kept, { recursive: true })
  await mkdir(spool, { recursive: true })
  await writeFile(attributes, printerAttributes(paper))
  let program: StartedProgram | null = null

  const printer: TestPrinter = {
    queue,
    async behave(behaviour) {
      const wasBusy = existsSync(busy)
      await writeFile(join(kept, 'mode'), behaviour)
      while (wasBusy && program?.ended() === false && existsSync(busy)) await wait(20)
    },
    async received() {
      const names = (await readdir(kept)).filter((name) => name.startsWith('job-')).sort()
      return Promise.all(names.map((name) => readFile(join(kept, name))))
    },
    async off() {
      await program?.stop()
      program = null
    },
    async on() {
      if (program !== null) return
      program = start(
        'ippeveprinter',
        [
          '-r',
          'off',
          '-p',
          String(port),
          '-n',
          'localhost',
          '-d',
          spool,
          '-a',
          attributes,
          '-c',
          RECEIVE,
          queue
        ],
        { ...options, env: { ...options.env, KEPT: kept } }
      )
      await listening(port, program)
    }
  }
  await printer.behave('ok')
  await handOver(folder)
  await printer.on()
  return printer
}
