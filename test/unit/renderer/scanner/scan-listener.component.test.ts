import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Scan } from '../../../../renderer/src/scanner/scan-dispatcher.svelte.ts'
import { listenForScans } from '../../../../renderer/src/scanner/scan-listener.ts'
import { insertText } from '../../../../renderer/src/shortcuts/focus.ts'
import { pressesOf, type Layout } from '../../../support/scanner/presses.ts'
import {
  RECOGNISED_SCANNERS,
  SLOW_SCANNERS,
  TYPISTS,
  type KeyTiming
} from '../../../support/scanner/timings.ts'
import { digits, personGaps, scannerGaps, strokeTimes } from './key-strokes.ts'

let scans: Scan[]
let stop: () => void
let locked = false
/** Time of the last key, in ms. */
let now = 1000

beforeEach(() => {
  vi.useFakeTimers()
  scans = []
  locked = false
  stop = listenForScans(
    window,
    (scan) => scans.push(scan),
    () => locked
  )
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
  vi.useRealTimers()
})

/** Presses a key as Chromium does: the character is inserted after `keydown`, unless its default is prevented. */
function press(at: number, init: KeyboardEventInit): void {
  if (at > now) vi.advanceTimersByTime(at - now)
  now = at
  const target = document.activeElement ?? document.body
  const key = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })
  Object.defineProperty(key, 'timeStamp', { value: at })
  if (!target.dispatchEvent(key)) return
  const field = document.activeElement
  if (!(field instanceof HTMLInputElement)) return
  if (init.key === 'Enter') field.form?.requestSubmit()
  if (init.key?.length !== 1) return
  const before = new InputEvent('beforeinput', { bubbles: true, cancelable: true, data: init.key })
  if (field.dispatchEvent(before)) insertText(field, init.key)
}

interface ScanOptions {
  readonly layout?: Layout
  readonly gaps?: readonly number[]
  readonly suffix?: 'Enter' | 'Tab' | null
}

/** Types a scan, one second after the last key. */
function scan(text: string, { layout = 'us', gaps = [], suffix = 'Enter' }: ScanOptions = {}): void {
  const start = now + 1000
  const at = strokeTimes(text.length + 1, gaps.length > 0 ? gaps : Array.from(text, () => 10))
  pressesOf(text, layout).forEach(({ key, code, shift }, index) => {
    press(start + (at[index] ?? 0), { key, code, shiftKey: shift })
  })
  if (suffix) press(start + (at[text.length] ?? 0), { key: suffix, code: suffix })
  vi.advanceTimersByTime(1000)
  now += 1000
}

const field = (value = '', change: Partial<Record<string, string>> = {}): HTMLInputElement => {
  const form = document.createElement('form')
  const input = document.createElement('input')
  input.value = value
  for (const [name, text] of Object.entries(change)) input.setAttribute(name, text ?? '')
  form.append(input)
  document.body.append(form)
  input.focus()
  return input
}
const scannedTexts = () => scans.map(({ text }) => text)

