import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Failure } from '../../../../../electron/contract/failure.ts'
import {
  InvalidTransitionError,
  type Journal,
  type Request
} from '../../../../../electron/main/slips/journal/journal.ts'
import { openJournal } from '../../../../../electron/main/slips/journal/open-journal.ts'
import { temporaryFolder } from '../slip-service-fixture.ts'

const now = new Date('2026-11-21T12:05:33.000Z')
const scope = { training: false, businessId: 'b1' }
const snapshot = {
  name: 'Corner Café',
  address: { street: 'Ermou 12', city: 'Athens', state: '', country: 'Greece', zipCode: '10563' },
  timeZone: 'Europe/Athens',
  locale: 'el',
  extras: null
}
const request = (intentId: string, changes: Partial<Request> = {}): Request => ({
  ...scope,
  intentId,
  points: 250,
  customer: { id: 'c1', name: 'Maria' },
  cashier: null,
  requestedAt: now.toISOString(),
  snapshot,
  papers: 1,
  batch: null,
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
const open = (): Journal => openAt(join(temporaryFolder(), 'journal.db'))

const issue = (journal: Journal, intentId: string, code: string): void => {
  journal.request(request(intentId))
  journal.step(intentId, 'issued', { code, url: `https://x.example/${code}`, issuedAt: now.toISOString() })
}

describe('a row of the journal', () => {
  it('keeps all that it was given, with what the slip shows', () => {
    const journal = open()
    journal.request(request('i1', { cashier: { id: 'k1', name: 'Anna' } }))
    expect(journal.byIntent('i1')).toEqual({
      businessId: 'b1',
      snapshot,
      number: 1,
      papers: 1,
      paper: null,
      slip: {
        intentId: 'i1',
        state: 'requested',
        points: 250,
        customer: { id: 'c1', name: 'Maria' },
        cashier: { id: 'k1', name: 'Anna' },
        code: null,
        url: null,
        requestedAt: '2026-11-21T12:05:33.000Z',
        issuedAt: null,
        printedAt: null,
        shownAt: null,
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

  it('is there once per intent', () => {
    const journal = open()
    journal.request(request('i1'))
    expect(() => journal.request(request('i1', { points: 9 }))).toThrow('UNIQUE')
    expect(journal.byIntent('i1')?.slip.points).toBe(250)
  })

  it('adds what each step brings, and forgets the last failure', () => {
    const journal = open()
    issue(journal, 'i1', 'A')
    journal.step('i1', 'print-started')
    const failed = journal.step('i1', 'print-failed', { failure: { kind: 'not-saved', what: 'slip' } })
    expect(failed.slip).toMatchObject({ state: 'print-failed', code: 'A', failure: { what: 'slip' } })
    journal.step('i1', 'print-started')
    const printed = journal.step('i1', 'printed', { file: '/slips/A.pdf', printedAt: now.toISOString() })
    expect(printed.slip).toMatchObject({ state: 'printed', code: 'A', file: '/slips/A.pdf', failure: null })
  })

  it('takes no step that its state does not have', () => {
    const journal = open()
    journal.request(request('i1'))
    expect(() => journal.step('i1', 'print-started')).toThrow(InvalidTransitionError)
    journal.step('i1', 'answer-lost', { failure: { kind: 'unknown-outcome', cause: 'timeout' } })
    expect(() => journal.step('i1', 'issued', { code: 'A', url: 'u' })).toThrow(InvalidTransitionError)
    expect(() => journal.step('nobody', 'issued')).toThrow(InvalidTransitionError)
    expect(journal.byIntent('i1')?.slip).toMatchObject({ state: 'unknown', code: null })
  })

  it.each<Failure>([
    { kind: 'offline' },
    { kind: 'points-too-many', maximum: 5 },
    { kind: 'rejected', status: 402, message: 'no "quotes" harm' },
    { kind: 'busy', retryAfterSeconds: null },
    { kind: 'bad-response', path: 'qrURL' },
    { kind: 'invalid-input', field: 'points', fault: 'below-one' },
    { kind: 'not-saved', what: 'journal' }
  ])('gives the failure back as it was: $kind', (failure) => {
    const journal = open()
    journal.request(request('i1'))
    journal.step('i1', 'refused', { failure })
    expect(journal.byIntent('i1')?.slip.failure).toEqual(failure)
  })

  it('is not lost over a failure that another version wrote', () => {
    const file = join(temporaryFolder(), 'journal.db')
    const journal = openAt(file)
    journal.request(request('i1'))
    journal.step('i1', 'refused', { failure: { kind: 'offline' } })
    const other = new DatabaseSync(file)
    other.exec(`UPDATE slips SET failure = '{"kind":"from-the-future"}'`)
    other.close()
    expect(journal.byIntent('i1')?.slip.failure).toEqual({ kind: 'internal' })
  })
})

describe('reading the journal', () => {
  it('gives pages, newest first, of one business only', () => {
    const journal = open()
    for (const id of ['1', '2', '3', '4', '5']) journal.request(request(id))
    journal.request(request('other', { businessId: 'b2' }))
    journal.request(request('training', { training: true }))
    const page = (offset: number): string[] =>
      journal.find(scope, {}, { offset, limit: 2 }).map(({ slip }) => slip.intentId)
    expect([page(0), page(2), page(4), page(6)]).toEqual([['5', '4'], ['3', '2'], ['1'], []])
  })

  it('finds the newest slip with a code, in its scope', () => {
    const journal = open()
    issue(journal, 'i1', 'A')
    issue(journal, 'i2', 'A')
    expect(journal.byCode(scope, 'A')?.intentId).toBe('i2')
    expect(journal.byCode({ ...scope, training: true }, 'A')).toBeNull()
    expect(journal.byCode(scope, 'a')).toBeNull()
  })

  it('counts what waits for a person', () => {
    const journal = open()
    journal.request(request('asked'))
    journal.request(request('lost'))
    journal.step('lost', 'answer-lost')
    journal.request(request('refused'))
    journal.step('refused', 'refused')
    for (const id of ['issued', 'printing', 'failed', 'printed']) issue(journal, id, id)
    for (const id of ['printing', 'failed', 'printed']) journal.step(id, 'print-started')
    journal.step('failed', 'print-failed')
    journal.step('printed', 'printed')
    expect(journal.attention(scope)).toBe(3)
    expect(journal.attention({ ...scope, businessId: 'b2' })).toBe(0)
  })
})

describe('a till that stopped', () => {
  it('finds what was under way, and says that nobody knows how it ended', () => {
    const file = join(temporaryFolder(), 'journal.db')
    const before = openAt(file)
    before.request(request('asked'))
    issue(before, 'issued', 'A')
    issue(before, 'printing', 'B')
    before.step('printing', 'print-started')
    before.close()
    const after = openAt(file)
    const stopped = { kind: 'unknown-outcome', cause: 'till-stopped' }
    expect(after.byIntent('asked')?.slip).toMatchObject({ state: 'unknown', failure: stopped })
    expect(after.byIntent('issued')?.slip).toMatchObject({ state: 'issued', failure: null })
    expect(after.byIntent('printing')?.slip).toMatchObject({ state: 'print-failed', failure: stopped })
    expect(after.attention(scope)).toBe(3)
  })
})
