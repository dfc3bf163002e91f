import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hashToken } from '../../../../electron/service/domain/identifiers.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { bodyOf, exactly, openInProcess, OTHER_TOKEN, TOKEN } from '../fixtures.ts'

/** The schema of version 1, as released. */
const VERSION_1 = `
  CREATE TABLE businesses (
    business INTEGER PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, customers INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE customers (
    row_id INTEGER PRIMARY KEY, business INTEGER NOT NULL REFERENCES businesses, id TEXT NOT NULL, name TEXT NOT NULL,
    email TEXT, phone TEXT NOT NULL, balance INTEGER NOT NULL, lifetime_points INTEGER NOT NULL,
    search_text TEXT NOT NULL, UNIQUE (business, id), UNIQUE (business, phone)
  ) STRICT;
  CREATE INDEX customers_by_email ON customers (business, email COLLATE NOCASE) WHERE email IS NOT NULL;
  CREATE VIRTUAL TABLE customer_search
    USING fts5 (search_text, content = '', tokenize = 'trigram case_sensitive 1');
  CREATE TABLE rewards (
    business INTEGER NOT NULL REFERENCES businesses, position INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
    cost INTEGER NOT NULL, enabled INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    PRIMARY KEY (business, position), UNIQUE (business, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE codes (
    business INTEGER NOT NULL REFERENCES businesses, code TEXT NOT NULL, points INTEGER NOT NULL,
    image INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, used_at TEXT,
    PRIMARY KEY (business, code)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;
`

const T = '2026-11-20T10:00:00.000Z'

/** Two businesses with a customer each, in the first one's case with an e-mail and points. */
const RECORDS = `
  INSERT INTO businesses VALUES (1, '${hashToken(TOKEN)}', 1), (2, '${hashToken(OTHER_TOKEN)}', 1);
  INSERT INTO customers VALUES
    (4294967297, 1, 'cus_one', 'Zoé Lefèvre', 'Zoe@Example.com', '+33639980117', 410, 700,
      'zoe lefevre' || char(10) || 'zoe@example.com' || char(10) || '+33639980117'),
    (8589934593, 2, 'cus_two', 'Jürgen Weiß', NULL, '+4917604069042', 0, 0,
      'jurgen weiss' || char(10) || char(10) || '+4917604069042');
  INSERT INTO customer_search (rowid, search_text) SELECT row_id, search_text FROM customers;
  INSERT INTO rewards VALUES (1, 1, 'rew_one', 'Greek coffee', 80, 1, '${T}', '${T}');
  INSERT INTO codes VALUES
    (1, 'TRAINING0050', 50, 0, '${T}', '${T}', NULL), (2, 'TRAINING0050', 50, 0, '${T}', '${T}', NULL),
    (1, '7QK2M0ZC4T9A', 30, 1, '${T}', '2026-11-20T11:00:00.000Z', '2026-11-20T11:00:00.000Z');
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('takes over a file of version 1: every answer stays, and balances have entries', async () => {
  const file = join(folder, 'service.sqlite')
  const old = new DatabaseSync(file)
  old.exec(VERSION_1 + RECORDS)
  old.close()

  const caller = await openInProcess({ file })
  const zoe = {
    id: 'cus_one',
    name: 'Zoé Lefèvre',
    email: 'Zoe@Example.com',
    balance: 410,
    lifetimePoints: 700
  }
  for (const path of ['/customers/cus_one', '/customers/zoe@example.com?type=email']) {
    expect(bodyOf(await caller.call(path), exactly.customer)).toMatchObject(zoe)
  }
  const found = bodyOf(await caller.call('/customers/?name=lefev'), exactly.customerPage)
  expect(found.data).toMatchObject([zoe])
  expect(bodyOf(await caller.call('/rewards/rew_one'), exactly.rewardDetail)).toMatchObject({ cost: 80 })
  expect(bodyOf(await caller.call('/qr/7QK2M0ZC4T9A'), exactly.qr)).toMatchObject({
    status: 'used',
    rewardPoints: 30,
    usedDate: '2026-11-20T11:00:00.000Z',
    updatedAt: '2026-11-20T11:00:00.000Z'
  })
  expect(bodyOf(await caller.call('/qr/TRAINING0050'), exactly.qr)).toMatchObject({ status: 'active' })
  expect(bodyOf(await caller.call('/account'), exactly.account)).toMatchObject({
    id: 'usr_training0001',
    name: 'Café Meltemi',
    currentCustomers: 1
  })
  const headers = { authorization: `Bearer ${OTHER_TOKEN}` }
  const other = bodyOf(await caller.call('/account', { headers }), exactly.account)
  expect(other).toMatchObject({ id: 'usr_training0002', name: 'Φούρνος Ανεμώνη', currentCustomers: 1 })
  await caller.close()

  const database = await openSqlite(file)
  expect(await verifyLedger(database)).toEqual([])
  expect(await database.read(`SELECT kind, points, lifetime_points AS lifetime FROM entries`)).toEqual([
    { kind: 'imported', points: 410, lifetime: 700 }
  ])
  const tables = await database.read(`SELECT name FROM sqlite_schema WHERE name LIKE 'old%'`)
  expect(tables).toEqual([])
  await database.close()
})
