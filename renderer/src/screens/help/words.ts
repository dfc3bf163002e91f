/** Words of the till that do not explain themselves. The question marks beside some of them say the same. */
import { m } from '../../i18n/m.ts'

interface Word {
  /** as it stands on the screen */
  readonly word: () => string
  readonly means: () => string
}

/** In the order of a slip's life. */
export const WORDS = {
  training: { word: () => m.training(), means: () => m.trainingMeans() },
  balance: { word: () => m.balance(), means: () => m.balanceMeans() },
  lifetimePoints: { word: () => m.lifetimePoints(), means: () => m.lifetimePointsMeans() },
  copies: { word: () => m.copies(), means: () => m.copiesMeans() },
  needsAttention: { word: () => m.needsAttention(), means: () => m.needsAttentionMeans() },
  markAsGiven: { word: () => m.markAsGiven(), means: () => m.markAsGivenMeans() },
  discard: { word: () => m.discard(), means: () => m.discardMeans() },
  issueMany: { word: () => m.issueMany(), means: () => m.issueManyMeans() }
} as const satisfies Readonly<Record<string, Word>>
