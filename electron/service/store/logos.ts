/** The logos of the store. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import { ICON_SIZES, type Logo } from '../domain/logos.ts'
import type { Queries } from './database.ts'

const logoRow = v.object({ data: v.string() })
const iconsRow = v.object({ icons: v.string() })

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64'))

export class LogoStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Replaces the logo of a business; null removes it. In a transaction of the caller. */
  async set(business: BusinessKey, logo: Logo | null): Promise<void> {
    if (logo !== null) {
      await this.#queries.write(
        'INSERT INTO logos (name, data, icons) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
        [logo.name, base64(logo.bytes), logo.icons.map(base64).join(',')]
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
    return row === undefined ? null : fromBase64(v.parse(logoRow, row).data)
  }

  /** Returns the icon of a logo, or null. */
  async icon(name: string, size: (typeof ICON_SIZES)[number]): Promise<Uint8Array<ArrayBuffer> | null> {
    const [row] = await this.#queries.read('SELECT icons FROM logos WHERE name = $1', [name])
    if (row === undefined) return null
    const icon = v.parse(iconsRow, row).icons.split(',')[ICON_SIZES.indexOf(size)]
    return icon === undefined ? null : fromBase64(icon)
  }
}
