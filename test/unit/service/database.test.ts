import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction, openDatabase } from '../../../electron/service/database.ts'
import { bodyOf, exactly, openInProcess, post } from './fixtures.ts'

describe('the data file of the service', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('keeps added records when it is reopened, and is not seeded again', async () => {
    const file = join(folder, 'service.sqlite')
    const first = await openInProcess({ file })
    const issued = bodyOf(await first.call('/qr', post({ points: 75 })), exactly.qr)
    await first.call('/customers', post({ name: 'Kept', phone: '+306940000555' }))
    await first.close()

    const second = await openInProcess({ file })
    expect(bodyOf(await second.call(`/qr/${issued.code}`), exactly.qr)).toEqual(issued)
    expect(bodyOf(await second.call('/account'), exactly.account).currentCustomers).toBe(31)
    expect((await second.call('/customers/%2B306940000555?type=phone')).status).toBe(200)
    await second.close()
  })

  it('does not contain tokens in plain text', async () => {
    const file = join(folder, 'service.sqlite')
    await (await openInProcess({ file, tokens: ['a-token-to-look-for'] })).close()
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = JSON.stringify(database.prepare('SELECT * FROM businesses').all())
    database.close()
    expect(rows).not.toContain('a-token-to-look-for')
  })

  it('uses WAL with synchronous=FULL', () => {
    const database = openDatabase(join(folder, 'service.sqlite'))
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    // 2 is FULL
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
    database.close()
  })

  it('throws for a file of a newer version and does not change it', () => {
    const file = join(folder, 'service.sqlite')
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    expect(() => openDatabase(file)).toThrow('was created by a newer version')
    const again = new DatabaseSync(file)
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 })
    again.close()
  })

  it('throws for a file that is not a database', () => {
    const file = join(folder, 'service.sqlite')
    writeFileSync(file, 'not a database, and longer than the header of a database file '.repeat(9))
    expect(() => openDatabase(file)).toThrow('file is not a database')
  })

  it('rolls back a transaction that throws', () => {
    const database = openDatabase(':memory:')
    const add = database.prepare('INSERT INTO businesses (token_hash) VALUES (?)')
    expect(() =>
      inTransaction(database, () => {
        add.run('one')
        throw new Error('half way')
      })
    ).toThrow('half way')
    expect(inTransaction(database, () => add.run('two').changes)).toBe(1)
    expect(database.prepare('SELECT token_hash FROM businesses').all()).toEqual([{ token_hash: 'two' }])
    database.close()
  })
})
