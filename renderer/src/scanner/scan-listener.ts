import { parseScan, type Scan } from './parse-scan.ts'
import { ScanDetector, SCAN_END_GAP_MS, type KeyStroke } from './scan-detector.ts'

/** Puts a field back as it was. */
type PutBack = () => void

const nothing: PutBack = () => undefined

const tell = (field: HTMLElement, event: 'input' | 'change'): void => {
  field.dispatchEvent(new Event(event, { bubbles: true }))
}

function rememberText(field: HTMLInputElement | HTMLTextAreaElement): PutBack {
  const { value, selectionStart, selectionEnd, selectionDirection } = field
  return () => {
    if (field.value !== value) {
      field.value = value
      tell(field, 'input')
    }
    // Some input types have no caret that can be told.
    if (selectionStart !== null) {
      field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined)
    }
  }
}

function rememberChoice(select: HTMLSelectElement): PutBack {
  const { value } = select
  return () => {
    if (select.value === value) return
    select.value = value
    tell(select, 'input')
    tell(select, 'change')
  }
}

/** Remembers what stands in the element that has the focus, and where its caret is. A letter also turns a list of choices. */
function rememberField(element: Element | null): PutBack {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return rememberText(element)
  return element instanceof HTMLSelectElement ? rememberChoice(element) : nothing
}

/** The fields that a scan may type into, as they were before it, and which of them had the focus. */
export class FieldSnapshot {
  readonly #focused: Element | null
  readonly #putBacks: PutBack[] = []

  /** Remembers the element that has the focus. */
  constructor(focused: Element | null) {
    this.#focused = focused
    this.remember(focused)
  }

  /** Remembers one more: the first key may have brought the focus there, before it was typed. */
  remember(element: Element | null): void {
    this.#putBacks.push(rememberField(element))
  }

  /** Puts everything back, the focus too. */
  putBack(): void {
    // The oldest memory of a field is the true one: it goes last.
    for (const putBack of [...this.#putBacks].reverse()) putBack()
    const { activeElement } = document
    if (this.#focused instanceof HTMLElement && this.#focused !== activeElement) this.#focused.focus()
  }
}

/** Keys that a scanner may end with. */
const ENDS: ReadonlySet<string> = new Set(['Enter', 'Tab'])
/** What `key` says of a key that an input method, or a dead key, took. */
const TAKEN: ReadonlySet<string> = new Set(['Process', 'Dead', 'Unidentified'])

/** A field, or a part of the page, that wants scans for itself. */
const WANTS_SCANS = '[data-takes-scans]'

const types = ({ key, code }: KeyboardEvent): boolean =>
  Array.from(key).length === 1 || (TAKEN.has(key) && code !== '')

const strokeOf = ({ timeStamp, key, code, shiftKey }: KeyboardEvent): KeyStroke => ({
  at: timeStamp,
  key,
  code,
  shift: shiftKey
})

/** Keeps an event from the page. */
const swallow = (event: Event): void => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Hears the window's keys and tells what a scanner read. Gives what ends the hearing. `resting` says whether to leave
 * the keys alone for now.
 */
export function listenForScans(
  page: Window,
  onscan: (scan: Scan) => void,
  resting: () => boolean
): () => void {
  const { document } = page
  const detector = new ScanDetector()
  let before: FieldSnapshot | null = null
  let silence: ReturnType<typeof setTimeout> | undefined
  /** an Enter or line feed that follows the end at a scanner's pace belongs to it as well */
  let endedAt = Number.NEGATIVE_INFINITY

  const end = (): void => {
    clearTimeout(silence)
    const strokes = detector.end()
    if (strokes.length === 0) return
    // Once more: what an input method composed meanwhile could not be kept away.
    before?.putBack()
    before = null
    const scan = parseScan(strokes)
    if (scan) onscan(scan)
  }

  const take = (event: KeyboardEvent): void => {
    // What came before is over, even if this page was too busy to notice the silence.
    if (!detector.continues(event.timeStamp)) end()
    const verdict = detector.take(strokeOf(event))
    if (verdict === 'first') before = new FieldSnapshot(document.activeElement)
    if (verdict === 'known') before?.putBack()
    if (!detector.known) return
    swallow(event)
    clearTimeout(silence)
    silence = setTimeout(end, SCAN_END_GAP_MS)
  }

  const finish = (event: KeyboardEvent): void => {
    const own = detector.known && detector.continues(event.timeStamp)
    if (own || event.timeStamp - endedAt <= SCAN_END_GAP_MS) {
      swallow(event)
      endedAt = event.timeStamp
    }
    end()
  }

  const hear = (event: KeyboardEvent): void => {
    const leave = resting() || document.activeElement?.closest(WANTS_SCANS)
    // A key that is held down repeats as fast as a scanner types; a command is no character.
    if (leave || event.repeat) {
      end()
      return
    }
    if (event.ctrlKey || event.metaKey || (event.altKey && !event.getModifierState('AltGraph'))) {
      if (detector.known) swallow(event)
    } else if (ENDS.has(event.key)) finish(event)
    else if (types(event)) take(event)
  }

  /** The characters of a scan that come without a key the page could keep away. */
  const keepAway = (event: InputEvent): void => {
    if (detector.known) swallow(event)
  }

  const follow = (event: FocusEvent): void => {
    if (event.target instanceof Element) before?.remember(event.target)
  }

  page.addEventListener('keydown', hear, { capture: true })
  page.addEventListener('focusin', follow, { capture: true })
  page.addEventListener('beforeinput', keepAway, { capture: true })
  return () => {
    clearTimeout(silence)
    page.removeEventListener('keydown', hear, { capture: true })
    page.removeEventListener('focusin', follow, { capture: true })
    page.removeEventListener('beforeinput', keepAway, { capture: true })
  }
}
