/** Words of the till that do not explain themselves. The question marks beside some of them say the same. */
import { m } from '../../i18n/messages.ts'

interface Word {
  /** as it stands on the screen */
  readonly word: () => string
  readonly means: () => string
}

/** In the order of a slip's life. */
export const WORDS = {
  training: { word: () => m.training(), means: () => m.trainingDefinition() },
  balance: { word: () => m.balance(), means: () => m.balanceDefinition() },
  lifetimePoints: { word: () => m.lifetimePoints(), means: () => m.lifetimePointsDefinition() },
  copies: { word: () => m.copies(), means: () => m.copiesDefinition() },
  needsAttention: { word: () => m.needsAttention(), means: () => m.needsAttentionDefinition() },
  markAsGiven: { word: () => m.markAsGiven(), means: () => m.markAsGivenDefinition() },
  discard: { word: () => m.discard(), means: () => m.discardDefinition() },
  issueMany: { word: () => m.issueMany(), means: () => m.issueManyDefinition() }
} as const satisfies Readonly<Record<string, Word>>
