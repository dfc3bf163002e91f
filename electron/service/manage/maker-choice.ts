/** By whom a list is narrowed: a till and a cashier, as fields of its form and as parameters of addresses. */
import { html } from 'hono/html'
import type { Html } from '../html/document.ts'
import { selectField } from '../html/fields.ts'
import { CashierStore } from '../store/cashiers.ts'
import type { CodeMaker } from '../store/codes.ts'
import type { Database } from '../store/database.ts'
import { TillStore } from '../store/tills.ts'
import type { ManageLocale } from './manage-locale.ts'
import type { ManageVisit } from './manage-router.ts'

type Option = readonly [value: string, text: string]

export class MakerChoice {
  readonly #m: ManageLocale['m']
  readonly #tills: readonly Option[]
  readonly #cashiers: readonly Option[]
  /** what the address asks for; anything else than an own till or cashier is none */
  readonly chosen: CodeMaker

  private constructor(
    { locale, c }: ManageVisit,
    { tills, cashiers }: Readonly<Record<'tills' | 'cashiers', readonly Option[]>>
  ) {
    const { compare } = new Intl.Collator(locale.tag, { numeric: true })
    const sorted = (options: readonly Option[]): readonly Option[] =>
      options.toSorted(([, one], [, other]) => compare(one, other))
    const asked = (name: string, options: readonly Option[]): string | null =>
      options.find(([value]) => value === c.req.query(name))?.[0] ?? null
    const cashier = asked('cashier', cashiers)
    this.#m = locale.m
    this.#tills = sorted(tills)
    this.#cashiers = sorted(cashiers)
    this.chosen = { till: asked('till', tills), cashier: cashier === null ? null : Number(cashier) }
  }

  /** Reads what there is to choose from. */
  static async of(database: Database, visit: ManageVisit): Promise<MakerChoice> {
    const { key } = visit.business
    const tills = await new TillStore(database).list(key)
    const cashiers = await new CashierStore(database).list(key)
    return new MakerChoice(visit, {
      tills: tills.map(({ id, name, branch }) => [id, branch === null ? name : `${name}, ${branch}`]),
      cashiers: cashiers.map((cashier) => [String(cashier.key), cashier.text])
    })
  }

  get isNarrowed(): boolean {
    return this.chosen.till !== null || this.chosen.cashier !== null
  }

  /** The two choices; without any where there is nothing to choose from. */
  get fields(): Html {
    const m = this.#m
    const choice = (
      name: keyof CodeMaker,
      label: string,
      all: string,
      options: readonly Option[]
    ): Html | '' =>
      options.length === 0
        ? ''
        : selectField({ name, label, value: String(this.chosen[name] ?? '') }, [['', all], ...options])
    return html`${choice('till', m.till(), m.allTills(), this.#tills)}
    ${choice('cashier', m.cashier(), m.allCashiers(), this.#cashiers)}`
  }

  /** The parameters of an address with the same choice, each after an ampersand. */
  get parameters(): string {
    return Object.entries(this.chosen)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `&${name}=${encodeURIComponent(String(value))}`)
      .join('')
  }
}
