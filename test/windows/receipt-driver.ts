/** A queue of CUPS that Wine shows to Windows programs as a printer with the paper forms of receipt printers. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LOOPBACK } from '../support/loopback.ts'
import type { PrintSystem } from '../support/print-system/index.ts'
import type { Picture } from '../support/read-slip.ts'

const run = promisify(execFile)

/** Width and height of each form in millimetres, by its name in the driver. */
export const FORMS = {
  A4: [210, 297],
  '80(72)x 297mm': [80, 297],
  'Roll Paper 58 x 210 mm': [58, 210],
  '72mm x 200mm': [72, 200],
  '48mm x 200mm': [48, 200]
} as const

const points = (millimetres: number): string => ((millimetres * 72) / 25.4).toFixed(3)

/** One line per form: the keyword, the form's key and name, and its value. */
const formLines = (keyword: string, value: (size: string) => string): string =>
  Object.entries(FORMS)
    .map(([name, [width, height]], index) => {
      const key = name === 'A4' ? name : `Form${String(index)}`
      return `*${keyword} ${key}/${name}: "${value(`${points(width)} ${points(height)}`)}"`
    })
    .join('\n')

const selectSize = (size: string): string => `<</PageSize[${size}]/ImagingBBox null>>setpagedevice`

/** Wine reads `203dpi` as 20. */
const PPD = `*PPD-Adobe: "4.3"
*FormatVersion: "4.3"
*FileVersion: "1.0"
*LanguageVersion: English
*LanguageEncoding: ISOLatin1
*PCFileName: "RECEIPT.PPD"
*Manufacturer: "Test"
*Product: "(Receipt)"
*ModelName: "Test Receipt Driver"
*ShortNickName: "Test Receipt Driver"
*NickName: "Test Receipt Driver"
*PSVersion: "(3010.000) 0"
*LanguageLevel: "3"
*ColorDevice: False
*DefaultColorSpace: Gray
*FileSystem: False
*Throughput: "1"
*LandscapeOrientation: Plus90
*TTRasterizer: Type42
*cupsFilter: "application/vnd.cups-postscript 0 -"
*OpenUI *Resolution/Resolution: PickOne
*DefaultResolution: 203x203dpi
*Resolution 203x203dpi/203 DPI: "<</HWResolution[203 203]>>setpagedevice"
*CloseUI: *Resolution
*OpenUI *PageSize/Media Size: PickOne
*OrderDependency: 10 AnySetup *PageSize
*DefaultPageSize: A4
${formLines('PageSize', selectSize)}
*CloseUI: *PageSize
*OpenUI *PageRegion: PickOne
*OrderDependency: 10 AnySetup *PageRegion
*DefaultPageRegion: A4
${formLines('PageRegion', selectSize)}
*CloseUI: *PageRegion
*DefaultImageableArea: A4
${formLines('ImageableArea', (size) => `0 0 ${size}`)}
*DefaultPaperDimension: A4
${formLines('PaperDimension', (size) => size)}
*DefaultFont: Courier
*Font Courier: Standard "(002.004S)" Standard ROM
`

/** CUPS takes a job for a PDF otherwise, because of the title that SumatraPDF gives it. */
const POSTSCRIPT_TYPE = 'application/postscript ps priority(200) string(0,%!)\n'

/** Reads a binary PGM file (P5, 8 bits). */
function parsePgm(bytes: Buffer): Picture {
  const header = /^P5\s(?:#[^\n]*\n)*(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 200))
  if (header === null) throw new Error('Ghostscript wrote no PGM')
  return {
    width: Number(header[1]),
    height: Number(header[2]),
    pixels: new Uint8Array(bytes.subarray(header[0].length))
  }
}

export interface ReceiptDriver {
  /** Resolves with the pages of the next job, in dots of 203 dpi. */
  nextJob(): Promise<readonly Picture[]>
  /** Drops the jobs that a failed test left. */
  forgetJobs(): void
  stop(): Promise<void>
}

/** Adds a queue of this name to the print system. */
export async function addReceiptDriver(system: PrintSystem, queue: string): Promise<ReceiptDriver> {
  const folder = await mkdtemp('/tmp/receipt-driver-')
  const jobs: Promise<Buffer>[] = []
  let announce = (): void => undefined
  const server = createServer((socket) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    jobs.push(once(socket, 'end').then(() => Buffer.concat(chunks)))
    announce()
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const ppd = join(folder, 'receipt.ppd')
  await writeFile(ppd, PPD)
  await writeFile(join(String(system.environment['HOME']), 'etc/local.types'), POSTSCRIPT_TYPE)
  await system.stopScheduler()
  await system.startScheduler()
  const uri = `socket://${LOOPBACK}:${String(port)}/?waiteof=false`
  await system.command('lpadmin', '-p', queue, '-E', '-v', uri, '-P', ppd, '-o', 'printer-is-shared=false')

  const draw = async (postScript: Buffer): Promise<readonly Picture[]> => {
    const pages = await mkdtemp(join(folder, 'pages-'))
    const file = join(pages, 'job.ps')
    await writeFile(file, postScript)
    const output = `-sOutputFile=${join(pages, 'page-%03d.pgm')}`
    await run('gs', ['-q', '-dBATCH', '-dNOPAUSE', '-dSAFER', '-sDEVICE=pgmraw', '-r203', output, file])
    const names = (await readdir(pages)).filter((name) => name.endsWith('.pgm')).sort()
    return Promise.all(names.map(async (name) => parsePgm(await readFile(join(pages, name)))))
  }
  return {
    async nextJob() {
      if (jobs.length === 0) await new Promise<void>((resolve) => (announce = resolve))
      const job = jobs.shift()
      if (job === undefined) throw new Error('Two callers wait for one job')
      return draw(await job)
    },
    forgetJobs() {
      jobs.length = 0
    },
    async stop() {
      server.close()
      await rm(folder, { recursive: true })
    }
  }
}
