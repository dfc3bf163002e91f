/** The type of a slip. Sizes are the em in dots on an 80 mm roll. */
import type { Paper } from './paper.ts'
import type { TextStyle } from './text/text.ts'

const STYLES = {
  business: { weight: 'bold', size: 38 },
  address: { weight: 'regular', size: 23 },
  headline: { weight: 'regular', size: 30 },
  points: { weight: 'bold', size: 136 },
  instruction: { weight: 'regular', size: 25 },
  codeLabel: { weight: 'regular', size: 21 },
  code: { weight: 'bold', size: 36 },
  label: { weight: 'regular', size: 23 },
  detail: { weight: 'bold', size: 23 },
  join: { weight: 'bold', size: 27 },
  joinInstruction: { weight: 'regular', size: 23 },
  footer: { weight: 'regular', size: 23 },
  band: { weight: 'bold', size: 28 }
} as const satisfies Record<string, TextStyle>

export type StyleName = keyof typeof STYLES

/** A style as it is on `paper`, in whole dots. */
export const styleOn = (paper: Paper, name: StyleName): TextStyle => {
  const { weight, size } = STYLES[name]
  return { weight, size: Math.round(size * paper.type) }
}

/** Height of Noto Sans's digits and capitals, in parts of the em. */
export const CAP_HEIGHT = 0.714

/** How far a comma reaches below the digits. */
export const COMMA_DEPTH = 0.17
