/** Zeros of the decimal digits that keyboards type: Arabic-Indic, Persian, Devanagari, Bengali, Thai. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]

const asciiDigit = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0
  const zero = ZEROS.find((candidate) => point >= candidate && point <= candidate + 9)
  return zero === undefined ? digit : String(point - zero)
}

/**
 * A typed number in ASCII digits, whichever keyboard it came from. Spaces, and the invisible marks of direction that
 * pasted text carries, are left out; all else stays.
 */
export const asciiDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Bidi_Control}]/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit)
