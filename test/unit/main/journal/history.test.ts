import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { searchTokens, type SlipCriteria } from '../../../../electron/main/journal/history.ts'
import { Journal } from '../../../../electron/main/journal/journal.ts'
import { migrate } from '../../../../electron/main/journal/schema.ts'
import { journalScope, journalSnapshot, temporaryFolder } from '../slips/slip-service-fixture.ts'

function openHistoryJournal(): { database: DatabaseSync; journal: Journal } {
  const database = new DatabaseSync(join(temporaryFolder(), 'journal.db'))
  migrate(database)
  const journal = new Journal(database)
  onTestFinished(() => journal.close())
  return { database, journal }
}

/** Issues a slip with the intent id and code `id`, at noon of a day of November 2026. */
function issue(
  journal: Journal,
  id: string,
  day: number,
  name: string | null = null,
  cashier: string | null = null
): void {
  const at = new Date(Date.UTC(2026, 10, day, 12)).toISOString()
  journal.slips.request({
    ...journalScope,
    intentId: id,
    points: 1,
    customer: name === null ? null : { id: name, name },
    cashier: cashier === null ? null : { id: cashier, name: cashier, number: 1 },
    requestedAt: at,
    snapshot: journalSnapshot,
    requestedCopies: 1,
    keyed: false,
    batch: null,
    reference: null,
    program: null
  })
  journal.slips.transition(id, 'issued', { code: id, url: `https://x.example/${id}`, issuedAt: at })
}

const text = (typed: string): SlipCriteria => ({ code: typed, tokens: searchTokens(typed) })
const found = (journal: Journal, search: SlipCriteria, offset = 0, limit = 50): string[] =>
  journal.history.find(journalScope, search, { offset, limit }).map(({ slip }) => slip.intentId)

describe('SlipHistory.served', () => {
  it('returns the customers of slips with a code, each once, the last one first', () => {
    const { journal } = openHistoryJournal()
    for (const [number, name] of ['Anna', 'Boris', null, 'Anna', 'Clara'].entries()) {
      issue(journal, `slip-${String(number)}`, number + 1, name)
    }
    const names = (limit: number) => journal.history.served(journalScope, limit).map(({ name }) => name)
    expect(names(20)).toEqual(['Clara', 'Anna', 'Boris'])
    expect(names(1)).toEqual(['Clara'])
    expect(journal.history.served({ ...journalScope, training: !journalScope.training }, 20)).toEqual([])
  })

  it('returns none who was forgotten, and no further back than some hundred slips', () => {
    const { database, journal } = openHistoryJournal()
    issue(journal, 'old', 1, 'Old')
    for (let number = 0; number < 499; number++) issue(journal, `n-${String(number)}`, 2, 'New')
    const names = () => journal.history.served(journalScope, 20).map(({ name }) => name)
    expect(names()).toEqual(['New', 'Old'])
    issue(journal, 'one-more', 2)
    expect(names()).toEqual(['New'])
    database.exec('UPDATE slips SET customer_id = NULL, customer_name = NULL')
    expect(names()).toEqual([])
  })
})

