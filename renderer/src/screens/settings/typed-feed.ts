import { parseFeedUrl } from '../../../../electron/contract/updates.ts'

/**
 * Where updates come from, as it was typed: null for an empty text, which stands for where this installation was made to
 * look; undefined when it is not an address that updates may come from.
 */
export function typedFeed(text: string): string | null | undefined {
  return text.trim() === '' ? null : (parseFeedUrl(text) ?? undefined)
}
