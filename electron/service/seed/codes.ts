/** QR codes that every training business has, so that a code can be checked before one was printed. */
import type { StoredCode } from '../store/codes.ts'

/** Codes by what checking them shows. */
export const SEEDED_CODES = {
  unused: ['TRAINING0050', 'TRAINING0250', 'TRAINING1000'],
  used: ['TRAININGUSED']
} as const

/** Milliseconds of an hour. */
const hour = 3_600_000

/** The seeded codes; dates lie in the two days before `now`. */
export const seededCodes = (now: Date): readonly StoredCode[] => {
  const before = (hours: number) => new Date(now.getTime() - hours * hour).toISOString()
  const unused = SEEDED_CODES.unused.map((code) => ({
    code,
    points: Number(code.slice(-4)),
    image: false,
    createdAt: before(26),
    updatedAt: before(26),
    usedAt: null
  }))
  const used = SEEDED_CODES.used.map((code) => ({
    code,
    points: 120,
    image: true,
    createdAt: before(47),
    updatedAt: before(3),
    usedAt: before(3)
  }))
  return [...unused, ...used]
}
