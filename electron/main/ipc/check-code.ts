/** Reads a printed code or the URL of a slip, and checks it with the service. */
import { ungroupedCode } from '../../contract/code-groups.ts'
import { err, ok, type Failure, type Result } from '../../contract/failure.ts'
import type { CheckedCode, SlipSearch } from '../../contract/slips.ts'
import type { Lazy } from '../lazy.ts'
import { isCodeUsed } from '../loyalty/code-status.ts'
import { codeForUrl, isUrl } from '../loyalty/points-code.ts'
import type { Session } from '../session/session.ts'
import type { SlipQueries } from '../slips/slip-queries.ts'

/** The part of the journal that is used to check codes. */
export type CodeQueries = Pick<SlipQueries, 'byCode' | 'byUrl' | 'newestCodes'>

/** Returns the code for a typed code or a scanned URL, and whether it was guessed; null if a URL contains none. */
const resolveCode = (text: string, queries: CodeQueries) =>
  isUrl(text) ? codeForUrl(text, queries) : { code: ungroupedCode(text), isGuess: false }

/** Returns a search as the journal takes it: a scanner types the URL of a QR code, and people type its code in groups. */
export const resolveSearch = (search: SlipSearch, queries: CodeQueries): SlipSearch => {
  const { text = '' } = search
  const { code } = resolveCode(text, queries)
  // Three names of four letters look like a code in groups.
  const isCode = code !== null && (isUrl(text) || queries.byCode(code) !== null)
  return search.text === undefined ? search : { ...search, text: isCode ? code : text.trim() }
}

const NOT_IN_ADDRESS: Failure = { kind: 'invalid-input', field: 'code', fault: 'not-in-address' }

/**
 * Checks a typed code, or the URL that a scanner read from a QR code. While the service is unreachable, returns what
 * the journal of this till knows of the code, with `qr: null`. Fails with `not-in-address` if the code of a URL could only
 * be guessed, and the service does not know it.
 */
export type CheckCode = (text: string, signal?: AbortSignal) => Promise<Result<CheckedCode>>

/** What is known of codes while the journal cannot be opened. */
const NO_QUERIES: CodeQueries = { byCode: () => null, byUrl: () => null, newestCodes: () => [] }

export function createCheckCode(
  session: Pick<Session, 'ask'>,
  slips: Pick<Lazy<Result<{ readonly queries: CodeQueries }>>, 'get'>
): CheckCode {
  return async (text, signal) => {
    const opened = await slips.get()
    const queries = opened.ok ? opened.value.queries : NO_QUERIES
    const { code, isGuess } = resolveCode(text, queries)
    if (code === null) return err(NOT_IN_ADDRESS)
    if (code === '') return err({ kind: 'invalid-input', field: 'code', fault: 'missing' })
    const answer = await session.ask((client) => client.qr(code, signal), signal)
    if (answer.ok) {
      const qr = answer.value
      return ok({ code: qr.code, qr, used: isCodeUsed(qr), slip: queries.byCode(qr.code) })
    }
    const { kind } = answer.failure
    if (isGuess && (kind === 'not-found' || kind === 'rejected')) return err(NOT_IN_ADDRESS)
    const isUnreachable = (kind === 'offline' || kind === 'timeout') && !(signal?.aborted ?? false)
    // Codes are often typed in lower case. The service, which knows their spelling, cannot be asked now.
    const slip = isUnreachable ? (queries.byCode(code) ?? queries.byCode(code.toUpperCase())) : null
    return slip === null ? answer : ok({ code: slip.code ?? code, qr: null, used: null, slip })
  }
}
