/** A receipt printer without its connector: answers status requests, keeps what it prints, fails on request. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ESC_POS } from './escpos.ts'
import { isOffline, type Command, type Language, type Printed, type PrinterState } from './printed.ts'
import { STAR_PRNT } from './starprnt.ts'

const LANGUAGES = { 'esc-pos': ESC_POS, 'star-prnt': STAR_PRNT } as const satisfies Record<string, Language>
export type LanguageName = keyof typeof LANGUAGES

/** A state that begins once this many bytes came since the behaviour was set, status requests included. */
export interface StateChange {
  readonly bytes: number
  readonly state: Partial<PrinterState>
}

/** The printer's state and faults. */
export interface ReceiptPrinterBehaviour extends Partial<PrinterState> {
  /** in the order of their bytes */
  readonly changesAfterBytes?: readonly StateChange[]
  /** sends its status by itself: on connecting and at every change */
  readonly reportsChanges?: boolean
  /** takes this many bytes while it is offline, and then reads no more; default: any number */
  readonly bufferBytes?: number
  /** goes on without paper: prints nothing, and answers end marks with the end of the paper */
  readonly answersWithoutPaper?: boolean
  /** answers each end mark only behind so many statuses that were requested after it; default: at once */
  readonly endMarkDelays?: readonly number[]
  /** sends each byte by itself */
  readonly answersInPieces?: boolean
  /** the connection breaks once this many bytes came */
  readonly closeAfterBytes?: number
  /** the connection breaks once the end mark behind the slip and one status were answered */
  readonly closeAfterSlip?: boolean
  /** how the printer is once it has broken a connection */
  readonly afterClosing?: ReceiptPrinterBehaviour
  /** takes connections and answers nothing, ever */
  readonly silent?: boolean
  /** does not know `GS r` or `ESC GS ETX`, as cheap printers do not */
  readonly withoutEndMark?: boolean
  /** answers everything once more than it was asked, as a printer that reads requests in raster data does */
  readonly echoes?: boolean
  /** stops reading once this many bytes came */
  readonly stallAfterBytes?: number
  /** sends XOFF and XON around every answer */
  readonly sendsFlowControl?: boolean
}

/** One connection, seen from the printer. */
export interface PrinterLine {
  write(bytes: Uint8Array): void
  /** Breaks the connection. */
  close(): void
  /** Stops reading. */
  stall(): void
  /** Reads on. */
  resume(): void
}

const [XON, XOFF] = [0x11, 0x13] as const

/** The printer behind any number of connections, one after another or at once. */
export class SimulatedPrinter {
  readonly #language: Language
  readonly #printed: Printed[] = []
  readonly #received: Uint8Array[] = []
  readonly #connections: Connection[] = []
  #behaviour: ReceiptPrinterBehaviour = {}
  #changes: StateChange[] = []
  #changedState: Partial<PrinterState> = {}
  /** since the behaviour was set, of all connections */
  #bytes = 0

  constructor(language: LanguageName) {
    this.#language = LANGUAGES[language]
  }

  get behaviour(): ReceiptPrinterBehaviour {
    return this.#behaviour
  }

