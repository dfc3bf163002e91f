/** The logos of the store. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { Logo } from '../domain/logos.ts'
import type { Queries } from './database.ts'

const logoRow = v.object({ data: v.string() })

export class LogoStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Replaces the logo of a business; null removes it. In a transaction of the caller. */
  async set(business: BusinessKey, logo: Logo | null): Promise<void> {
    if (logo !== null) {
      await this.#queries.write(
        'INSERT INTO logos (name, data) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
        [logo.name, Buffer.from(logo.bytes).toString('base64')]
      )
    }
    await this.#queries.write('UPDATE businesses SET logo = $2 WHERE business = $1', [
      business,
      logo?.name ?? null
    ])
    await this.#queries.write(
      'DELETE FROM logos WHERE NOT EXISTS (SELECT 1 FROM businesses WHERE businesses.logo = logos.name)'
    )
  }

  /** Returns the image of a name, or null. */
  async find(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const [row] = await this.#queries.read('SELECT data FROM logos WHERE name = $1', [name])
    return row === undefined ? null : Uint8Array.from(Buffer.from(v.parse(logoRow, row).data, 'base64'))
  }
}
