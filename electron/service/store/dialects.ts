/**
 * What differs between SQLite and PostgreSQL. Every other statement of the store is one text for both: parameters are
 * `$1`, whole numbers are sums and counts cast to BIGINT, flags are 0 and 1, times are ISO 8601 in UTC as text.
 */
import { memoized } from '../../contract/memoized.ts'
import type { Statement } from './rows.ts'

/** Which customers are searched, and which of the matches are returned. */
interface SearchRange {
  readonly business: number
  /** the first and the last key that a customer of the business can have */
  readonly keys: readonly [number, number]
  readonly limit: number
  readonly offset: number
  /** whether all of them are read, without an index */
  readonly isScan?: boolean
}

/** A change of a table, `when` given those of the rows alone. */
interface WatchedChange {
  /** of what follows it */
  readonly name: string
  readonly change: string
  readonly when?: string
}

export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** type of a column for whole numbers */
  readonly integer: string
  /** type of a primary key that the database counts up */
  readonly countedKey: string
  /** options after a table's columns */
  readonly tableOptions: string
  /** the same for a table of small rows that are found by their primary key: SQLite keeps such rows in its index alone */
  readonly keyedTableOptions: string
  /** script that makes `table` refuse UPDATE and DELETE */
  readonly appendOnly: (table: string) => string
  /** script that runs a statement after each row of a change such as `INSERT ON codes`, which is `NEW` in it */
  readonly afterEach: (change: WatchedChange, statement: string) => string
  /** waits, in a transaction, for the rows of the business `$1` that such changes write; null where there is one writer */
  readonly awaitEach: string | null
  /** script that creates the index for substrings of `customers.search_text` */
  readonly createSearchIndex: string
  /** script that creates what numbers customers */
  readonly createCustomerNumbers: string
  /**
   * Adds so many customers of the business `$1` but those whose phone it has, RETURNING a row for each that is added. No
   * transaction waits for a number. Values: `$2` when, `$3` whether they are imported, and for each id, name, e-mail, its key,
   * phone, search text, balance and lifetime points.
   */
  readonly insertCustomers: (count: number) => string
  /** adds the customers with keys from `$1` to `$2` to that index; null if the database does so itself */
  readonly addToSearchIndex: string | null
  /** removes the customer with key `$1` from that index; null if the database does so itself */
  readonly removeFromSearchIndex: string | null
  /** selects the customers whose search text contains one of `terms`, in the order of their keys */
  readonly searchCustomers: (columns: string, terms: readonly string[], range: SearchRange) => Statement
  /**
   * whether it is best to read one customer of the business after the other, which happens in this thread, instead of an
   * index over the customers of every business. @param customers of the business
   */
  readonly isScan: (terms: readonly string[], customers: number) => boolean
  /**
   * Makes as few statements as can be of some that change data and do not see each other's changes. Those with RETURNING, of
   * which there is one at least, return the same columns, and the rows are those of all. PostgreSQL runs them as one: each
   * statement costs a journey over the network.
   */
  readonly together: (statements: readonly Statement[]) => readonly Statement[]
  /** rows of one INSERT: SQLite looks up a parameter by its name, PostgreSQL answers over a network */
  readonly rowsPerInsert: number
  /** statements after which the key of `table` is counted on from the largest one */
  readonly continueCounting: (table: string, key: readonly string[]) => readonly string[]
  /** script that prepares `readSchemaVersion` */
  readonly prepareSchemaVersion: string
  /** selects `version`, 0 in an empty database */
  readonly readSchemaVersion: string
  readonly setSchemaVersion: (version: number) => string
}

/** Whether a trigram index can be used, which needs three characters. Shorter terms need a scan. */
const isIndexable = (term: string): boolean => Array.from(term).length >= 3

/** An FTS5 query for any of the terms, taken literally. */
const ftsQuery = (terms: readonly string[]): string =>
  terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')

/**
 * SQLite's index reads the matches of every business: 10 ms for a name of 12 % of a million customers. So many of one
 * business are read in 1 ms.
 */
const MAX_SCANNED_CUSTOMERS = 5000

const INTO_CUSTOMERS = `INSERT INTO customers (customer, business, created_at, imported,
  id, name, email, email_key, phone, search_text, balance, lifetime_points)`
