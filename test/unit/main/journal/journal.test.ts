import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Failure } from '../../../../electron/contract/failure.ts'
import type { Journal } from '../../../../electron/main/journal/journal.ts'
import { InvalidTransitionError, type SlipRequest } from '../../../../electron/main/journal/slip-table.ts'
import { openJournal } from '../../../../electron/main/journal/open-journal.ts'
import { temporaryFolder } from '../slips/slip-service-fixture.ts'

const now = new Date('2026-11-21T12:05:33.000Z')
const scope = { training: false, businessId: 'b1' }
const snapshot = {
  name: 'Corner Café',
  address: { street: 'Ermou 12', city: 'Athens', state: '', country: 'Greece', zipCode: '10563' },
  timeZone: 'Europe/Athens',
  locale: 'el',
  headline: '',
  footer: '',
  tillName: '',
  customerName: true,
  affordable: null,
  expiry: null,
  joinUrl: null,
  logo: null
}
const request = (intentId: string, changes: Partial<SlipRequest> = {}): SlipRequest => ({
  ...scope,
  intentId,
  points: 250,
  customer: { id: 'c1', name: 'Maria' },
  cashier: null,
  requestedAt: now.toISOString(),
  snapshot,
  requestedCopies: 1,
  keyed: false,
  batch: null,
  reference: null,
  program: null,
  ...changes
})

function openAt(file: string): Journal {
  const { journal } = openJournal(file, now)
  if (journal === null) throw new Error('no journal')
  onTestFinished(() => {
    journal.close()
  })
  return journal
}
const openTemporaryJournal = (): Journal => openAt(join(temporaryFolder(), 'journal.db'))

const issue = (journal: Journal, intentId: string, code: string): void => {
  journal.slips.request(request(intentId))
  journal.slips.transition(intentId, 'issued', {
    code,
    url: `https://x.example/${code}`,
    issuedAt: now.toISOString()
  })
}

describe('SlipTable', () => {
  it('stores every field of a request', () => {
    const journal = openTemporaryJournal()
    const caller = { id: 'p1', name: 'Shop POS' }
    journal.slips.request(
      request('i1', {
        cashier: { id: 'k1', name: 'Anna', number: 1 },
        reference: 'R-1',
        calculation: { bill: { amount: '12.50' }, rules: 4 },
        program: { caller, contentHash: 'hash', attempt: 1 }
      })
    )
    expect(journal.slips.byIntent('i1')).toEqual({
      businessId: 'b1',
      snapshot,
      number: 1,
      requestedCopies: 1,
      media: null,
      contentHash: 'hash',
      keyed: false,
      cashierNumber: 1,
      calculation: { bill: { amount: '12.50' }, rules: 4 },
      slip: {
        intentId: 'i1',
        state: 'requested',
        points: 250,
        remaining: null,
        customer: { id: 'c1', name: 'Maria' },
        cashier: { id: 'k1', name: 'Anna' },
        caller,
        reference: 'R-1',
        code: null,
        url: null,
        requestedAt: '2026-11-21T12:05:33.000Z',
        issuedAt: null,
        expiresAt: null,
        printedAt: null,
        shownAt: null,
        returned: false,
        offline: null,
        collectedAt: null,
        takenBackAt: null,
        file: null,
        revision: 0,
        destination: null,
        failure: null,
        ending: null,
        copies: 0,
        lastCopy: null,
        batch: null,
        training: false
      }
    })
  })

  it('rejects a second row with the same intent id', () => {
    const journal = openTemporaryJournal()
    journal.slips.request(request('i1'))
    expect(() => journal.slips.request(request('i1', { points: 9 }))).toThrow('UNIQUE')
    expect(journal.slips.byIntent('i1')?.slip.points).toBe(250)
  })

  it('stores the details of each transition, and clears the previous failure', () => {
    const journal = openTemporaryJournal()
    issue(journal, 'i1', 'A')
    journal.slips.transition('i1', 'print-started')
    const failed = journal.slips.transition('i1', 'print-failed', {
      failure: { kind: 'not-saved', what: 'slip' }
    })
    expect(failed.slip).toMatchObject({ state: 'print-failed', code: 'A', failure: { what: 'slip' } })
    journal.slips.transition('i1', 'print-started')
    const printed = journal.slips.transition('i1', 'printed', {
      file: '/slips/A.pdf',
      printedAt: now.toISOString()
    })
    expect(printed.slip).toMatchObject({ state: 'printed', code: 'A', file: '/slips/A.pdf', failure: null })
  })

  it('throws InvalidTransitionError for a transition that the state does not have', () => {
    const journal = openTemporaryJournal()
    journal.slips.request(request('i1'))
    expect(() => journal.slips.transition('i1', 'print-started')).toThrow(InvalidTransitionError)
    journal.slips.transition('i1', 'answer-lost', { failure: { kind: 'unknown-outcome', cause: 'timeout' } })
    expect(() => journal.slips.transition('i1', 'issued', { code: 'A', url: 'u' })).toThrow(
      InvalidTransitionError
    )
    expect(() => journal.slips.transition('unknown', 'issued')).toThrow(InvalidTransitionError)
    expect(journal.slips.byIntent('i1')?.slip).toMatchObject({ state: 'unknown', code: null })
  })

  it('issues an unknown slip that is asked for with a key, and lists it until then', () => {
    const journal = openTemporaryJournal()
    const scope = { training: false, businessId: 'b1' }
    const unanswered = () => journal.slips.unanswered(scope, 50).map(({ slip }) => slip.intentId)
    const failure: Failure = { kind: 'unknown-outcome', cause: 'timeout' }
    for (const [intentId, keyed] of [
      ['i1', true],
      ['i2', false],
      ['i3', true]
    ] as const) {
      journal.slips.request(request(intentId, { keyed }))
      journal.slips.transition(intentId, 'answer-lost', { failure })
    }
    expect(unanswered()).toEqual(['i3', 'i1'])
    expect(journal.slips.unanswered({ ...scope, businessId: 'b2' }, 50)).toEqual([])
    const { slip } = journal.slips.transition('i1', 'issued', { code: 'A', url: 'u' })
    expect(slip).toMatchObject({ state: 'issued', code: 'A', failure: null })
    expect(unanswered()).toEqual(['i3'])
  })

  it.each<Failure>([
    { kind: 'offline' },
    { kind: 'points-too-many', maximum: 5 },
    { kind: 'rejected', status: 402, message: 'no "quotes" harm' },
    { kind: 'busy', retryAfterSeconds: null },
    { kind: 'bad-response', path: 'qrURL' },
    { kind: 'invalid-input', field: 'points', fault: 'below-one' },
    { kind: 'not-saved', what: 'journal' }
  ])('reads back the failure $kind', (failure) => {
    const journal = openTemporaryJournal()
    journal.slips.request(request('i1'))
    journal.slips.transition('i1', 'refused', { failure })
    expect(journal.slips.byIntent('i1')?.slip.failure).toEqual(failure)
  })

  it('reads an unknown kind of failure as internal', () => {
    const file = join(temporaryFolder(), 'journal.db')
    const journal = openAt(file)
    journal.slips.request(request('i1'))
    journal.slips.transition('i1', 'refused', { failure: { kind: 'offline' } })
    const other = new DatabaseSync(file)
    other.exec(`UPDATE slips SET failure = '{"kind":"from-the-future"}'`)
    other.close()
    expect(journal.slips.byIntent('i1')?.slip.failure).toEqual({ kind: 'internal' })
  })
})

