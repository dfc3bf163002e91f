/** One code for each reference, also when the journal is lost or replaced, and when the program is paired again. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { programSlipsFile } from '../../../../electron/main/journal/program-slips.ts'
import { restoreJournal } from '../../../../electron/main/upkeep/restore.ts'
import { KNOWN_CUSTOMERS } from '../../../../electron/service/index.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { qrCode } from '../slips/slip-service-fixture.ts'
import { openInterface, type InterfaceFixture } from './interface-fixture.ts'

const [known] = KNOWN_CUSTOMERS
const bill = (reference: string, change: object = {}) => ({
  reference,
  points: 25,
  deliver: 'return',
  ...change
})
const named = (reference: string) => bill(reference, { customer: { phone: known.phone } })

/** Opens a till whose service returns codes with a prefix of their own, so that a second code is never the first one. */
function openTill(prefix: string, before?: InterfaceFixture) {
  let codes = 0
  return openInterface({
    ...(before && { folder: before.folder, callers: before.till.callers }),
    slips: {
      createQr: (points) => {
        codes += 1
        if (points === 404) return Promise.resolve(err({ kind: 'unknown-outcome', cause: 'timeout' }))
        return Promise.resolve(ok(qrCode(`${prefix}-${codes}`, points)))
      }
    }
  })
}

const closeTill = async (till: InterfaceFixture): Promise<void> => {
  await till.localInterface.close()
  await (await till.slips()).close()
}

const journalOf = ({ folder }: InterfaceFixture): string => join(folder, 'journal.db')

/** A till with a backup in the middle of its day, closed in the evening; and the code of each reference. */
async function closedDay() {
  const till = await openTill('FIRST')
  const pos = await till.pair()
  const codes = new Map<string, string | null | undefined>()
  const issue = async (body: ReturnType<typeof bill>): Promise<void> => {
    codes.set(body.reference, (await pos.post('/v1/slips', body)).body.code)
  }
  await issue(bill('R-1'))
  const slips = await till.slips()
  await issue(named('R-2'))
  const backup = join(till.folder, 'backup.sqlite')
  const database = new DatabaseSync(journalOf(till))
  database.exec(`VACUUM INTO '${backup}'`)
  database.close()
  await issue(named('R-3'))
  await issue(bill('R-4', { deliver: 'print' }))
  await issue(bill('R-5', { points: 404 }))
  expect(slips.queries.attention()).toEqual(ok(1))
  await closeTill(till)
  return { till, pos, codes, backup }
}

/** Sends all bills again, to a till that was opened after a loss. */
async function codesAfter(till: InterfaceFixture, token: string) {
  const codes = new Map<string, string | null | undefined>()
  const statuses: number[] = []
  for (const body of [
    bill('R-1'),
    named('R-2'),
    named('R-3'),
    bill('R-4', { deliver: 'print' }),
    bill('R-5', { points: 404 })
  ]) {
    const answer = await till.call({ method: 'POST', path: '/v1/slips', body, token })
    codes.set(body.reference, answer.body.code)
    statuses.push(answer.status)
  }
  return { codes, statuses }
}

