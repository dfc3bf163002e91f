import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeSlip, type Box, type Placed } from '../../../../../electron/main/slips/layout/compose.ts'
import { ROLL_80 } from '../../../../../electron/main/slips/layout/paper.ts'
import { UrlTooLong } from '../../../../../electron/main/slips/layout/qr.ts'
import { anySlip, example, measuringText } from './slips.ts'

const text = await measuringText()

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Boxes that nothing else may touch: a band is there to have its white text on it. */
const exclusive = (items: readonly Placed[]): Box[] =>
  items.filter((item) => item.kind !== 'bar').map(({ box }) => box)

const textsOf = (items: readonly Placed[]): string[] =>
  items.flatMap((item) => (item.kind === 'text' ? [item.line.text] : []))

describe('composing a slip', () => {
  it('keeps every text and code on the printable width, and apart from every other', () => {
    fc.assert(
      fc.property(anySlip, (slip) => {
        const { items, height } = composeSlip(slip, ROLL_80, text)
        for (const { box } of items) {
          expect(box.x).toBeGreaterThanOrEqual(ROLL_80.left)
          expect(box.x + box.width).toBeLessThanOrEqual(ROLL_80.left + ROLL_80.width + 0.001)
          expect(box.y).toBeGreaterThanOrEqual(0)
          expect(box.y + box.height).toBeLessThanOrEqual(height)
        }
        const boxes = exclusive(items)
        for (const [index, box] of boxes.entries()) {
          for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false)
        }
      }),
      { numRuns: 100 }
    )
  })

  it('puts the code on whole dots, six a module, with its quiet zone', () => {
    fc.assert(
      fc.property(anySlip, (slip) => {
        const item = composeSlip(slip, ROLL_80, text).items.find(({ kind }) => kind === 'qr')
        if (item?.kind !== 'qr') throw new Error('no code')
        expect(Number.isInteger(item.box.x) && Number.isInteger(item.box.y)).toBe(true)
        expect(item.module).toBe(6)
        expect(item.box.width).toBe((item.code.size + 8) * 6)
      }),
      { numRuns: 50 }
    )
  })

  it('says the points once, in the largest type of the slip', () => {
    const { items } = composeSlip(example, ROLL_80, text)
    const sizes = items.flatMap((item) =>
      item.kind === 'text' ? [[item.line.style.size, item.line.text]] : []
    )
    sizes.sort(([one], [other]) => Number(other) - Number(one))
    expect(sizes[0]?.[1]).toBe('1,250')
  })

  it('leaves out what is not there: no customer, no address', () => {
    const address = { street: '', city: ' ', state: '', country: '', zipCode: '' }
    const { items } = composeSlip(
      { ...example, customerName: null, business: { name: 'Bar', address } },
      ROLL_80,
      text
    )
    expect(textsOf(items)).toEqual([
      'Bar',
      'Your points',
      '1,250',
      'Scan this code with your phone to collect them',
      'or type in the code',
      'K7QF-29XM',
      'Issued',
      '21 Nov 2026, 14:05'
    ])
  })

  it('marks practice at both ends', () => {
    const texts = textsOf(composeSlip({ ...example, practice: true }, ROLL_80, text).items)
    expect([texts[0], texts.at(-1)]).toEqual(['PRACTICE – NO VALUE', 'PRACTICE – NO VALUE'])
    expect(textsOf(composeSlip(example, ROLL_80, text).items).join()).not.toContain('PRACTICE')
  })

  it('bounds a name of any length, and ends it with an ellipsis', () => {
    const { items } = composeSlip({ ...example, customerName: 'Maria '.repeat(50_000) }, ROLL_80, text)
    const lines = textsOf(items).filter((line) => line.includes('Maria'))
    expect(lines).toHaveLength(3)
    expect(lines.at(-1)).toMatch(/…$/)
  })

  it('prints the whole of a long code over several lines', () => {
    const code = '0123456789abcdef'.repeat(10)
    expect(textsOf(composeSlip({ ...example, code }, ROLL_80, text).items).join('')).toContain(code)
  })

  it('refuses a URL whose modules would be too small to scan', () => {
    const url = `https://a.example/${'x'.repeat(1300)}`
    expect(() => composeSlip({ ...example, url }, ROLL_80, text)).toThrow(UrlTooLong)
  })
})