describe('listenForScans', () => {
  test.each(['Enter', 'Tab', null] as const)('reports a scan with the suffix %s once', (suffix) => {
    field()
    scan('6901234567', { suffix })
    expect(scannedTexts()).toEqual(['6901234567'])
  })

  test('reports a scan when no element has the focus', () => {
    scan('AR7K-5093')
    expect(scannedTexts()).toEqual(['AR7K-5093'])
  })

  test.each(['us', 'greek', 'french', 'arabic', 'german', 'ime'] as const)(
    'restores value and selection of the focused field with the keyboard layout "%s"',
    (layout) => {
      const input = field('250')
      input.setSelectionRange(1, 2)
      scan('https://points.example/q/AR7K-5093', { layout })
      expect(scannedTexts()).toEqual(['https://points.example/q/AR7K-5093'])
      expect(input.value).toBe('250')
      expect(input.selectionStart).toBe(1)
      expect(input.selectionEnd).toBe(2)
    }
  )

  test('does not submit the form on the Enter or line feed that ends a scan', () => {
    const submit = vi.fn((event: Event) => {
      event.preventDefault()
    })
    field().form?.addEventListener('submit', submit)
    const start = now + 1000
    pressesOf('6901234567', 'us').forEach((one, index) => {
      press(start + index * 10, one)
    })
    press(start + 100, { key: 'Enter', code: 'Enter' })
    press(start + 110, { key: 'Enter', code: 'Enter' })
    expect(submit).not.toHaveBeenCalled()
    press(start + 2000, { key: 'Enter', code: 'Enter' })
    expect(submit).toHaveBeenCalledTimes(1)
    expect(scannedTexts()).toEqual(['6901234567'])
  })

  test('restores the value of a focused select', () => {
    const select = document.createElement('select')
    for (const copies of ['1', '2', '3']) select.append(new Option(copies, copies))
    document.body.append(select)
    select.focus()
    select.addEventListener('keydown', ({ key }) => {
      select.value = key
    })
    scan('333333333')
    expect(select.value).toBe('1')
    expect(scannedTexts()).toEqual(['333333333'])
  })

  test('leaves a field unchanged that gets the focus from the first key of a scan', () => {
    const search = field('ma')
    const row = document.createElement('button')
    document.body.append(row)
    row.addEventListener('keydown', () => {
      search.focus()
    })
    row.focus()
    scan('6901234567')
    expect(search.value).toBe('ma')
    expect(document.activeElement).toEqual(row)
    expect(scannedTexts()).toEqual(['6901234567'])
  })

  test('reports two scans in a row separately', () => {
    field()
    scan('6901234567')
    scan('6907654321')
    expect(scannedTexts()).toEqual(['6901234567', '6907654321'])
  })

  test('reports the lines of a contact card once', () => {
    field()
    const start = now + 1000
    const text = 'BEGIN:VCARD\nN:P\nTEL:+306900000199\nEND:VCARD\n'
    Array.from(text, (character) => (character === '\n' ? null : pressesOf(character, 'us')[0])).forEach(
      (one, index) => {
        press(start + index * 5, one ?? { key: 'Enter', code: 'Enter' })
      }
    )
    expect(scannedTexts()).toEqual(['+306900000199'])
  })

  test('removes the characters that an input method inserted', () => {
    const input = field('250')
    const start = now + 1000
    pressesOf('6901234567', 'ime').forEach((one, index) => {
      press(start + index * 10, one)
      // A page cannot prevent a composition.
      input.value += '六'
    })
    vi.advanceTimersByTime(1000)
    expect(input.value).toBe('250')
    expect(scannedTexts()).toEqual(['6901234567'])
  })
})

/** The gaps of a timing from its n-th one on, for a text of any length. */
const gapsFrom = ({ gaps }: KeyTiming, first: number): readonly number[] =>
  Array.from({ length: 80 }, (_, index) => gaps[(first + index) % gaps.length] ?? 0)

/** Whether a text was scanned whole, or is whole in the field. Anything else is a part of it. */
const outcomeOf = (text: string, input: HTMLInputElement): 'scanned' | 'typed' | 'cut' => {
  if (input.value === '' && scannedTexts().join() === text) return 'scanned'
  return input.value === text && scans.length === 0 ? 'typed' : 'cut'
}

describe('a scan with recorded times between its keys', () => {
  const text = 'https://points.example/q/AR7K-5093'

  test.each(RECOGNISED_SCANNERS)('is reported whole: $name', (timing) => {
    const input = field()
    scan('+306900000199', { gaps: gapsFrom(timing, 0) })
    expect(scannedTexts()).toEqual(['+306900000199'])
    expect(input.value).toBe('')
  })

  test.each([...RECOGNISED_SCANNERS, ...SLOW_SCANNERS])(
    'is never cut, wherever its series of times begins: $name',
    (timing) => {
      for (const suffix of ['Enter', 'Tab', null] as const) {
        timing.gaps.forEach((_, first) => {
          document.body.replaceChildren()
          scans.length = 0
          const input = field()
          scan(text, { gaps: gapsFrom(timing, first), suffix })
          expect([first, outcomeOf(text, input)]).not.toEqual([first, 'cut'])
        })
      }
    }
  )

  test.each([55, 70, 120, 200, 299])(
    'keeps its first character, which comes %i ms before the others',
    (late) => {
      const input = field()
      scan('6900000199', { gaps: [late, ...Array.from({ length: 9 }, () => 5)] })
      expect(scannedTexts()).toEqual(['6900000199'])
      expect(input.value).toBe('')
    }
  )

  test('is whole in the field or whole in the report, with any times between its keys', () => {
    const gap = fc.oneof(
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 0, max: 299 })
    )
    fc.assert(
      fc.property(
        digits(1, 30),
        fc.array(gap, { minLength: 30, maxLength: 30 }),
        fc.constantFrom('Enter', 'Tab', null),
        (scanned, gaps, suffix) => {
          document.body.replaceChildren()
          scans.length = 0
          const input = field()
          scan(scanned, { gaps, suffix })
          expect(outcomeOf(scanned, input)).not.toBe('cut')
        }
      ),
      { numRuns: 200 }
    )
  })
})

