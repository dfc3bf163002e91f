/**
 * Kills tills at random moments while they print on a receipt printer. No slip is on paper more often than it was
 * requested.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as v from 'valibot'
import {
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  type ReceiptConnection
} from '../../electron/contract/printing.ts'
import { slipStatus, type Slip } from '../../electron/contract/slips.ts'
import { openJournal } from '../../electron/main/journal/open-journal.ts'
import { startPrintSystem } from '../support/print-system/index.ts'
import { printSystemSkipReason } from '../support/print-system/programs.ts'
import type { Printed, ReceiptPrinterBehaviour } from '../support/receipt-printer/index.ts'
import { startReceiptPrinter } from '../support/receipt-printer/index.ts'
import { pipeSkipReason, startPipePrinter } from '../support/receipt-printer/pipe.ts'
import {
  serialSkipReason,
  startSerialPrinter,
  type PluggedPrinter
} from '../support/receipt-printer/serial.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { FULL } from '../support/size.ts'
import { temporaryFolder } from '../unit/main/slips/slip-service-fixture.ts'
import { allSlips } from './collected-state.ts'
import { readLines } from './journal-lines.ts'

const program = fileURLToPath(new URL('./receipt-process.ts', import.meta.url))

const KILLS = FULL ? 40 : 2
/** Changes of slips before a kill, and the longest time after them: about as long as a slip takes. */
const MAX_CHANGES = 7
const MAX_EXTRA_MS = 400
/** A printer that stops here stops in the middle of a slip. */
const STALL_AFTER_BYTES = 6_000
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_123)

/** A printer, and how the till reaches it. */
interface ConnectedPrinter {
  readonly connection: ReceiptConnection
  /** default true */
  readonly reportsState?: boolean
  readonly environment?: NodeJS.ProcessEnv
  behave(behaviour: ReceiptPrinterBehaviour): void
  printed(): readonly Printed[]
  received(): Buffer
  /** Switches it off and on, as after half a slip: it waits for the other half of a picture, and answers nothing. */
  restart?(): Promise<void>
}

async function onNetwork(): Promise<ConnectedPrinter> {
  const printer = await startReceiptPrinter()
  onTestFinished(() => printer.stop())
  const { host, port } = printer
  return { ...printer, connection: { kind: 'network', host, port, announcedName: null } }
}

/** A printer that is plugged in, whose connection is that of its path, which changes when it is plugged in again. */
async function atPort(
  start: () => Promise<PluggedPrinter>,
  connectionOf: (path: string) => ReceiptConnection
): Promise<ConnectedPrinter> {
  const printer = await start()
  onTestFinished(() => printer.stop())
  return {
    ...printer,
    get connection() {
      return connectionOf(realpathSync(printer.path))
    },
    async restart() {
      await printer.unplug()
      await printer.plugIn()
    }
  }
}

const onSerialLine = (): Promise<ConnectedPrinter> =>
  atPort(startSerialPrinter, (path) => ({ kind: 'serial', path, ...DEFAULT_SERIAL_OPTIONS }))

const atDevice = (): Promise<ConnectedPrinter> =>
  atPort(startSerialPrinter, (path) => ({ kind: 'device', path }))

async function behindPipe(): Promise<ConnectedPrinter> {
  const printer = await atPort(startPipePrinter, (path) => ({ kind: 'device', path }))
  // Not spread: its connection is a getter.
  return Object.assign(printer, { reportsState: false })
}

async function behindRawQueue(): Promise<ConnectedPrinter> {
  const system = await startPrintSystem()
  onTestFinished(() => system.stop())
  const printer = await startReceiptPrinter()
  onTestFinished(() => printer.stop())
  await system.addRawQueue('Bon', `socket://${printer.host}:${String(printer.port)}`)
  return {
    ...printer,
    environment: system.environment,
    connection: { kind: 'raw-queue', name: 'Bon' },
    // CUPS waits a minute and a half for a printer that has stopped, and the next jobs wait behind it.
    async restart() {
      await printer.refuse()
      await printer.on()
    }
  }
}

