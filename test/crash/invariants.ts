/** Invariants of the collected state, whenever a process was killed. Each returns its violations. */
import type { Slip } from '../../electron/contract/slips.ts'
import type { CollectedState } from './collected-state.ts'

type Invariant = (state: CollectedState) => string[]

const byPoints = (slips: readonly Slip[]): Map<number, Slip[]> => {
  const found = new Map<number, Slip[]>()
  for (const slip of slips) found.set(slip.points, [...(found.get(slip.points) ?? []), slip])
  return found
}

/** A code that was reported to the page is in the journal, with its slip. */
const reportedCodesAreStored: Invariant = ({ slips, reported }) => {
  const codes = new Map(slips.map(({ intentId, code }) => [intentId, code]))
  return [...reported]
    .filter(([intentId, code]) => codes.get(intentId) !== code)
    .map(([intentId, code]) => `${code} of ${intentId} is not in the journal`)
}

/** A code of the service is in the journal, or a slip with these points has an unknown outcome. */
const serviceCodesAreAccountedFor: Invariant = ({ slips, serviceCodes }) => {
  const known = new Set(slips.map(({ code }) => code))
  const spare = new Map<number, number>()
  for (const [points, some] of byPoints(slips)) {
    // A batch may have discarded an unknown outcome to issue it again.
    const unknown = some.filter(
      ({ state, code }) => state === 'unknown' || (state === 'discarded' && code === null)
    )
    spare.set(points, unknown.length)
  }
  const lost: string[] = []
  for (const [code, points] of serviceCodes) {
    if (known.has(code)) continue
    const left = spare.get(points) ?? 0
    if (left === 0)
      lost.push(`${code} of ${String(points)} points exists at the service, and no slip accounts for it`)
    spare.set(points, left - 1)
  }
  return lost
}

/** Each slip was requested at most once, and only with its row on disk. */
const requestsAreNotRepeated: Invariant = ({ slips, requests }) => {
  const rows = byPoints(slips)
  return [...requests]
    .filter(([points, count]) => count > (rows.get(points)?.length ?? 0))
    .map(
      ([points, count]) =>
        `${String(count)} requests for ${String(points)} points, ${String(rows.get(points)?.length ?? 0)} slips`
    )
}

/** A code in the journal exists at the service, with the same points, and in one row only. */
const storedCodesAreFromTheService: Invariant = ({ slips, serviceCodes }) => {
  const coded = slips.filter(({ code }) => code !== null)
  const wrong = coded.filter(({ code, points }) => serviceCodes.get(code ?? '') !== points)
  const twice = coded.length - new Set(coded.map(({ code }) => code)).size
  return [
    ...wrong.map(
      ({ code, points }) => `${String(code)} does not exist at the service with ${String(points)} points`
    ),
    ...(twice > 0 ? [`${String(twice)} codes are in two rows`] : [])
  ]
}

const isComplete = (pdf: Buffer): boolean =>
  pdf.subarray(0, 5).toString() === '%PDF-' && pdf.toString('latin1').trimEnd().endsWith('%%EOF')

/** A file belongs to a slip with a code, is complete, and is no copy that was not counted. */
const filesBelongToIssuedSlips: Invariant = ({ slips, files }) => {
  const coded = new Map(slips.flatMap((slip) => (slip.code === null ? [] : [[slip.code, slip]])))
  return [...files].flatMap(([name, pdf]) => {
    const [, code = '', copy = '0'] = /^(.*?)(?:-COPY-(\d+))?$/.exec(name) ?? []
    const slip = coded.get(code)
    if (slip === undefined) return [`${name} was saved, and not issued`]
    if (Number(copy) > slip.copies) return [`${name} was not counted`]
    if (slip.state === 'issued') return [`${name} was saved, and the journal holds it as not sent`]
    return isComplete(pdf) ? [] : [`${name} is incomplete`]
  })
}

/** A slip or copy that the journal holds as printed has its file. */
const printedSlipsHaveFiles: Invariant = ({ slips, files }) =>
  slips.flatMap(({ state, code, copies, lastCopy }) => {
    if (code === null) return []
    const missing = state === 'printed' && !files.has(code) ? [`${code} is printed, and has no file`] : []
    const copy = `${code}-COPY-${String(copies)}`
    const missingCopy = lastCopy?.state === 'printed' && !files.has(copy) ? [`${copy} is missing`] : []
    return [...missing, ...missingCopy]
  })

/** After a restart nothing is pending, and each state has its columns. */
const rowsAreConsistent: Invariant = ({ slips }) =>
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

/** All invariants by name. */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  reportedCodesAreStored,
  serviceCodesAreAccountedFor,
  requestsAreNotRepeated,
  storedCodesAreFromTheService,
  filesBelongToIssuedSlips,
  printedSlipsHaveFiles,
  rowsAreConsistent
}

/** Returns the first violations of each invariant; empty when all hold. */
export const findViolations = (state: CollectedState): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(INVARIANTS).flatMap(([name, invariant]) => {
      const found = invariant(state)
      return found.length === 0 ? [] : [[name, found.slice(0, 5)]]
    })
  )