const RETURNING_ADDED = `ON CONFLICT DO NOTHING
  RETURNING customer AS key, phone, id, balance, lifetime_points AS "lifetimePoints"`

const INSERT_CUSTOMER = `${INTO_CUSTOMERS}
  VALUES ((
    SELECT coalesce(max(customer), CAST($1 AS BIGINT) * 4294967296) + 1 FROM customers
    WHERE customer BETWEEN CAST($1 AS BIGINT) * 4294967296 + 1 AND (CAST($1 AS BIGINT) + 1) * 4294967296
  ), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ${RETURNING_ADDED}`

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  integer: 'INTEGER',
  countedKey: 'INTEGER PRIMARY KEY',
  tableOptions: ' STRICT',
  keyedTableOptions: ' STRICT, WITHOUT ROWID',
  appendOnly: (table) =>
    ['UPDATE', 'DELETE']
      .map(
        (change) => `
          CREATE TRIGGER ${table}_never_${change.toLowerCase()} BEFORE ${change} ON ${table}
          BEGIN SELECT RAISE(ABORT, '${table} never change'); END;`
      )
      .join(''),
  afterEach: ({ name, change, when = '1 = 1' }, statement) =>
    `CREATE TRIGGER ${name} AFTER ${change} WHEN ${when} BEGIN ${statement}; END;`,
  awaitEach: null,
  // Contentless: the text is in customers.search_text. Deleted rows leave no trace of their text.
  createSearchIndex: `
    CREATE VIRTUAL TABLE customer_search USING fts5
      (search_text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');
    INSERT INTO customer_search (customer_search, rank) VALUES ('secure-delete', 1);`,
  createCustomerNumbers: '',
  // One at a time, and not by a SELECT: one that reads the table to which it adds makes another table first.
  insertCustomers: () => INSERT_CUSTOMER,
  addToSearchIndex: `
    INSERT INTO customer_search (rowid, search_text)
    SELECT customer, search_text FROM customers WHERE customer BETWEEN $1 AND $2`,
  removeFromSearchIndex: 'DELETE FROM customer_search WHERE rowid = $1',
  searchCustomers: (columns, terms, { keys, limit, offset, isScan = false }) =>
    !isScan
      ? {
          sql: `SELECT ${columns} FROM customers WHERE customer IN (
                  SELECT rowid FROM customer_search WHERE customer_search MATCH $1 AND rowid BETWEEN $2 AND $3
                  ORDER BY rowid LIMIT $4 OFFSET $5
                ) ORDER BY customer`,
          values: [ftsQuery(terms), ...keys, limit, offset]
        }
      : {
          sql: `SELECT ${columns} FROM customers WHERE customer BETWEEN $1 AND $2
                AND (${terms.map((_, index) => `instr(search_text, $${index + 5}) > 0`).join(' OR ')})
                ORDER BY customer LIMIT $3 OFFSET $4`,
          values: [...keys, limit, offset, ...terms]
        },
  isScan: (terms, customers) => customers <= MAX_SCANNED_CUSTOMERS || !terms.every(isIndexable),
  together: (statements) => statements,
  rowsPerInsert: 1,
  continueCounting: () => [],
  prepareSchemaVersion: '',
  readSchemaVersion: 'SELECT user_version AS version FROM pragma_user_version',
  setSchemaVersion: (version) => `PRAGMA user_version = ${String(version)}`
}

/** The placeholders of a customer's values, behind three others. */
const eightValues = (index: number): string =>
  `(${Array.from({ length: 8 }, (_, column) => `$${String(8 * index + column + 4)}`).join(', ')})`

/** A known phone takes no number. */
const insertCustomers = memoized(
  (count: string): string => `${INTO_CUSTOMERS}
    SELECT CAST($1 AS BIGINT) * 4294967296 + nextval('customer_numbers'), CAST($1 AS BIGINT), $2, CAST($3 AS BIGINT),
      column1, column2, column3, column4, column5, column6, CAST(column7 AS BIGINT), CAST(column8 AS BIGINT)
    FROM (VALUES ${Array.from({ length: Number(count) }, (_, index) => eightValues(index)).join(', ')}) AS added
    WHERE NOT EXISTS (SELECT 1 FROM customers WHERE business = CAST($1 AS BIGINT) AND phone = column5)
    ${RETURNING_ADDED}`
)

