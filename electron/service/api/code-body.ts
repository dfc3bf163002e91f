/** How codes are answered. */
import type { Context } from 'hono'
import { codeStatus, type NewCode, type StoredCode } from '../domain/codes.ts'
import type { Links } from './public.ts'
import { respondJson } from './responses.ts'

/** The header that says from when a code cannot be collected (ISO 8601, UTC): docs/service-extension.md. */
const COLLECT_UNTIL = 'collect-until'

/** What is answered of a code. */
type AnsweredCode = NewCode & Pick<StoredCode, 'usedAt' | 'cancelledAt'>

/**
 * Responds with the QR object (interface document, part 2). `usedDate` and `qrImageURL` are empty strings without a value.
 * The document has no field for the end of a code: the extension tells it in a header, to those who ask for it.
 */
export const respondCode = (
  c: Context,
  stored: AnsweredCode,
  { links, now }: { readonly links: Links; readonly now: Date }
): Response => {
  const body = {
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    code: stored.code,
    rewardPoints: stored.points,
    status: codeStatus(stored, now),
    usedDate: stored.usedAt ?? '',
    qrURL: links.code(stored.code),
    qrImageURL: stored.image ? links.codeImage(stored.code) : ''
  }
  const isAsked = c.req.header('prefer') === COLLECT_UNTIL
  return respondJson(c, body, isAsked ? { [COLLECT_UNTIL]: stored.expiresAt } : {})
}

/** A code that was issued now. */
export const unused = (code: NewCode): AnsweredCode => ({
  ...code,
  usedAt: null,
  cancelledAt: null
})