describe('SlipHistory.find', () => {
  const filled = (): Journal => {
    const { journal } = openHistoryJournal()
    issue(journal, 'AB-1', 1, 'Μαρία Παπαδοπούλου')
    issue(journal, 'ab-2', 2, 'Åse Øst')
    issue(journal, 'CD-3', 3, 'Maria Silva', 'anna')
    issue(journal, 'CD-4', 4)
    return journal
  }

  it.each<[string, SlipCriteria, string[]]>([
    ['everything', {}, ['CD-4', 'CD-3', 'ab-2', 'AB-1']],
    ['the beginning of a code, in any case', text('Ab'), ['ab-2', 'AB-1']],
    ['a whole code', text('CD-3'), ['CD-3']],
    ['the beginning of a name', text('mar'), ['CD-3']],
    ['a name without its accents', text('παπαδ μαρια'), ['AB-1']],
    ['letters typed as others', text('ase ost'), ['ab-2']],
    ['words that no name has together', text('maria ost'), []],
    ['operators of the search engine', text('"mar* OR silva" NEAR('), []],
    ['days', { from: '2026-11-02T00:00:00.000Z', until: '2026-11-04T00:00:00.000Z' }, ['CD-3', 'ab-2']],
    ['a customer', { customerId: 'Maria Silva' }, ['CD-3']],
    ['a cashier', { cashierId: 'anna' }, ['CD-3']],
    ['text and a day', { ...text('ab'), from: '2026-11-02T00:00:00.000Z' }, ['ab-2']],
    ['a state', { states: ['issued'], until: '2026-11-02T00:00:00.000Z' }, ['AB-1']],
    ['states that most slips have', { states: ['printed', 'issued'] }, ['CD-4', 'CD-3', 'ab-2', 'AB-1']],
    ['no state at all', { states: [] }, []]
  ])('finds %s', (_, search, expected) => {
    expect(found(filled(), search)).toEqual(expected)
  })

  it('returns nothing of another business or of training', () => {
    const journal = filled()
    for (const other of [
      { ...journalScope, businessId: 'b2' },
      { ...journalScope, training: true }
    ]) {
      for (const search of [{}, text('mar'), text('ab'), { states: ['issued'] as const }]) {
        expect(journal.history.find(other, search, { limit: 9 })).toEqual([])
      }
    }
  })

  it.each<[string, SlipCriteria]>([
    ['everything', {}],
    ['names and codes', text('same')],
    ['days', { from: '2026-11-01T00:00:00.000Z' }],
    ['states', { states: ['issued', 'unknown'] }],
    ['a customer', { customerId: 'same' }]
  ])('returns pages of %s, each row once, by offset and after a row', (_, search) => {
    const { journal } = openHistoryJournal()
    const ids = Array.from({ length: 23 }, (_unused, index) => `same-${String(index).padStart(2, '0')}`)
    // Two per day: the time alone does not order them.
    for (const [index, id] of ids.entries()) issue(journal, id, 1 + Math.floor(index / 2), 'same')
    const newestFirst = ids.toReversed()
    expect([0, 7, 14, 21].flatMap((offset) => found(journal, search, offset, 7))).toEqual(newestFirst)
    const walked: string[] = []
    for (let rows = journal.history.find(journalScope, search, { limit: 7 }); rows.length > 0;) {
      walked.push(...rows.map(({ slip }) => slip.intentId))
      const after = rows.at(-1)
      rows = after === undefined ? [] : journal.history.find(journalScope, search, { limit: 7, after })
    }
    expect(walked).toEqual(newestFirst)
  })
})