describe('a cashier', () => {
  test.each(TYPISTS)('is never taken for a scanner: $name', (timing) => {
    timing.gaps.forEach((_, first) => {
      document.body.replaceChildren()
      const input = field()
      scan('6900000199', { gaps: gapsFrom(timing, first) })
      expect(input.value).toBe('6900000199')
    })
    expect(scans).toEqual([])
  })

  test('corrects a digit just before a scan: the deleted one is no part of it', () => {
    const input = field()
    press(now + 1000, { key: '6', code: 'Digit6' })
    press(now + 100, { key: 'Backspace', code: 'Backspace' })
    input.value = ''
    const start = now + 100
    pressesOf('6900000199', 'us').forEach((one, index) => {
      press(start + index * 5, one)
    })
    press(start + 60, { key: 'Enter', code: 'Enter' })
    expect(scannedTexts()).toEqual(['6900000199'])
  })
})

test('a remote desktop that reports a double digit as a repeated key loses none', () => {
  const input = field()
  const start = now + 1000
  pressesOf('6901234500199', 'us').forEach((one, index, all) => {
    press(start + index * 5, { ...one, repeat: one.key === all[index - 1]?.key })
  })
  press(start + 100, { key: 'Enter', code: 'Enter' })
  expect(scannedTexts()).toEqual(['6901234500199'])
  expect(input.value).toBe('')
})

describe('a field with data-accepts-scans', () => {
  test('receives the characters and the Enter of a scan', () => {
    const input = field('', { 'data-accepts-scans': '' })
    const submit = vi.fn((event: Event) => {
      event.preventDefault()
    })
    input.form?.addEventListener('submit', submit)
    scan('token-abc-1234')
    expect(input.value).toBe('token-abc-1234')
    expect(submit).toHaveBeenCalledTimes(1)
    expect(scannedTexts()).toEqual([])
  })
})

describe('listenForScans does not report', () => {
  test('a key that is held down', () => {
    const input = field()
    press(now + 1000, { key: '0', code: 'Digit0' })
    for (let index = 1; index < 12; index++) press(now + 30, { key: '0', code: 'Digit0', repeat: true })
    vi.advanceTimersByTime(1000)
    expect(input.value).toBe('000000000000')
    expect(scannedTexts()).toEqual([])
  })

  test('five characters', () => {
    const input = field()
    scan('12345', { suffix: null })
    expect(input.value).toBe('12345')
    expect(scannedTexts()).toEqual([])
  })

  test('a scan while the till is locked', () => {
    locked = true
    const input = field()
    scan('123456', { suffix: null })
    expect(input.value).toBe('123456')
    expect(scannedTexts()).toEqual([])
  })
})

test('typed text stays in the field and scanned text does not, for any mix of typing and scanning', () => {
  const turns = fc.array(
    fc.oneof(
      fc.record({ who: fc.constant('person' as const), text: digits(1, 12), gaps: personGaps }),
      fc.record({ who: fc.constant('scanner' as const), text: digits(6, 20), gaps: scannerGaps })
    ),
    { minLength: 1, maxLength: 5 }
  )
  fc.assert(
    fc.property(turns, (all) => {
      document.body.replaceChildren()
      scans.length = 0
      const input = field()
      for (const { who, text, gaps } of all) {
        if (who === 'scanner') {
          scan(text, { gaps })
        } else {
          const start = now + 1000
          const at = strokeTimes(text.length, gaps)
          pressesOf(text, 'us').forEach((one, index) => {
            press(start + (at[index] ?? 0), one)
          })
        }
      }
      vi.advanceTimersByTime(1000)
      const textBy = (typist: string) => all.filter(({ who }) => who === typist).map(({ text }) => text)
      expect(input.value).toEqual(textBy('person').join(''))
      expect(scannedTexts()).toEqual(textBy('scanner'))
    }),
    { numRuns: 200 }
  )
})
