import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { insertText } from '../../../../renderer/src/shortcuts/text-input.ts'
import { listenForScans } from '../../../../renderer/src/scanner/scan-listener.ts'
import type { Scan } from '../../../../renderer/src/scanner/parse-scan.ts'
import { pressesOf, type Layout } from '../../../support/scanner/presses.ts'
import { digits, people, scanners, times } from './key-strokes.ts'

let dispatcher: Scan[]
let stop: () => void
let resting = false
/** the moment of the last key, ms */
let now = 1000

beforeEach(() => {
  vi.useFakeTimers()
  dispatcher = []
  resting = false
  stop = listenForScans(
    window,
    (scan) => dispatcher.push(scan),
    () => resting
  )
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
  vi.useRealTimers()
})

/** Presses a key as Chromium does: the character comes after the key, unless somebody kept it away. */
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

interface Scanning {
  readonly layout?: Layout
  readonly gaps?: readonly number[]
  readonly suffix?: 'Enter' | 'Tab' | null
}

/** A scan, some time after whatever was before it. */
function scan(text: string, { layout = 'us', gaps = [], suffix = 'Enter' }: Scanning = {}): void {
  const start = now + 1000
  const at = times(text.length + 1, gaps.length > 0 ? gaps : Array.from(text, () => 10))
  pressesOf(text, layout).forEach(({ key, code, shift }, place) => {
    press(start + (at[place] ?? 0), { key, code, shiftKey: shift })
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
const textsOf = () => dispatcher.map(({ text }) => text)

describe('a scan', () => {
  test.each(['Enter', 'Tab', null] as const)('with the suffix %s is told once', (suffix) => {
    field()
    scan('6901234567', { suffix })
    expect(textsOf()).toEqual(['6901234567'])
  })

  test('is told with nothing focused', () => {
    scan('AR7K-5093')
    expect(textsOf()).toEqual(['AR7K-5093'])
  })

  test.each(['us', 'greek', 'french', 'arabic', 'german', 'ime'] as const)(
    'leaves the field as it was, value and selection, on a machine with the layout "%s"',
    (layout) => {
      const input = field('250')
      input.setSelectionRange(1, 2)
      scan('https://points.example/q/AR7K-5093', { layout })
      expect(textsOf()).toEqual(['https://points.example/q/AR7K-5093'])
      expect(input.value).toBe('250')
      expect(input.selectionStart).toBe(1)
      expect(input.selectionEnd).toBe(2)
    }
  )

  test('sends no form with the Enter at its end, nor with the line feed after it', () => {
    const submit = vi.fn((event: Event) => {
      event.preventDefault()
    })
    field().form?.addEventListener('submit', submit)
    const start = now + 1000
    pressesOf('6901234567', 'us').forEach((one, place) => {
      press(start + place * 10, one)
    })
    press(start + 100, { key: 'Enter', code: 'Enter' })
    press(start + 110, { key: 'Enter', code: 'Enter' })
    expect(submit).not.toHaveBeenCalled()
    press(start + 2000, { key: 'Enter', code: 'Enter' })
    expect(submit).toHaveBeenCalledTimes(1)
    expect(textsOf()).toEqual(['6901234567'])
  })

  test('puts a list of choices back that its letters turned', () => {
    const select = document.createElement('select')
    for (const copies of ['1', '2', '3']) select.append(new Option(copies, copies))
    document.body.append(select)
    select.focus()
    select.addEventListener('keydown', ({ key }) => {
      select.value = key
    })
    scan('333333333')
    expect(select.value).toBe('1')
    expect(textsOf()).toEqual(['333333333'])
  })

  test('leaves a field alone to which its first key brought the focus', () => {
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
    expect(textsOf()).toEqual(['6901234567'])
  })

  test('that follows another at once is another', () => {
    field()
    scan('6901234567')
    scan('6907654321')
    expect(textsOf()).toEqual(['6901234567', '6907654321'])
  })

  test('takes what an input method composed back out', () => {
    const input = field('250')
    const start = now + 1000
    pressesOf('6901234567', 'ime').forEach((one, place) => {
      press(start + place * 10, one)
      // The page can't keep a composition away.
      input.value += '六'
    })
    vi.advanceTimersByTime(1000)
    expect(input.value).toBe('250')
    expect(textsOf()).toEqual(['6901234567'])
  })
})

describe('a field that wants scans for itself', () => {
  test('gets them, Enter and all', () => {
    const input = field('', { 'data-takes-scans': '' })
    const submit = vi.fn((event: Event) => {
      event.preventDefault()
    })
    input.form?.addEventListener('submit', submit)
    scan('token-abc-1234')
    expect(input.value).toBe('token-abc-1234')
    expect(submit).toHaveBeenCalledTimes(1)
    expect(textsOf()).toEqual([])
  })
})

describe('what is no scan', () => {
  test('a key that is held down', () => {
    const input = field()
    press(now + 1000, { key: '0', code: 'Digit0' })
    for (let place = 1; place < 12; place++) press(now + 30, { key: '0', code: 'Digit0', repeat: true })
    vi.advanceTimersByTime(1000)
    expect(input.value).toBe('000000000000')
    expect(textsOf()).toEqual([])
  })

  test('five characters', () => {
    const input = field()
    scan('12345', { suffix: null })
    expect(input.value).toBe('12345')
    expect(textsOf()).toEqual([])
  })

  test('anything while the till is locked', () => {
    resting = true
    const input = field()
    scan('123456', { suffix: null })
    expect(input.value).toBe('123456')
    expect(textsOf()).toEqual([])
  })
})

test('whatever people type at whatever pace, with Enter, stands in the field; whatever is scanned does not', () => {
  const turns = fc.array(
    fc.oneof(
      fc.record({ who: fc.constant('person' as const), text: digits(1, 12), gaps: people }),
      fc.record({ who: fc.constant('scanner' as const), text: digits(6, 20), gaps: scanners })
    ),
    { minLength: 1, maxLength: 5 }
  )
  fc.assert(
    fc.property(turns, (all) => {
      document.body.replaceChildren()
      dispatcher.length = 0
      const input = field()
      for (const { who, text, gaps } of all) {
        if (who === 'scanner') {
          scan(text, { gaps })
        } else {
          const start = now + 1000
          const at = times(text.length, gaps)
          pressesOf(text, 'us').forEach((one, place) => {
            press(start + (at[place] ?? 0), one)
          })
        }
      }
      vi.advanceTimersByTime(1000)
      const said = (by: string) => all.filter(({ who }) => who === by).map(({ text }) => text)
      expect(input.value).toEqual(said('person').join(''))
      expect(textsOf()).toEqual(said('scanner'))
    }),
    { numRuns: 200 }
  )
})
