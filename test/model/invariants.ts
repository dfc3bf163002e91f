/** What must hold after each command, beside the invariants of every journal. Each invariant returns its violations. */
import { ATTENTION_STATES, type AttentionSlip } from '../../electron/contract/slips.ts'
import {
  ALWAYS,
  AT_REST,
  findViolations,
  RECOVERED,
  type Invariant,
  type JournalFacts
} from '../support/journal-invariants.ts'
import { BUSINESSES } from './service.ts'
import type { World } from './world.ts'

/** What an invariant compares. */
interface Facts extends JournalFacts {
  readonly world: World
  /** the slips that need attention; null when no till can read the journal, or works */
  readonly attention: readonly AttentionSlip[] | null
}

function collectFacts(world: World, isAtRest: boolean): Facts {
  const { reality } = world
  const { made, posts, requested, stored, forgotten, papersBeforeRestore } = reality
  return {
    world,
    attention: isAtRest ? attentionOf(world) : null,
    slips: world.readJournal(),
    made,
    posts,
    intents: new Map(
      [...posts.keys()].map((points) => [points, Math.max(1, requested.get(points)?.size ?? 0)])
    ),
    stored,
    // A restored backup does not know the copies since.
    papers: world.papers().filter(({ copy }, index) => copy === 0 || index >= papersBeforeRestore),
    forgotten
  }
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

/** Reported changes are transitions of the state machine. */
const onlyKnownTransitions =
  (known: ReadonlySet<string>): Invariant<Facts> =>
  ({ world }) =>
    [...world.reality.transitions]
      .filter((transition) => !known.has(transition))
      .map((transition) => `Not a transition: ${transition}`)

/** However often the answer to a request is lost, the service has one code for it. */
const intentsHaveOneCode: Invariant<Facts> = ({ made, intents }) =>
  [...intents].flatMap(([points, count]) => {
    const codes = [...made.values()].filter((code) => code.points === points).length
    return codes > count
      ? [`${String(codes)} codes for ${String(count)} requests of ${String(points)} points`]
      : []
  })

/** A batch makes no more first printouts than it has slips. */
const batchesPrintNoMore: Invariant<Facts> = ({ world, papers }) => {
  const { batches, made } = world.reality
  return [...batches].flatMap(([points, { count }]) => {
    const codes = new Set(
      papers.filter(({ code }) => made.get(code)?.points === points).map(({ code }) => code)
    )
    return codes.size > count ? [`${String(codes.size)} slips of a batch of ${String(count)}`] : []
  })
}

/** Hold while nothing is pending and the disk works. */
const WORLD_AT_REST = {
  unfinishedNeedsAttention: ({ slips, attention }) => {
    if (attention === null) return []
    const listed = new Set(attention.map(({ slip }) => slip.intentId))
    const states: readonly string[] = ATTENTION_STATES
    return slips
      .filter(({ intentId, state }) => states.includes(state) && !listed.has(intentId))
      .map(({ intentId, state }) => `${intentId} is ${state}, and needs no attention`)
  },

  /** A cashier who follows the list prints nothing twice. */
  attentionIsTrue: ({ attention, papers }) => {
    const printed = new Set(papers.flatMap(({ code, copy }) => (copy === 0 ? [code] : [])))
    return (attention ?? [])
      .filter(({ slip, action }) => action === 'print' && printed.has(slip.code ?? ''))
      .map(({ slip }) => `${String(slip.code)} is ${slip.state}, and has its paper`)
  },

  shownCodesWereShown: ({ world, slips }) =>
    slips
      .filter(({ state, code }) => state === 'shown' && !world.reality.shown.has(code ?? ''))
      .map(({ code }) => `${String(code)} was not shown`)
} as const satisfies Readonly<Record<string, Invariant<Facts>>>

/** Returns the violations, by invariant; empty when all hold. */
export function violationsOf(world: World, knownTransitions: ReadonlySet<string>): Record<string, string[]> {
  const isAtRest = world.isIdle && !world.isDiskFull
  const facts = collectFacts(world, isAtRest)
  return findViolations<Facts>(
    facts,
    ALWAYS,
    { batchesPrintNoMore, intentsHaveOneCode, onlyKnownTransitions: onlyKnownTransitions(knownTransitions) },
    isAtRest ? { ...AT_REST, ...WORLD_AT_REST } : {},
    facts.attention === null ? {} : RECOVERED,
    { momentary: () => world.reality.violations }
  )
}
