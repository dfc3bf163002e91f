/** Prints a PDF as the app does on Windows. PowerShell is answered for: Wine has none. */
import { readFileSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as v from 'valibot'
import { exec as execCommand, type Exec } from '../../../electron/main/exec.ts'
import { DEFAULT_TIMEOUTS } from '../../../electron/main/printing/print-job.ts'
import { SCRIPTS } from '../../../electron/main/printing/windows/powershell.ts'
import { WindowsPrinting } from '../../../electron/main/printing/windows/windows-printing.ts'
import { noOpLogger } from '../../support/no-op-logger.ts'
import { runScriptWith } from '../windows-script.ts'

const inputSchema = v.object({
  queue: v.string(),
  /** names of the driver's forms */
  forms: v.array(v.string()),
  /** path of the PDF, and of that without margins */
  pdf: v.string(),
  headPdf: v.string(),
  widthMillimetres: v.number(),
  heightMillimetres: v.number()
})

await runScriptWith(inputSchema, async ({ queue, forms, pdf, headPdf, ...size }) => {
  const found = { Name: queue, Status: 'Normal', Offline: false, Default: true, Papers: forms }
  const exec: Exec = (command, args, options) => {
    if (!command.endsWith('powershell.exe')) return execCommand(command, args, options)
    const answer = args.at(-1) === SCRIPTS.queue ? [found] : { Queue: 'Normal', Jobs: [] }
    return Promise.resolve({ code: 0, stdout: JSON.stringify(answer), stderr: '' })
  }
  const printing = new WindowsPrinting({
    exec,
    environment: process.env,
    timeouts: DEFAULT_TIMEOUTS,
    log: noOpLogger
  })
  const job = { pdf: readFileSync(pdf), headPdf: () => readFile(headPdf), title: 'Tillpoints', ...size }
  const result = await printing.print(
    job,
    { kind: 'queue', name: queue },
    {
      signal: new AbortController().signal,
      hindered: () => undefined
    }
  )
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith('tillpoints-print-'))
  return { result, left }
})