  get state(): PrinterState {
    const {
      paper = 'present',
      cover = 'closed',
      error = false,
      feed = false,
      overflow = false
    } = this.#behaviour
    return { paper, cover, error, feed, overflow, ...this.#changedState }
  }

  /** Sets how the printer is from now on. What waits in its buffer is printed as soon as it can be. */
  behave(behaviour: ReceiptPrinterBehaviour): void {
    this.#behaviour = behaviour
    this.#changes = [...(behaviour.changesAfterBytes ?? [])]
    this.#bytes = 0
    this.#change({})
  }

  /** All output so far. */
  printed(): readonly Printed[] {
    return this.#printed
  }

  print(part: Printed): void {
    this.#printed.push(part)
  }

  /** All bytes that came so far, of every connection. */
  received(): Buffer {
    return Buffer.concat(this.#received)
  }

  /** Connects a line. Returns what takes its bytes. */
  connect(line: PrinterLine): (bytes: Uint8Array) => void {
    const connection = new Connection(this, this.#language, line)
    this.#connections.push(connection)
    return (chunk) => this.#receive(connection, chunk)
  }

  /** Gives the connection the bytes up to each change of the state, then those behind it. */
  #receive(connection: Connection, chunk: Uint8Array): void {
    if (connection.isBroken) return
    this.#received.push(chunk)
    if (this.#behaviour.silent || !connection.keepsReading(chunk.length)) return
    let rest = chunk
    for (;;) {
      const [change] = this.#changes
      const count = Math.min(rest.length, (change?.bytes ?? Infinity) - this.#bytes)
      this.#bytes += count
      connection.take(rest.subarray(0, count))
      rest = rest.subarray(count)
      if (change === undefined || this.#bytes < change.bytes) return
      this.#changes.shift()
      this.#change(change.state)
    }
  }

  /** What a status shows once. */
  statusWasSent(): void {
    this.#changedState = { ...this.#changedState, overflow: false }
  }

  #change(state: Partial<PrinterState>): void {
    this.#changedState = state
    for (const connection of this.#connections) connection.stateChanged()
  }
}

/** What one connection has sent, and what it is told. */
class Connection {
  readonly #printer: SimulatedPrinter
  readonly #language: Language
  readonly #parse
  readonly #line: PrinterLine
  #isBroken = false
  #bytes = 0
  /** what waits in the buffer until the printer is online */
  readonly #held: Command[] = []
  #heldBytes = 0
  /** what has no space in the buffer */
  readonly #unread: Uint8Array[] = []
  #endMarks = 0
  #statusesAfterSlip = 0
  /** answers to end marks, each with the number of statuses that go before it */
  readonly #late: { readonly answer: Uint8Array; statuses: number }[] = []
  #lastReport = ''
  #sending = Promise.resolve()

  constructor(printer: SimulatedPrinter, language: Language, line: PrinterLine) {
    this.#printer = printer
    this.#language = language
    this.#parse = language.createParser()
    this.#line = line
    this.#report()
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Counts bytes that came. Returns false when it breaks or stalls at them. */
  keepsReading(bytes: number): boolean {
    const { closeAfterBytes = Infinity, stallAfterBytes = Infinity } = this.#printer.behaviour
    this.#bytes += bytes
    if (this.#bytes >= closeAfterBytes) this.#break()
    else if (this.#bytes >= stallAfterBytes) this.#line.stall()
    return this.#bytes < Math.min(closeAfterBytes, stallAfterBytes)
  }

  /** Answers status requests at once; executes the other commands in their turn, while the printer is online. */
  take(bytes: Uint8Array): void {
    const isOnline = this.#takesCommands()
    const space = isOnline ? Infinity : (this.#printer.behaviour.bufferBytes ?? Infinity) - this.#heldBytes
    for (const command of this.#parse(bytes.subarray(0, space))) {
      if (command.statusRequest !== undefined) this.#answerStatus(command.statusRequest)
      else if (isOnline) this.#execute(command)
      else this.#held.push(command)
      if (this.#isBroken) return
    }
    if (isOnline) return
    this.#heldBytes += Math.min(bytes.length, space)
    if (bytes.length <= space) return
    this.#unread.push(bytes.subarray(space))
    this.#line.stall()
  }

  /** Reports the new state, and goes on if it can. */
  stateChanged(): void {
    this.#report()
    if (!this.#takesCommands()) return
    for (const command of this.#held.splice(0)) this.#execute(command)
    this.#heldBytes = 0
    const unread = this.#unread.splice(0)
    for (const bytes of unread) this.take(bytes)
    if (unread.length > 0) this.#line.resume()
  }

  #takesCommands(): boolean {
    const { state, behaviour } = this.#printer
    return !isOffline(behaviour.answersWithoutPaper ? { ...state, paper: 'present' } : state)
  }

  #execute({ printed, endMark }: Command): void {
    const { state, behaviour } = this.#printer
    if (printed !== undefined && state.paper !== 'out') this.#printer.print(printed)
    if (endMark === undefined || behaviour.withoutEndMark) return
    const statuses = behaviour.endMarkDelays?.[this.#endMarks++] ?? 0
    if (statuses === 0) this.#answer(endMark(state))
    else this.#late.push({ answer: endMark(state), statuses })
  }

  #answerStatus(request: number): void {
    const { state, behaviour } = this.#printer
    const { requestsPerStatus } = this.#language
    if (this.#endMarks > 1) this.#statusesAfterSlip++
    if (behaviour.closeAfterSlip && this.#statusesAfterSlip > requestsPerStatus) {
      this.#break()
      return
    }
    this.#answer(this.#language.status(request, state))
    this.#printer.statusWasSent()
    for (const late of this.#late) late.statuses--
    for (const { answer } of this.#late.filter(({ statuses }) => statuses === 0)) this.#answer(answer)
  }

  #answer(bytes: Uint8Array): void {
    this.#send(this.#printer.behaviour.echoes ? Uint8Array.of(...bytes, ...bytes) : bytes)
  }

  /** Sends the state, where it differs from what was sent last. */
  #report(): void {
    if (!this.#printer.behaviour.reportsChanges) return
    const status = this.#language.automaticStatus(this.#printer.state)
    if (status.join() === this.#lastReport) return
    this.#lastReport = status.join()
    this.#send(status)
  }

  #send(message: Uint8Array): void {
    const { sendsFlowControl, answersInPieces } = this.#printer.behaviour
    const bytes = sendsFlowControl ? Uint8Array.of(XOFF, XON, ...message) : message
    if (!answersInPieces) {
      this.#line.write(bytes)
      return
    }
    for (const byte of bytes) {
      this.#sending = this.#sending.then(() => nextTurn()).then(() => this.#line.write(Uint8Array.of(byte)))
    }
  }

  #break(): void {
    this.#isBroken = true
    const { afterClosing } = this.#printer.behaviour
    if (afterClosing !== undefined) this.#printer.behave(afterClosing)
    this.#line.close()
  }
}

/** What a printer makes of commands that come at once. Throws for those that it does not know. */
export function printCommands(language: LanguageName, commands: Uint8Array): readonly Printed[] {
  const printer = new SimulatedPrinter(language)
  const nothing = (): undefined => undefined
  printer.connect({ write: nothing, close: nothing, stall: nothing, resume: nothing })(commands)
  return printer.printed()
}