/** A LIKE pattern for a substring, taken literally. */
const likePattern = (term: string): string => `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Data-modifying statements in WITH: all run, and each sees the data as they were before (PostgreSQL 15, 7.8.4). */
const inOneStatement = (statements: readonly Statement[]): Statement => ({
  sql: joined(...statements.map(({ sql }) => sql)),
  values: statements.flatMap(({ values }) => values)
})

/** The text of that statement, in which each text's parameters follow those of the text before. */
const joined = memoized((...statements: readonly string[]): string => {
  let before = 0
  const texts = statements.map((sql) => {
    let count = 0
    const text = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
      count = Math.max(count, Number(number))
      return `$${String(before + Number(number))}`
    })
    before += count
    return text
  })
  const parts = texts.map((text, index) => ({ name: `part${String(index)}`, text }))
  const returning = parts.filter(({ text }) => text.includes(' RETURNING '))
  return `WITH ${parts.map(({ name, text }) => `${name} AS (${text})`).join(', ')}
    ${returning.map(({ name }) => `SELECT * FROM ${name}`).join(' UNION ALL ')}`
})

/** Any number that no other lock of two numbers has. */
const COUNTED_LOCK = 74_015

export const postgresDialect: Dialect = {
  name: 'postgres',
  integer: 'BIGINT',
  countedKey: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
  tableOptions: '',
  keyedTableOptions: '',
  appendOnly: (table) => `
    CREATE FUNCTION ${table}_never_change() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION '${table} never change'; END $$;
    CREATE TRIGGER ${table}_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION ${table}_never_change();`,
  // A lock for the business: what counts rows waits for those that are not committed, and they do not wait for each other.
  afterEach: ({ name, change, when = '1 = 1' }, statement) => `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_advisory_xact_lock_shared(${COUNTED_LOCK}, NEW.business::int);
      ${statement};
      RETURN NULL; END $$;
    CREATE TRIGGER ${name} AFTER ${change} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}();`,
  awaitEach: `SELECT pg_advisory_xact_lock(${COUNTED_LOCK}, CAST($1 AS BIGINT)::int)`,
  // The business is part of the index: without it a search would filter the matches of every business.
  createSearchIndex: `
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX customer_search ON customers USING gin (business, search_text gin_trgm_ops);`,
  // Of all businesses: a number of a transaction that was rolled back is not given again.
  createCustomerNumbers: 'CREATE SEQUENCE customer_numbers;',
  insertCustomers: (count) => insertCustomers(String(count)),
  addToSearchIndex: null,
  removeFromSearchIndex: null,
  // A prepared LIKE uses the trigram index for a short term, too, and reads all of it: a second with a million customers.
  searchCustomers: (columns, terms, { business, keys, limit, offset }) => {
    const isIndexed = terms.every(isIndexable)
    const matches = (value: string): string =>
      isIndexed ? `search_text LIKE ${value}` : `strpos(search_text, ${value}) > 0`
    return {
      sql: `SELECT ${columns} FROM customers WHERE business = $1 AND customer BETWEEN $2 AND $3
            AND (${terms.map((_, index) => matches(`$${index + 6}`)).join(' OR ')})
            ORDER BY customer LIMIT $4 OFFSET $5`,
      values: [business, ...keys, limit, offset, ...(isIndexed ? terms.map(likePattern) : terms)]
    }
  },
  isScan: () => false,
  together: (statements) => [inOneStatement(statements)],
  rowsPerInsert: 200,
  continueCounting: (table, [column, ...others]) => {
    if (table === 'customers') {
      return [`SELECT setval('customer_numbers', max(customer % 4294967296)) FROM customers`]
    }
    return column === undefined || others.length > 0
      ? []
      : [
          `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), max(${column}::text::bigint))
           FROM ${table} WHERE pg_get_serial_sequence('${table}', '${column}') IS NOT NULL`
        ]
  },
  prepareSchemaVersion: 'CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)',
  readSchemaVersion: 'SELECT coalesce(max(version), 0) AS version FROM schema_version',
  setSchemaVersion: (version) =>
    `DELETE FROM schema_version; INSERT INTO schema_version VALUES (${String(version)})`
}