describe('queries of the journal', () => {
  it('return pages, newest first, of one business only', () => {
    const journal = openTemporaryJournal()
    for (const id of ['1', '2', '3', '4', '5']) journal.slips.request(request(id))
    journal.slips.request(request('other', { businessId: 'b2' }))
    journal.slips.request(request('training', { training: true }))
    const page = (offset: number): string[] =>
      journal.history.find(scope, {}, { offset, limit: 2 }).map(({ slip }) => slip.intentId)
    expect(page(0)).toEqual(['5', '4'])
    expect(page(2)).toEqual(['3', '2'])
    expect(page(4)).toEqual(['1'])
    expect(page(6)).toEqual([])
  })

  it('return the newest slip with a code within the scope', () => {
    const journal = openTemporaryJournal()
    issue(journal, 'i1', 'A')
    issue(journal, 'i2', 'A')
    expect(journal.slips.byCode(scope, 'A')?.intentId).toBe('i2')
    expect(journal.slips.byCode({ ...scope, training: true }, 'A')).toBeNull()
    expect(journal.slips.byCode(scope, 'a')).toBeNull()
  })

  it('return the newest slip with a URL, and the newest codes, within the scope', () => {
    const journal = openTemporaryJournal()
    issue(journal, 'i1', 'A')
    issue(journal, 'i2', 'A')
    issue(journal, 'i3', 'B')
    journal.slips.request(request('i4'))
    expect(journal.slips.byUrl(scope, 'https://x.example/A')?.intentId).toBe('i2')
    expect(journal.slips.byUrl({ ...scope, training: true }, 'https://x.example/A')).toBeNull()
    expect(journal.slips.byUrl(scope, 'https://x.example/')).toBeNull()
    expect(journal.slips.newestCodes(scope, 2).map(({ intentId }) => intentId)).toEqual(['i3', 'i2'])
    expect(journal.slips.newestCodes({ ...scope, businessId: 'b2' }, 2)).toEqual([])
  })

  it('count the slips that need attention', () => {
    const journal = openTemporaryJournal()
    journal.slips.request(request('asked'))
    journal.slips.request(request('lost'))
    journal.slips.transition('lost', 'answer-lost')
    journal.slips.request(request('refused'))
    journal.slips.transition('refused', 'refused')
    for (const id of ['issued', 'printing', 'failed', 'printed']) issue(journal, id, id)
    for (const id of ['printing', 'failed', 'printed']) journal.slips.transition(id, 'print-started')
    journal.slips.transition('failed', 'print-failed')
    journal.slips.transition('printed', 'printed')
    expect(journal.statistics.countAttention(scope)).toBe(3)
    expect(journal.statistics.countAttention({ ...scope, businessId: 'b2' })).toBe(0)
  })
})

describe('recovery', () => {
  it('ends pending slips with an unknown outcome', () => {
    const file = join(temporaryFolder(), 'journal.db')
    const before = openAt(file)
    before.slips.request(request('asked'))
    issue(before, 'issued', 'A')
    issue(before, 'printing', 'B')
    before.slips.transition('printing', 'print-started')
    before.close()
    const after = openAt(file)
    const stopped = { kind: 'unknown-outcome', cause: 'till-stopped' }
    expect(after.slips.byIntent('asked')?.slip).toMatchObject({ state: 'unknown', failure: stopped })
    expect(after.slips.byIntent('issued')?.slip).toMatchObject({ state: 'issued', failure: null })
    expect(after.slips.byIntent('printing')?.slip).toMatchObject({ state: 'print-failed', failure: stopped })
    expect(after.statistics.countAttention(scope)).toBe(3)
  })
})
