/** Reads whole numbers as people and programs write them: `120`, `120.00`, `1.200,00`, `1 200`. */
import { toAsciiDigits } from '../../contract/text.ts'

/** `null`: not a whole number; `ambiguous`: `1.200` may be a thousand or one. */
export type ReadWholeNumber = (text: string) => number | 'ambiguous' | null

/** The digits of a number with at most points and commas: spaces and apostrophes only group them. */
const plain = (text: string): string =>
  toAsciiDigits(text)
    .replaceAll(/['’٬_]/g, '')
    .replaceAll('٫', '.')

/** One mark, and three digits behind it: grouped thousands, or decimals. */
const AMBIGUOUS = /^[1-9]\d{0,2}([.,])\d{3}$/
const DECIMALS = /^(?:\d+|\d{1,3}(?:([.,])\d{3})+)([.,])(\d+)$/
const GROUPED = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/

/** The mark before the decimals, where a number alone says it. */
const decimalMark = (number: string): string | null => {
  if (AMBIGUOUS.test(number) || GROUPED.test(number)) return null
  const [, group, mark = null] = DECIMALS.exec(number) ?? []
  return group === mark ? null : mark
}

/**
 * Returns how to read the numbers of a column, whose other cells say what a point or a comma means in it. Where none does,
 * `1.200` is refused rather than read as a thousand.
 */
export const wholeNumberReader = (cells: Iterable<string>): ReadWholeNumber => {
  const decimals = new Set<string>()
  let isGrouping = false
  for (const cell of cells) {
    const number = plain(cell)
    const mark = decimalMark(number)
    if (mark !== null) decimals.add(mark)
    // A column with decimals has them in each number.
    else if (/^[1-9]\d*$/.test(number) || (GROUPED.test(number) && !AMBIGUOUS.test(number))) isGrouping = true
  }
  return (text) => {
    const number = plain(text)
    if (/^\d{1,15}$/.test(number)) return Number(number)
    const [, ambiguous] = AMBIGUOUS.exec(number) ?? []
    if (ambiguous !== undefined) {
      if (decimals.has(ambiguous)) return number.endsWith('000') ? Number(number.slice(0, -4)) : null
      return isGrouping || decimals.size > 0 ? Number(number.replace(ambiguous, '')) : 'ambiguous'
    }
    if (GROUPED.test(number)) return Number(number.replaceAll(/[.,]/g, ''))
    const [, group, mark = '', rest = ''] = DECIMALS.exec(number) ?? []
    if (mark === '' || group === mark || !/^0+$/.test(rest)) return null
    return Number(number.slice(0, -rest.length - 1).replaceAll(/[.,]/g, ''))
  }
}
