/** A receipt printer without its connector: answers status requests, keeps what it prints, fails on request. */
import { ESC_POS } from './escpos.ts'
import type { Language, Printed, PrinterState } from './printed.ts'
import { STAR_PRNT } from './starprnt.ts'

const LANGUAGES = { 'esc-pos': ESC_POS, 'star-prnt': STAR_PRNT } as const satisfies Record<string, Language>
export type LanguageName = keyof typeof LANGUAGES

/** The printer's state and faults. */
export interface ReceiptPrinterBehaviour extends Partial<PrinterState> {
  /** the state that it is in once this many bytes came, status requests included */
  readonly changesAfterBytes?: { readonly bytes: number; readonly state: Partial<PrinterState> }
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
  /** answers every status once more than it was asked, as a printer that reads requests in raster data does */
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
}

const [XON, XOFF] = [0x11, 0x13] as const

/** The printer behind any number of connections, one after another or at once. */
export class SimulatedPrinter {
  readonly #language: Language
  readonly #printed: Printed[] = []
  readonly #received: Uint8Array[] = []
  #behaviour: ReceiptPrinterBehaviour = {}
  #changedState: Partial<PrinterState> = {}

  constructor(language: LanguageName) {
    this.#language = LANGUAGES[language]
  }

  /** Sets how the printer is from now on. */
  behave(behaviour: ReceiptPrinterBehaviour): void {
    this.#behaviour = behaviour
    this.#changedState = {}
  }

  /** All output so far. */
  printed(): readonly Printed[] {
    return this.#printed
  }

  /** All bytes that came so far, of every connection. */
  received(): Buffer {
    return Buffer.concat(this.#received)
  }

  /** Connects a line. Returns what takes its bytes. */
  connect(line: PrinterLine): (bytes: Uint8Array) => void {
    const parse = this.#language.createParser()
    let bytes = 0
    let endMarks = 0
    let requestsAfterSlip = 0
    let isBroken = false
    const breakLine = (): void => {
      isBroken = true
      this.#behaviour = this.#behaviour.afterClosing ?? this.#behaviour
      line.close()
    }
    const answer = (reply: Uint8Array): void => {
      line.write(this.#behaviour.sendsFlowControl ? Uint8Array.of(XOFF, XON, ...reply) : reply)
    }
    return (chunk) => {
      if (isBroken) return
      this.#received.push(chunk)
      if (this.#behaviour.silent) return
      bytes += chunk.length
      if (bytes >= (this.#behaviour.closeAfterBytes ?? Infinity)) {
        breakLine()
        return
      }
      if (bytes >= (this.#behaviour.stallAfterBytes ?? Infinity)) {
        line.stall()
        return
      }
      const { changesAfterBytes } = this.#behaviour
      if (bytes >= (changesAfterBytes?.bytes ?? Infinity)) this.#changedState = changesAfterBytes?.state ?? {}
      for (const { printed, statusRequest, endMark } of parse(chunk)) {
        if (statusRequest !== undefined) {
          if (endMarks > 1) requestsAfterSlip++
          if (this.#behaviour.closeAfterSlip && requestsAfterSlip > this.#language.requestsPerStatus) {
            breakLine()
            return
          }
          const status = this.#language.status(statusRequest, this.#state())
          answer(this.#behaviour.echoes ? Uint8Array.of(...status, ...status) : status)
        }
        const { paper, cover } = this.#state()
        // Without paper the buffer is not processed: nothing is printed or answered.
        if (paper === 'out' || cover === 'open') continue
        if (printed !== undefined) this.#printed.push(printed)
        if (endMark !== undefined && !this.#behaviour.withoutEndMark) {
          endMarks++
          answer(endMark)
        }
      }
    }
  }

  #state(): PrinterState {
    const { paper = 'present', cover = 'closed', error = false } = this.#behaviour
    return { paper, cover, error, ...this.#changedState }
  }
}