describe('query plans', () => {
  /** Returns SQLite's query plans of the statements that `work` prepares. */
  const explain = (database: DatabaseSync, work: () => void): { statement: string; plan: string }[] => {
    const prepare = vi.spyOn(database, 'prepare')
    work()
    const statements = prepare.mock.calls.map(([statement]) => statement)
    prepare.mockRestore()
    expect(statements.length).toBeGreaterThan(0)
    return statements.flatMap((statement) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${statement}`)
        .all()
        .map((step) => ({ statement, plan: String(step['detail']) }))
    )
  }
  const plansOf = (read: (journal: Journal) => void): string[] => {
    const { database, journal } = openHistoryJournal()
    issue(journal, 'A', 1, 'Maria')
    return explain(database, () => read(journal)).map(({ plan }) => plan)
  }

  it('no statement that the journal prepares scans a table, or all returns for a slip, but for the totals of the diagnostics', () => {
    const { database } = openHistoryJournal()
    const scans = explain(database, () => new Journal(database)).filter(
      ({ statement, plan }) =>
        /^SCAN (slips|copies|batches|logos|removed_slips)\b(?!.* batches_unfinished$)|operations_returns$/.test(
          plan
        ) && !statement.includes('pragma_page_count')
    )
    expect(scans).toEqual([])
  })

  it.each<[string, SlipCriteria, string]>([
    ['the newest', {}, 'slips_newest'],
    ['a code', { code: 'A' }, 'slips_code'],
    ['a name', { tokens: ['maria'] }, 'slip_search VIRTUAL TABLE INDEX'],
    ['a customer', { customerId: 'c' }, 'slips_customer'],
    ['a cashier', { cashierId: 'c' }, 'slips_cashier'],
    ['a day', { from: '2026-11-01', until: '2026-11-02' }, 'slips_time'],
    ['rare states', { states: ['unknown', 'print-failed'] }, 'slips_state'],
    ['what waits for a person', { needsAttention: true }, 'slips_state (state=?'],
    ['what the service refused', { needsAttention: true }, 'slips_refusal'],
    ['the common state', { states: ['printed'] }, 'slips_newest'],
    ['a batch', { batchId: 'b' }, 'slips_batch'],
    ['a bill', { reference: 'r' }, 'slips_reference'],
    ['a bill within days', { reference: 'r', from: '2026-11-01' }, 'slips_reference'],
    ['a bill and a rare state', { reference: 'r', states: ['unknown'] }, 'slips_reference']
  ])('%s: uses an index, and scans no table', (_, search, index) => {
    const plans = plansOf((journal) => journal.history.find(journalScope, search, { limit: 51 }))
    expect(plans.filter((plan) => plan.includes(index))).not.toEqual([])
    expect(plans.filter((plan) => /^SCAN (slips|copies)\b(?!.*INDEX)/.test(plan))).toEqual([])
    expect(plans.filter((plan) => /\bslips USING.*slips_newest/.test(plan)).length > 0).toBe(
      index === 'slips_newest'
    )
  })

  it('what needs attention is counted by its states and its refusals alone', () => {
    const { database } = openHistoryJournal()
    const plans = explain(database, () => new Journal(database))
      .filter(({ statement }) => statement.includes('slips_refusal'))
      .map(({ plan }) => plan)
      .filter((plan) => /\bslips\b/.test(plan))
    expect(plans).toEqual([
      'SEARCH slips USING INDEX slips_state (state=? AND training=? AND business_id=?)',
      'SEARCH slips USING INDEX slips_refusal (training=? AND business_id=?)'
    ])
  })

  it.each<[string, SlipCriteria]>([
    ['the newest', {}],
    ['a customer', { customerId: 'c' }],
    ['a cashier', { cashierId: 'c' }],
    ['a day', { from: '2026-11-01', until: '2026-11-02' }],
    ['a rare state', { states: ['unknown'] }],
    ['a bill', { reference: 'r' }]
  ])('%s: reads the index in order, without sorting more than the page', (_, search) => {
    const plans = plansOf((journal) => journal.history.find(journalScope, search, { limit: 51 }))
    // The remaining sort is of the page itself.
    expect(plans.filter((plan) => plan.includes('TEMP B-TREE FOR ORDER BY')).length).toBeLessThanOrEqual(1)
  })

  it('a frequent prefix of a code is searched among the newest slips', () => {
    const { database, journal } = openHistoryJournal()
    issue(journal, 'X-0', 1)
    database.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
      INSERT INTO slips (intent_id, business_id, training, state, points, code, requested_at, snapshot)
        SELECT 'i' || i, 'b1', 0, 'printed', 1, 'A-' || i, '2026-11-01T00:00:00.000Z', snapshot FROM n, slips WHERE code = 'X-0'
    `)
    expect(found(journal, { code: 'a-' }, 0, 3)).toEqual(['i2100', 'i2099', 'i2098'])
    expect(found(journal, { code: 'A-21' }, 0, 3)).toEqual(['i2100', 'i219', 'i218'])
  })
})

it.each([
  ['Μαρία  ΠΑΠΑΔΟΠΟΎΛΟΥ', ['μαρια', 'παπαδοπουλου']],
  ['Åse-Øst', ['ase', 'ost']],
  ['Łukasz Weiß', ['lukasz', 'weiss']],
  ['Νίκος', ['νικοσ']],
  ['Nguyễn', ['nguyen']],
  ['محمَّد', ['محمد']],
  ['李小龙', ['李小龙']],
  ['ไม้ ไม', ['ไม้', 'ไม']],
  ['O’Brien "x"', ['o', 'brien', 'x']],
  ['  ', []]
])('searchTokens of %s are %j', (name, words) => {
  expect(searchTokens(name)).toEqual(words.map((word) => word.normalize('NFKC')))
})
