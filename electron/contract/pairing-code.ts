/** Pairing codes of the project's own service, as main, the service and the page read them. */

/** Letters that are hard to misread and spell no words (RFC 8628, section 6.1). */
export const PAIRING_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
export const PAIRING_CODE_LENGTH = 8

const PAIRING_LETTERS = new RegExp(`^[${PAIRING_ALPHABET}]{0,${PAIRING_CODE_LENGTH}}$`)

/** Returns the letters of a text without what people put between them, in upper case; null if others are among them. */
function pairingLetters(text: string): string | null {
  const letters = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return PAIRING_LETTERS.test(letters) ? letters : null
}

/** Returns the pairing code that a text is, in any case and with any grouping, as its eight letters; null if it is none. */
export function pairingCodeIn(text: string): string | null {
  const letters = pairingLetters(text)
  return letters?.length === PAIRING_CODE_LENGTH ? letters : null
}

/** Returns whether a text is a pairing code, or the beginning of one. */
export const beginsPairingCode = (text: string): boolean => pairingLetters(text) !== null