describe('every reference of the day gives its first code', () => {
  const losses: readonly (readonly [string, (journal: string, backup: string) => unknown])[] = [
    [
      'after a backup is restored',
      (journalFile, from) => restoreJournal({ journalFile, from, now: new Date(), log: noOpLogger })
    ],
    [
      'after a backup is restored twice',
      async (journalFile, from) => {
        await restoreJournal({ journalFile, from, now: new Date(), log: noOpLogger })
        const other = `${from}.other`
        const database = new DatabaseSync(from)
        database.exec(`VACUUM INTO '${other}'`)
        database.close()
        await restoreJournal({ journalFile, from: other, now: new Date(), log: noOpLogger })
      }
    ],
    [
      'after a copy of the journal is put in its place by hand',
      (journalFile, from) => {
        rmSync(journalFile)
        const database = new DatabaseSync(from)
        database.exec(`VACUUM INTO '${journalFile}'`)
        database.close()
      }
    ],
    ['after the journal is lost', (journalFile) => rmSync(journalFile)],
    ['after the journal is damaged', (journalFile) => writeFileSync(journalFile, 'no database '.repeat(1000))]
  ]

  it.each(losses)('%s', async (_name, lose) => {
    const { till, pos, codes, backup } = await closedDay()
    await lose(journalOf(till), backup)
    const again = await openTill('SECOND', till)
    const sent = await codesAfter(again, pos.token)
    expect(sent.codes).toEqual(codes)
    expect(sent.statuses).toEqual([200, 200, 200, 200, 202])
    const differs = await again.call({
      method: 'POST',
      path: '/v1/slips',
      body: bill('R-3'),
      token: pos.token
    })
    expect(differs.status).toBe(409)
    expect((await again.call({ path: '/v1/slips/R-3', token: pos.token })).body['customer']).toMatchObject({
      name: known.name
    })
    // New bills are issued, and found again after the next loss.
    const next = await again.call({ method: 'POST', path: '/v1/slips', body: bill('R-6'), token: pos.token })
    expect([next.status, next.body.code]).toEqual([201, 'SECOND-1'])
    await closeTill(again)
    rmSync(journalOf(till))
    const third = await openTill('THIRD', till)
    expect((await codesAfter(third, pos.token)).codes).toEqual(codes)
    expect((await third.call({ path: '/v1/slips/R-6', token: pos.token })).body.code).toBe('SECOND-1')
  })

  it('also for a slip whose code arrived while the backup was being made', async () => {
    const till = await openTill('FIRST')
    const pos = await till.pair()
    const first = await pos.post('/v1/slips', bill('R-1'))
    await closeTill(till)
    const backup = join(till.folder, 'backup.sqlite')
    const database = new DatabaseSync(journalOf(till))
    database.exec(`VACUUM INTO '${backup}'`)
    database.close()
    const copy = new DatabaseSync(backup)
    copy.exec(`UPDATE slips SET state = 'requested', revision = 0, code = NULL, url = NULL, issued_at = NULL`)
    copy.close()
    await restoreJournal({ journalFile: journalOf(till), from: backup, now: new Date(), log: noOpLogger })
    const again = await openTill('SECOND', till)
    const sent = await again.call({ method: 'POST', path: '/v1/slips', body: bill('R-1'), token: pos.token })
    expect([sent.status, sent.body.code]).toEqual([200, first.body.code])
  })

  it('finds restored slips by the name of the customer', async () => {
    const { till, backup } = await closedDay()
    await restoreJournal({ journalFile: journalOf(till), from: backup, now: new Date(), log: noOpLogger })
    const again = await openTill('SECOND', till)
    const { queries } = await again.slips()
    const found = queries.list({ offset: 0, search: { text: known.name.split(' ')[0] ?? '' } })
    expect(found.ok && found.value.slips.map(({ reference }) => reference)).toEqual(['R-3', 'R-2'])
  })

  it('when only the file of the references is damaged or lost: the journal has them', async () => {
    for (const lose of [
      (file: string) => rmSync(file),
      (file: string) => writeFileSync(file, 'no database '.repeat(1000))
    ]) {
      const { till, pos, codes, backup } = await closedDay()
      lose(programSlipsFile(journalOf(till)))
      const again = await openTill('SECOND', till)
      expect((await codesAfter(again, pos.token)).codes).toEqual(codes)
      await closeTill(again)
      await restoreJournal({ journalFile: journalOf(till), from: backup, now: new Date(), log: noOpLogger })
      const third = await openTill('THIRD', till)
      expect((await codesAfter(third, pos.token)).codes).toEqual(codes)
    }
  })

  it('holds no slip of a person', async () => {
    const { till } = await closedDay()
    const database = new DatabaseSync(programSlipsFile(journalOf(till)), { readOnly: true })
    onTestFinished(() => database.close())
    expect(database.prepare('SELECT count(*) AS count FROM program_slips').get()).toEqual({ count: 5 })
    const again = await openTill('SECOND', till)
    const slips = await again.slips()
    const intentId = '0b8f1c1e-77d3-4a55-9d1c-0a1b2c3d4e5f'
    await slips.counter.issue({ intentId, points: 5, customer: null, reference: 'R-7' })
    expect(database.prepare('SELECT count(*) AS count FROM program_slips').get()).toEqual({ count: 5 })
    expect(existsSync(`${journalOf(till)}.restoring`)).toBe(false)
  })
})

describe('a program that is paired again under its name', () => {
  it('gets the first code of each reference, after it was removed', async () => {
    const till = await openTill('FIRST')
    const before = await till.pair('Example POS')
    const first = await before.post('/v1/slips', bill('R-1'))
    till.localInterface.removeCaller(before.id)
    const after = await till.pair('Example POS')
    const again = await after.post('/v1/slips', bill('R-1'))
    expect([again.status, again.body.code]).toEqual([200, first.body.code])
    const other = await till.pair('Other POS')
    expect((await other.post('/v1/slips', bill('R-1'))).body.code).not.toBe(first.body.code)
  })

  it('replaces its pairing when it lost its token: the old one is refused, and it is listed once', async () => {
    const till = await openTill('FIRST')
    const before = await till.pair('Example POS')
    const first = await before.post('/v1/slips', bill('R-1'))
    till.localInterface.setCaller({ id: before.id, mayIssueWhileLocked: true })
    const after = await till.pair('Example POS')
    expect((await before.get('/v1/status')).status).toBe(401)
    expect((await after.post('/v1/slips', bill('R-1'))).body.code).toBe(first.body.code)
    // What the manager allowed, the manager allows again.
    expect(till.localInterface.state.callers).toMatchObject([
      { name: 'Example POS', mayIssueWhileLocked: false }
    ])
  })

  it('keeps the id of a pairing that an earlier version of the till made', async () => {
    const till = await openTill('FIRST')
    await till.pair('Example POS')
    const id = '7f0d3f6e-6a54-4b8e-9a35-0f1f3a4f7c55'
    till.till.callers = till.till.callers.map((caller) => ({ ...caller, id }))
    expect((await till.pair('Example POS')).id).toBe(id)
  })
})
