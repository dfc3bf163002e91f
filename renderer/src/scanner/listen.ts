import { Burst, SILENCE, type Stroke } from './burst.ts'
import { Before } from './field.ts'
import { read, type Scan } from './reading.ts'

/** Keys that a scanner may end with. */
const ENDS: ReadonlySet<string> = new Set(['Enter', 'Tab'])
/** What `key` says of a key that an input method, or a dead key, took. */
const TAKEN: ReadonlySet<string> = new Set(['Process', 'Dead', 'Unidentified'])

/** A field, or a part of the page, that wants scans for itself. */
const WANTS_SCANS = '[data-takes-scans]'

const types = ({ key, code }: KeyboardEvent): boolean =>
  Array.from(key).length === 1 || (TAKEN.has(key) && code !== '')

const strokeOf = ({ timeStamp, key, code, shiftKey }: KeyboardEvent): Stroke => ({
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
  const burst = new Burst()
  let before: Before | null = null
  let silence: ReturnType<typeof setTimeout> | undefined
  /** an Enter or line feed that follows the end at a scanner's pace belongs to it as well */
  let endedAt = Number.NEGATIVE_INFINITY

  const end = (): void => {
    clearTimeout(silence)
    const strokes = burst.end()
    if (strokes.length === 0) return
    // Once more: what an input method composed meanwhile could not be kept away.
    before?.putBack()
    before = null
    const scan = read(strokes)
    if (scan) onscan(scan)
  }

  const take = (event: KeyboardEvent): void => {
    // What came before is over, even if this page was too busy to notice the silence.
    if (!burst.continues(event.timeStamp)) end()
    const verdict = burst.take(strokeOf(event))
    if (verdict === 'first') before = new Before(document.activeElement)
    if (verdict === 'known') before?.putBack()
    if (!burst.known) return
    swallow(event)
    clearTimeout(silence)
    silence = setTimeout(end, SILENCE)
  }

  const finish = (event: KeyboardEvent): void => {
    const own = burst.known && burst.continues(event.timeStamp)
    if (own || event.timeStamp - endedAt <= SILENCE) {
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
      if (burst.known) swallow(event)
    } else if (ENDS.has(event.key)) finish(event)
    else if (types(event)) take(event)
  }

  /** The characters of a scan that come without a key the page could keep away. */
  const keepAway = (event: InputEvent): void => {
    if (burst.known) swallow(event)
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
