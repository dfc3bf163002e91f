import { ScanDetector, SCAN_END_GAP_MS, type KeyStroke } from './scan-detector.ts'
import { chooseReading } from './choose-reading.ts'
import { isOpenCard, parseScan, type Scan } from './parse-scan.ts'

/** Restores a field. */
type Restore = () => void

const nothing: Restore = () => undefined

const dispatch = (field: HTMLElement, event: 'input' | 'change'): void => {
  field.dispatchEvent(
    // As an undo: the field had this value.
    event === 'input'
      ? new InputEvent(event, { bubbles: true, inputType: 'historyUndo' })
      : new Event(event, { bubbles: true })
  )
}

function rememberText(field: HTMLInputElement | HTMLTextAreaElement): Restore {
  const { value, selectionStart, selectionEnd, selectionDirection } = field
  return () => {
    if (field.value !== value) {
      field.value = value
      dispatch(field, 'input')
    }
    // Some input types have no selection.
    if (selectionStart !== null) {
      field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined)
    }
  }
}

function rememberChoice(select: HTMLSelectElement): Restore {
  const { value } = select
  return () => {
    if (select.value === value) return
    select.value = value
    dispatch(select, 'input')
    dispatch(select, 'change')
  }
}

/** Remembers the value and the selection of a field. A letter also changes a list of choices. */
function rememberField(element: Element | null): Restore {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return rememberText(element)
  return element instanceof HTMLSelectElement ? rememberChoice(element) : nothing
}

/** The fields that a scan may change, as they were before it, and the focused one. */
class FieldSnapshot {
  readonly #focused: Element | null
  readonly #restores: Restore[] = []

  /** Remembers the focused element. */
  constructor(focused: Element | null) {
    this.#focused = focused
    this.remember(focused)
  }

  /** Remembers another one: the first key may have moved the focus there before it was typed. */
  remember(element: Element | null): void {
    this.#restores.push(rememberField(element))
  }

  /** Restores the values and the focus. */
  restore(): void {
    // The first snapshot of a field is the right one: it is restored last.
    for (const restore of [...this.#restores].reverse()) restore()
    const { activeElement } = document
    if (this.#focused instanceof HTMLElement && this.#focused !== activeElement) this.#focused.focus()
  }
}

/** Keys that end a scan. */
const ENDS: ReadonlySet<string> = new Set(['Enter', 'Tab'])
/** `KeyboardEvent.key` of a key that an input method or a dead key consumed. */
const TAKEN: ReadonlySet<string> = new Set(['Process', 'Dead', 'Unidentified'])

/** Keys that a scanner, too, presses together with others. */
const MODIFIERS: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'NumLock'
])

/** A field or a part of the page that receives scans as text. */
const RECEIVES_SCANS = '[data-accepts-scans]'

const types = ({ key, code }: KeyboardEvent): boolean =>
  Array.from(key).length === 1 || (TAKEN.has(key) && code !== '')

const strokeOf = (event: KeyboardEvent): KeyStroke => ({
  at: event.timeStamp,
  key: ENDS.has(event.key) ? '\n' : event.key,
  code: event.code,
  shift: event.shiftKey,
  capsLock: event.getModifierState('CapsLock'),
  repeat: event.repeat
})

/** Hides an event from the page. */
const swallow = (event: Event): void => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Whether the focused element has text of its own. That of a search is replaced by what is scanned. */
const hasText = (element: Element | null): boolean =>
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement ||
  (element instanceof HTMLInputElement && element.type !== 'search')

interface ScanListenerOptions {
  /** receives each scan; null if it is not clear where the scan begins */
  readonly onscan: (scan: Scan | null) => void
  /** returns whether to ignore the keys */
  readonly paused: () => boolean
  /** returns the country of phones without a country code, ISO 3166-1 alpha-2 */
  readonly country: () => string
}

/** Listens to the keys of the window for scans. Returns a function that stops. */
export function listenForScans(page: Window, { onscan, paused, country }: ScanListenerOptions): () => void {
  const { document } = page
  const detector = new ScanDetector()
  /** the fields before each key that may start the scan */
  let before: FieldSnapshot[] = []
  let endTimer: ReturnType<typeof setTimeout> | undefined
  /** an Enter or line feed right after the end belongs to the scan */
  let endedAt = Number.NEGATIVE_INFINITY

  const end = (): void => {
    clearTimeout(endTimer)
    const fields = before
    before = []
    const readings = detector.end().map(parseScan)
    const [scan] = readings
    if (scan === undefined) return
    // Again: text that an input method composed cannot be prevented.
    fields.at(-1)?.restore()
    if (readings.length === 1) {
      if (scan) onscan(scan)
      return
    }
    void chooseReading(readings, country(), hasText(document.activeElement)).then((chosen) => {
      // What belongs to the scan is no text of the field.
      if (chosen !== null) fields[chosen.place]?.restore()
      onscan(chosen?.scan ?? null)
    })
  }

  const take = (event: KeyboardEvent): void => {
    // The sequence is over, also if the page was too busy for its timer.
    if (!detector.continues(event.timeStamp)) end()
    const verdict = detector.take(strokeOf(event))
    if (verdict === 'first') before.push(new FieldSnapshot(document.activeElement))
    if (verdict === 'known') before.at(-1)?.restore()
    if (!detector.known) return
    swallow(event)
    clearTimeout(endTimer)
    endTimer = setTimeout(end, SCAN_END_GAP_MS)
  }

  const finish = (event: KeyboardEvent): void => {
    const own = detector.known && detector.continues(event.timeStamp)
    if (own && detector.readings.some(isOpenCard)) {
      take(event)
      return
    }
    if (own || event.timeStamp - endedAt <= SCAN_END_GAP_MS) {
      swallow(event)
      endedAt = event.timeStamp
    }
    end()
  }

  const handleKey = (event: KeyboardEvent): void => {
    if (paused() || document.activeElement?.closest(RECEIVES_SCANS)) {
      end()
      return
    }
    // A shortcut types no character.
    if (event.ctrlKey || event.metaKey || (event.altKey && !event.getModifierState('AltGraph'))) {
      if (detector.known) swallow(event)
    } else if (ENDS.has(event.key)) finish(event)
    else if (types(event)) take(event)
    // What is edited or moved in between is typing.
    else if (!MODIFIERS.has(event.key)) end()
  }

  /** Prevents characters of a scan that arrive without a key event. */
  const keepAway = (event: InputEvent): void => {
    if (detector.known) swallow(event)
  }

  const follow = (event: FocusEvent): void => {
    if (event.target instanceof Element) for (const fields of before) fields.remember(event.target)
  }

  page.addEventListener('keydown', handleKey, { capture: true })
  page.addEventListener('focusin', follow, { capture: true })
  page.addEventListener('beforeinput', keepAway, { capture: true })
  return () => {
    clearTimeout(endTimer)
    page.removeEventListener('keydown', handleKey, { capture: true })
    page.removeEventListener('focusin', follow, { capture: true })
    page.removeEventListener('beforeinput', keepAway, { capture: true })
  }
}
