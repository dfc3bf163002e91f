/** The address by which customers reach the service, which the codes of slips begin with. It moves with the data. */
import * as v from 'valibot'
import type { Queries } from './database.ts'

const NAME = 'public-url'

const settingRow = v.object({ value: v.string() })

export class PublicAddress {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Returns the origin that was kept last; null if there is none. */
  async read(): Promise<string | null> {
    const [row] = await this.#queries.read('SELECT value FROM settings WHERE name = $1', [NAME])
    return row === undefined ? null : v.parse(settingRow, row).value
  }

  /** Keeps an origin, in place of another. */
  async keep(origin: string): Promise<void> {
    if ((await this.read()) === origin) return
    await this.#queries.write(
      'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [NAME, origin]
    )
  }
}
