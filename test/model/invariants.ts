/** What must hold after each command. Each invariant returns its violations. */
import { ATTENTION_STATES, type AttentionSlip } from '../../electron/contract/slips.ts'
import type { StoredJournal } from './journal-rows.ts'
import type { Paper } from './reality.ts'
import { BUSINESSES } from './service.ts'
import type { World } from './world.ts'

/** What an invariant compares. */
interface Facts {
  readonly world: World
  readonly journal: StoredJournal
  readonly papers: readonly Paper[]
}

type Invariant = (facts: Facts) => string[]

const isFirst = ({ copy }: Paper): boolean => copy === 0

const duplicatesOf = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index))
]

/** No code is on two first printouts, and no two copies have the same number. */
const noCodeTwiceOnPaper: Invariant = ({ world, papers }) =>
  duplicatesOf(
    papers
      .filter((paper, index) => isFirst(paper) || index >= world.reality.papersBeforeRestore)
      .map(({ code, copy }) => `${code}, copy ${String(copy)}`)
  ).map((paper) => `Printed twice: ${paper}`)

/** A code that was reported as stored is in the journal. */
const noStoredCodeLost: Invariant = ({ world, journal }) => {
  const codes = new Map(journal.slips.map(({ intentId, code }) => [intentId, code]))
  return [...world.reality.stored]
    .filter(([intentId, code]) => codes.get(intentId) !== code)
    .map(([, code]) => `${code} was stored, and is lost`)
}

/** An intent is requested once; a batch makes no more first printouts than it has slips. */
const noRequestTwice: Invariant = ({ world, papers }) => {
  const { posts, batches, requested, made } = world.reality
  const repeated = [...posts]
    .filter(([points, count]) => count > Math.max(1, requested.get(points)?.size ?? 0))
    .map(([points, count]) => `${String(count)} requests for ${String(points)} points`)
  const tooMany = [...batches].flatMap(([points, { count }]) => {
    const codes = new Set(
      papers.filter(({ code }) => made.get(code)?.points === points).map(({ code }) => code)
    )
    return codes.size > count ? [`${String(codes.size)} slips of a batch of ${String(count)}`] : []
  })
  return [...repeated, ...tooMany]
}

/** A row has a code of its own business with its own points, and no other row has it. */
const codesBelongToTheirRows: Invariant = ({ world, journal }) => {
  const coded = journal.slips.filter(({ code }) => code !== null)
  const wrong = coded.filter((row) => {
    const made = world.reality.made.get(row.code ?? '')
    return made?.points !== row.points || made.businessId !== row.businessId || made.training !== row.training
  })
  return [
    ...wrong.map(
      ({ code, points }) => `${String(code)} is in a row of another business or with ${String(points)} points`
    ),
    ...duplicatesOf(coded.map(({ code }) => String(code))).map((code) => `${code} is in two rows`)
  ]
}

/** A code of the service is in the journal, or a slip with these points has no code. */
const noCodeUnaccounted: Invariant = ({ world, journal }) => {
  const { made, forgotten } = world.reality
  const codes = new Set(journal.slips.map(({ code }) => code))
  const withoutCode = new Map<number, number>()
  for (const { code, points, state } of journal.slips) {
    // A refusal means that there is no code.
    if (code === null && state !== 'refused') withoutCode.set(points, (withoutCode.get(points) ?? 0) + 1)
  }
  return [...made].flatMap(([code, { points }]) => {
    if (codes.has(code) || forgotten.has(code)) return []
    const left = withoutCode.get(points) ?? 0
    withoutCode.set(points, left - 1)
    return left > 0 ? [] : [`${code} with ${String(points)} points is in no row`]
  })
}

/** Reported changes are transitions of the state machine. */
const onlyKnownTransitions =
  (known: ReadonlySet<string>): Invariant =>
  ({ world }) =>
    [...world.reality.transitions]
      .filter((transition) => !known.has(transition))
      .map((transition) => `Not a transition: ${transition}`)

/** Hold at every moment. */
const ALWAYS = {
  noCodeTwiceOnPaper,
  noStoredCodeLost,
  noRequestTwice,
  codesBelongToTheirRows,
  noCodeUnaccounted
}

/** The slips that need attention, of all businesses; null when no till can read the journal. */
function attentionOf(world: World): AttentionSlip[] | null {
  const { business } = world
  const slips = world.tills.map((till) => till.slips).find((opened) => opened !== null)
  if (slips === undefined) return null
  const found: AttentionSlip[] = []
  for (const other of BUSINESSES) {
    world.business = other
    const { queries } = slips
    let offset = 0
    for (let hasMore = true; hasMore;) {
      const page = queries.attentionList({ offset })
      if (!page.ok) break
      found.push(...page.value.slips)
      offset += page.value.slips.length
      hasMore = page.value.hasMore
    }
    const count = queries.attention()
    const listed = found.filter(({ slip }) => slip.training === other.training).length
    if (!count.ok || count.value > listed)
      world.reality.violations.push('The badge counts more than the list')
  }
  world.business = business
  return found
}

const OPEN_STATES: readonly string[] = ['requested', 'printing', ...ATTENTION_STATES]

/** Everything unfinished is listed under *Needs attention*. */
const unfinishedNeedsAttention: Invariant = ({ world, journal }) => {
  const attention = attentionOf(world)
  if (attention === null) return []
  const listed = new Set(attention.map(({ slip }) => slip.intentId))
  return [
    ...journal.slips
      .filter(({ intentId, state }) => OPEN_STATES.includes(state) && !listed.has(intentId))
      .map(({ intentId, state }) => `${intentId} is ${state}, and needs no attention`),
    ...journal.printingCopies.map((intentId) => `A copy of ${intentId} is printing for ever`)
  ]
}

/** The journal says what happened: a cashier who trusts it prints nothing twice. */
const statesAreTrue: Invariant = ({ world, journal, papers }) => {
  const onPaper = new Set(papers.filter(isFirst).map(({ code }) => code))
  const attention = new Map(attentionOf(world)?.map(({ slip, action }) => [slip.intentId, action]))
  return journal.slips.flatMap(({ intentId, state, code }) => {
    const isOnPaper = code !== null && onPaper.has(code)
    if (state === 'printed' && !isOnPaper) return [`${String(code)} is printed, and has no paper`]
    if (state === 'shown' && !world.reality.shown.has(code ?? '')) return [`${String(code)} was not shown`]
    if (isOnPaper && (state === 'issued' || state === 'shown' || attention.get(intentId) === 'print')) {
      return [`${code} is ${state}, and has its paper`]
    }
    return []
  })
}

/** Hold while nothing is pending and the disk works. */
const AT_REST = { unfinishedNeedsAttention, statesAreTrue }

/** Returns the violations, by invariant; empty when all hold. */
export function violationsOf(world: World, knownTransitions: ReadonlySet<string>): Record<string, string[]> {
  const isAtRest = world.isIdle && !world.isDiskFull
  const facts = {
    world,
    journal: world.readJournal(),
    papers: world.papers()
  }
  const invariants: Readonly<Record<string, Invariant>> = {
    ...ALWAYS,
    onlyKnownTransitions: onlyKnownTransitions(knownTransitions),
    ...(isAtRest ? AT_REST : {}),
    momentary: () => world.reality.violations
  }
  return Object.fromEntries(
    Object.entries(invariants).flatMap(([name, invariant]) => {
      const found = invariant(facts)
      return found.length === 0 ? [] : [[name, found]]
    })
  )
}
