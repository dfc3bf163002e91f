import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Scan } from '../../../../renderer/src/scanner/parse-scan.ts'
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
/** scans of which the beginning was not clear */
let unclear = 0
let stop: () => void
let locked = false
/** Time of the last key, in ms. */
let now = 1000

beforeEach(() => {
  vi.useFakeTimers()
  scans = []
  unclear = 0
  locked = false
  stop = listenForScans(window, {
    onscan(scan) {
      if (scan) scans.push(scan)
      else unclear++
    },
    paused: () => locked,
    country: () => 'GR'
  })
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
  /** ms after the last key */
  readonly after?: number
}

/** Types a scan. Resolves when it is reported, if it is one. */
async function scan(
  text: string,
  { layout = 'us', gaps = [], suffix = 'Enter', after = 2000 }: ScanOptions = {}
): Promise<void> {
  // The first of `strokeTimes` is 1000.
  const start = now + after - 1000
  const at = strokeTimes(text.length + 1, gaps.length > 0 ? gaps : Array.from(text, () => 10))
  pressesOf(text, layout).forEach(({ key, code, shift }, index) => {
    press(start + (at[index] ?? 0), { key, code, shiftKey: shift })
  })
  if (suffix) press(start + (at[text.length] ?? 0), { key: suffix, code: suffix })
  vi.advanceTimersByTime(1000)
  now += 1000
  // A scan after typing is read with the rules for phones.
  await vi.dynamicImportSettled()
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
  test.each(['Enter', 'Tab', null] as const)('reports a scan with the suffix %s once', async (suffix) => {
    field()
    await scan('6901234567', { suffix })
    expect(scannedTexts()).toEqual(['6901234567'])
  })

  test('reports a scan when no element has the focus', async () => {
    await scan('AR7K-5093')
    expect(scannedTexts()).toEqual(['AR7K-5093'])
  })

  test.each(['us', 'greek', 'french', 'arabic', 'german', 'ime'] as const)(
    'restores value and selection of the focused field with the keyboard layout "%s"',
    async (layout) => {
      const input = field('250')
      input.setSelectionRange(1, 2)
      await scan('https://points.example/q/AR7K-5093', { layout })
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

  test('restores the value of a focused select', async () => {
    const select = document.createElement('select')
    for (const copies of ['1', '2', '3']) select.append(new Option(copies, copies))
    document.body.append(select)
    select.focus()
    select.addEventListener('keydown', ({ key }) => {
      select.value = key
    })
    await scan('333333333')
    expect(select.value).toBe('1')
    expect(scannedTexts()).toEqual(['333333333'])
  })

  test('leaves a field unchanged that gets the focus from the first key of a scan', async () => {
    const search = field('ma')
    const row = document.createElement('button')
    document.body.append(row)
    row.addEventListener('keydown', () => {
      search.focus()
    })
    row.focus()
    await scan('6901234567')
    expect(search.value).toBe('ma')
    expect(document.activeElement).toEqual(row)
    expect(scannedTexts()).toEqual(['6901234567'])
  })

  test('reports two scans in a row separately', async () => {
    field()
    await scan('6901234567')
    await scan('6907654321')
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

  test.each(RECOGNISED_SCANNERS)('is reported whole: $name', async (timing) => {
    const input = field()
    await scan('+306900000199', { gaps: gapsFrom(timing, 0) })
    expect(scannedTexts()).toEqual(['+306900000199'])
    expect(input.value).toBe('')
  })

  test.each([...RECOGNISED_SCANNERS, ...SLOW_SCANNERS])(
    'is never cut, wherever its series of times begins: $name',
    async (timing) => {
      for (const suffix of ['Enter', 'Tab', null] as const) {
        for (const first of timing.gaps.keys()) {
          document.body.replaceChildren()
          scans.length = 0
          const input = field()
          await scan(text, { gaps: gapsFrom(timing, first), suffix })
          expect([first, outcomeOf(text, input)]).not.toEqual([first, 'cut'])
        }
      }
    }
  )

  test.each([55, 70, 120, 200, 299])(
    'keeps its first character, which comes %i ms before the others',
    async (late) => {
      const input = field()
      await scan('6900000199', { gaps: [late, ...Array.from({ length: 9 }, () => 5)] })
      expect(scannedTexts()).toEqual(['6900000199'])
      expect(input.value).toBe('')
    }
  )

  test('is whole when a key is late after four or more fast ones, though the others are a phone', async () => {
    const input = field('', { type: 'search' })
    await scan('12346900000199', { gaps: [5, 5, 5, 90, ...Array.from({ length: 20 }, () => 5)] })
    expect([scannedTexts(), unclear, input.value]).toEqual([['12346900000199'], 0, ''])
  })

  test('is not clear when a late key begins a phone within an article number', async () => {
    field('', { type: 'search' })
    await scan('5206900000194', { gaps: [5, 5, 90, ...Array.from({ length: 20 }, () => 5)] })
    expect([scans, unclear]).toEqual([[], 1])
  })

  test('is whole in the field, whole in the report, or not clear, with any times between its keys', async () => {
    const gap = fc.oneof(
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 0, max: 299 })
    )
    await fc.assert(
      fc.asyncProperty(
        digits(8, 8).map((rest) => `69${rest}`),
        fc.array(gap, { minLength: 30, maxLength: 30 }),
        fc.constantFrom('Enter', 'Tab', null),
        async (scanned, gaps, suffix) => {
          document.body.replaceChildren()
          scans.length = 0
          unclear = 0
          const input = field('', { type: 'search' })
          await scan(scanned, { gaps, suffix })
          if (unclear === 0) expect(outcomeOf(scanned, input)).not.toBe('cut')
        }
      ),
      { numRuns: 200 }
    )
  })
})

describe('a cashier', () => {
  test.each(TYPISTS)('is never taken for a scanner: $name', async (timing) => {
    for (const first of timing.gaps.keys()) {
      document.body.replaceChildren()
      const input = field()
      await scan('6900000199', { gaps: gapsFrom(timing, first) })
      expect(input.value).toBe('6900000199')
    }
    expect([scans, unclear]).toEqual([[], 0])
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

describe('a scan right after typing', () => {
  const PHONE = '6900000199'

  /** Types `prefix` at 100 ms a key into a field of this type, and scans `text` 120 ms later. */
  const scanAfter = async (prefix: string, text: string, type = 'text', options: ScanOptions = {}) => {
    const input = field('', { type })
    pressesOf(prefix, 'us').forEach((one, index) => {
      press(now + (index === 0 ? 2000 : 100), one)
    })
    await scan(text, { after: 120, ...options })
    return input
  }

  test.each([
    ['25', PHONE],
    ['7', PHONE],
    ['250', '+306900000199'],
    ['25', 'https://points.example/q/AR7K-5093'],
    ['h', 'https://points.example/q/AR7K-5093'],
    ['25', 'MECARD:N:Papadaki;TEL:+306900000199;;'],
    ['Maria', '+306900000199']
  ])('leaves %j in the field, and reports %s', async (prefix, text) => {
    const input = await scanAfter(prefix, text)
    expect(scans.map(({ text: read }) => read)).toEqual([text.startsWith('MECARD') ? '+306900000199' : text])
    expect(input.value).toBe(prefix)
  })

  test.each([
    // The number with the country code and without it: the points or a part of the phone.
    ['30', PHONE],
    ['A', PHONE],
    ['25', 'AR7K-5093'],
    ['m', 'maria@example.com']
  ])('is not clear where %j may be part of %s, and leaves it in the field', async (prefix, text) => {
    const input = await scanAfter(prefix, text)
    expect([scans, unclear]).toEqual([[], 1])
    expect(input.value).toBe(prefix)
  })

  test('in a search, tries each reading of a code, the whole first, and offers none to be registered', async () => {
    await scanAfter('2', 'AR7K-5093', 'search')
    expect(scans).toEqual([{ kind: 'code', text: '2AR7K-5093', others: ['AR7K-5093'], isUnclear: true }])
  })

  test('in a search, tries no two phones', async () => {
    stop()
    stop = listenForScans(window, {
      onscan: (one) => (one ? scans.push(one) : unclear++),
      paused: () => false,
      country: () => 'DE'
    })
    await scanAfter('3', '01701234567', 'search')
    expect([scans, unclear]).toEqual([[], 1])
  })

  test('is the whole text or not clear, and never takes what was typed, for any scanner', async () => {
    const scanners = fc
      .constantFrom(...RECOGNISED_SCANNERS)
      .chain((timing) => fc.nat(timing.gaps.length - 1).map((first) => gapsFrom(timing, first)))
    const texts = fc.constantFrom(
      PHONE,
      '+306900000199',
      'https://points.example/q/AR7K-5093',
      'maria@example.com'
    )
    await fc.assert(
      fc.asyncProperty(
        scanners,
        texts,
        digits(1, 4),
        fc.constantFrom(...TYPISTS),
        fc.integer({ min: 51, max: 299 }),
        fc.constantFrom('text', 'search'),
        async (gaps, text, prefix, typist, after, type) => {
          document.body.replaceChildren()
          scans.length = 0
          unclear = 0
          const input = field('', { type })
          const at = strokeTimes(prefix.length, typist.gaps)
          const start = now + 1000
          pressesOf(prefix, 'us').forEach((one, index) => {
            press(start + (at[index] ?? 0), one)
          })
          await scan(text, { gaps, after })
          const [scanned] = scans
          if (scanned === undefined) {
            // Nothing was found to be a scan, or not which part.
            expect(input.value.startsWith(prefix)).toBe(true)
            if (unclear === 0) expect(input.value).toBe(prefix + text)
            return
          }
          if (scanned.isUnclear) expect(scanned.others).toContain(text)
          else expect(scanned.text.slice(-PHONE.length)).toBe(text.slice(-PHONE.length))
          if (type === 'text') expect([scanned.text, input.value]).toEqual([text, prefix])
        }
      ),
      { numRuns: 300, seed: 1 }
    )
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
  test('receives the characters and the Enter of a scan', async () => {
    const input = field('', { 'data-accepts-scans': '' })
    const submit = vi.fn((event: Event) => {
      event.preventDefault()
    })
    input.form?.addEventListener('submit', submit)
    await scan('token-abc-1234')
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

  test('five characters', async () => {
    const input = field()
    await scan('12345', { suffix: null })
    expect(input.value).toBe('12345')
    expect(scannedTexts()).toEqual([])
  })

  test('a scan while the till is locked', async () => {
    locked = true
    const input = field()
    await scan('123456', { suffix: null })
    expect(input.value).toBe('123456')
    expect(scannedTexts()).toEqual([])
  })
})

test('typed text stays in the field and scanned text does not, for any mix of typing and scanning', async () => {
  const turns = fc.array(
    fc.oneof(
      fc.record({ who: fc.constant('person' as const), text: digits(1, 12), gaps: personGaps }),
      fc.record({ who: fc.constant('scanner' as const), text: digits(6, 20), gaps: scannerGaps })
    ),
    { minLength: 1, maxLength: 5 }
  )
  await fc.assert(
    fc.asyncProperty(turns, async (all) => {
      document.body.replaceChildren()
      scans.length = 0
      const input = field()
      for (const { who, text, gaps } of all) {
        if (who === 'scanner') {
          await scan(text, { gaps })
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