/** Runs a till, and kills it `extraMs` after `changes`, or after its printer stopped. Resolves with its error output. */
async function runAndKill(
  folder: string,
  printer: ConnectedPrinter,
  changes: number | 'stopped printer',
  extraMs: number
): Promise<string> {
  const { connection, reportsState = true, environment = process.env } = printer
  const options = { ...DEFAULT_RECEIPT_OPTIONS, code: 'native-qr', reportsState }
  const settings = { kind: 'receipt-printer', connection, ...options }
  const till = spawn(process.execPath, [program, folder, JSON.stringify(settings)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ended = once(till, 'exit')
  let errors = ''
  till.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  let reported = 0
  till.stdout.on('data', (bytes: Buffer) => (reported += bytes.length))
  const before = printer.received().length
  const isTime = (): boolean =>
    till.exitCode !== null ||
    (changes === 'stopped printer'
      ? printer.received().length - before > STALL_AFTER_BYTES
      : reported > changes)
  await expect.poll(isTime, { interval: 5 }).toBe(true)
  await after(extraMs)
  if (till.exitCode !== null) return `The process ended by itself: ${errors}`
  till.kill('SIGKILL')
  await ended
  return errors
}

/** Opens the journal as the next till does, and reads every slip. */
function slipsAfterRestart(folder: string): readonly Slip[] {
  const { journal, quarantinedAs, error } = openJournal(join(folder, 'journal.db'), new Date())
  expect({ quarantinedAs, error }).toEqual({ quarantinedAs: null, error: null })
  const slips = journal === null ? [] : allSlips(journal)
  journal?.close()
  return slips
}

const count = (values: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** What the till says of its slips, beside the paper and the presses of the cashier. */
function violations(folder: string, printed: readonly Printed[], slips: readonly Slip[]): readonly string[] {
  const onPaper = count(printed.flatMap((part) => (part.kind === 'code' ? [part.content] : [])))
  const pressed = v.parse(v.array(v.object({ intentId: v.string() })), readLines(join(folder, 'presses')))
  const presses = count(pressed.map(({ intentId }) => intentId))
  return slips.flatMap((slip) => {
    const { intentId, url, state, failure } = slip
    const [papers, asked] = [onPaper.get(url ?? '') ?? 0, presses.get(intentId) ?? 0]
    if (papers > asked) return [`${intentId} is on ${String(papers)} papers after ${String(asked)} presses`]
    // Slips of a raw queue or a pipe are handed over, which says nothing of the paper.
    if (slipStatus(slip) === 'printed' && papers === 0)
      return [`${intentId} counts as printed, and is on no paper`]
    if (state !== 'printed' && papers > 0 && failure === null)
      return [`${intentId} is on paper, and is ${state} without a reason to look for it`]
    return []
  })
}

describe('killed while slips print, a till never prints one again by itself, and says what is uncertain', () => {
  test.for([
    { path: 'on the network', connect: onNetwork, skipReason: null },
    { path: 'on a serial line', connect: onSerialLine, skipReason: serialSkipReason() },
    { path: 'at a device', connect: atDevice, skipReason: serialSkipReason() },
    { path: 'behind a pipe', connect: behindPipe, skipReason: pipeSkipReason() },
    { path: 'behind a raw queue', connect: behindRawQueue, skipReason: printSystemSkipReason() }
  ])('$path', { timeout: 10 * 60_000 }, async ({ connect, skipReason }, { skip }) => {
    if (skipReason !== null) skip(skipReason)
    const random = seededRandom(SEED)
    const folder = temporaryFolder()
    const printer = await connect()
    const states = new Set<Slip['state']>()
    for (let kill = 1; kill <= KILLS; kill++) {
      const stops = kill % 2 === 0
      printer.behave(stops ? { stallAfterBytes: STALL_AFTER_BYTES } : {})
      const changes = stops ? 'stopped printer' : Math.floor(random() * MAX_CHANGES)
      expect(await runAndKill(folder, printer, changes, random() * MAX_EXTRA_MS)).toBe('')
      const slips = slipsAfterRestart(folder)
      for (const { state } of slips) states.add(state)
      await printer.restart?.()
      // A queue passes on what it has, also after its till was killed.
      await expect
        .poll(() => ({ seed: SEED, kill, violations: violations(folder, printer.printed(), slips) }))
        .toEqual({ seed: SEED, kill, violations: [] })
    }
    // The tills did work, and were killed in the middle of it.
    expect([...states].sort()).toEqual(expect.arrayContaining(['print-failed', 'printed']))
    expect(printer.printed()).toContainEqual(expect.objectContaining({ kind: 'code' }))
  })
})
