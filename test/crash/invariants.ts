/** What must hold of the evidence, however a till was killed. Each promise gives what broke it, or nothing. */
import type { Slip } from '../../electron/contract/slips.ts'
import type { Evidence } from './collected-state.ts'

type Promised = (evidence: Evidence) => string[]

const byPoints = (slips: readonly Slip[]): Map<number, Slip[]> => {
  const found = new Map<number, Slip[]>()
  for (const slip of slips) found.set(slip.points, [...(found.get(slip.points) ?? []), slip])
  return found
}

/** A code that the page heard of is in the journal for good, with its slip. */
const noHeardCodeIsLost: Promised = ({ slips, heard }) => {
  const codes = new Map(slips.map(({ intentId, code }) => [intentId, code]))
  return [...heard]
    .filter(([intentId, code]) => codes.get(intentId) !== code)
    .map(([intentId, code]) => `${code} of ${intentId} is not in the journal`)
}

/** A code that the service made is in the journal, or its slip says that nobody knows. */
const everyMadeCodeIsAccountedFor: Promised = ({ slips, made }) => {
  const known = new Set(slips.map(({ code }) => code))
  const spare = new Map<number, number>()
  for (const [points, some] of byPoints(slips)) {
    // A batch may have put an unknown outcome away by itself, to issue it again.
    const unknown = some.filter(
      ({ state, code }) => state === 'unknown' || (state === 'discarded' && code === null)
    )
    spare.set(points, unknown.length)
  }
  const lost: string[] = []
  for (const [code, points] of made) {
    if (known.has(code)) continue
    const left = spare.get(points) ?? 0
    if (left === 0) lost.push(`${code} of ${String(points)} points was made, and no slip tells of it`)
    spare.set(points, left - 1)
  }
  return lost
}

/** Each slip was asked for at most once, and nothing was asked for without a row on disk. */
const noRequestIsRepeated: Promised = ({ slips, posts }) => {
  const rows = byPoints(slips)
  return [...posts]
    .filter(([points, count]) => count > (rows.get(points)?.length ?? 0))
    .map(
      ([points, count]) =>
        `${String(count)} requests for ${String(points)} points, ${String(rows.get(points)?.length ?? 0)} slips`
    )
}

/** What is in the journal was made, once, with these points. */
const everyCodeIsTheServices: Promised = ({ slips, made }) => {
  const coded = slips.filter(({ code }) => code !== null)
  const wrong = coded.filter(({ code, points }) => made.get(code ?? '') !== points)
  const twice = coded.length - new Set(coded.map(({ code }) => code)).size
  return [
    ...wrong.map(({ code, points }) => `${String(code)} was not made with ${String(points)} points`),
    ...(twice > 0 ? [`${String(twice)} codes stand in two rows`] : [])
  ]
}

const isWhole = (pdf: Buffer): boolean =>
  pdf.subarray(0, 5).toString() === '%PDF-' && pdf.toString('latin1').trimEnd().endsWith('%%EOF')

/** A paper is of a slip with a code, whole, and no copy that was not counted. */
const nothingIsPrintedThatWasNotIssued: Promised = ({ slips, papers }) => {
  const coded = new Map(slips.flatMap((slip) => (slip.code === null ? [] : [[slip.code, slip]])))
  return [...papers].flatMap(([name, pdf]) => {
    const [, code = '', copy = '0'] = /^(.*?)(?:-COPY-(\d+))?$/.exec(name) ?? []
    const slip = coded.get(code)
    if (slip === undefined) return [`${name} was printed, and not issued`]
    if (Number(copy) > slip.copies) return [`${name} was not counted`]
    if (slip.state === 'issued') return [`${name} is on paper, and the journal says that it never was sent`]
    return isWhole(pdf) ? [] : [`${name} is half a slip`]
  })
}

/** What the journal calls printed is there. */
const whatIsPrintedIsThere: Promised = ({ slips, papers }) =>
  slips.flatMap(({ state, code, copies, lastCopy }) => {
    if (code === null) return []
    const missing =
      state === 'printed' && !papers.has(code) ? [`${code} is printed, and there is no paper`] : []
    const copy = `${code}-COPY-${String(copies)}`
    const missingCopy = lastCopy?.state === 'printed' && !papers.has(copy) ? [`${copy} is missing`] : []
    return [...missing, ...missingCopy]
  })

/** After a restart nothing is under way, and each state has what belongs to it. */
const theJournalSaysSo: Promised = ({ slips }) =>
  slips.flatMap(({ intentId, state, code, failure, lastCopy }) => {
    const wrong =
      state === 'requested' ||
      state === 'printing' ||
      lastCopy?.state === 'printing' ||
      (code === null) !==
        (state === 'unknown' || state === 'refused' || (state === 'discarded' && code === null)) ||
      ((state === 'unknown' || state === 'refused' || state === 'print-failed') && failure === null)
    return wrong
      ? [`${intentId} is ${state} with code ${String(code)} and failure ${JSON.stringify(failure)}`]
      : []
  })

/** Each by what it promises. */
export const PROMISES: Readonly<Record<string, Promised>> = {
  noHeardCodeIsLost,
  everyMadeCodeIsAccountedFor,
  noRequestIsRepeated,
  everyCodeIsTheServices,
  nothingIsPrintedThatWasNotIssued,
  whatIsPrintedIsThere,
  theJournalSaysSo
}

/** All that is broken, by promise; empty when all hold. */
export const broken = (evidence: Evidence): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(PROMISES).flatMap(([name, promised]) => {
      const found = promised(evidence)
      return found.length === 0 ? [] : [[name, found.slice(0, 5)]]
    })
  )
