/** The search of customers, of a small business and of a large one: SQLite reads the small one without its index. */
import { expect, it } from 'vitest'
import { customerSearchText, searchTerms } from '../../../../electron/service/domain/search-text.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import type { Queries } from '../../../../electron/service/store/database.ts'
import { openShop, Shop } from './shop.ts'

const NAMES = [
  ...['Zoé Ünal', 'Άννα Παπά', 'Анна Иванова', 'علي حسن'],
  ...['अन्ना शर्मा', '安娜王', 'O\'Neil "100%" _\\']
]
/** Three characters or more can use an index, fewer cannot. */
const SEARCHES = [
  ...['zoe', 'ΠΑΠΑ', 'иванова', 'علي', 'अन्ना', '安娜王', '100%', 'neil "', '" _\\'],
  ...['zo', 'άν', 'ан', 'عل', '安娜', 'å', '%', '_', '"', '\\'],
  ...['+30694', '0013', '694 000', '69', '7', 'example.com', 'zoe*', 'zoe OR anna', 'cus_']
]
const PAGE = 4

/** The statements of a database whose businesses are taken to have so many customers. */
const takenToHave = (customers: number, { database }: Shop): Queries => ({
  dialect: { ...database.dialect, isScan: (terms) => database.dialect.isScan(terms, customers) },
  read: (sql, values) => database.read(sql, values),
  write: (sql, values) => database.write(sql, values)
})

/** Registers customers, one of them erased and one merged into another, and returns those that can be found. */
const fill = async (shop: Shop) => {
  const registered: { id: string; name: string; phone: string; email: string }[] = []
  for (let number = 0; number < 5 * NAMES.length; number += 1) {
    const name = `${NAMES[number % NAMES.length] ?? ''} ${String(number)}`
    const phone = `+3069400000${String(number).padStart(2, '0')}`
    const id = await shop.register(phone, name)
    registered.push({ id, name, phone, email: `${id}@example.com` })
  }
  const [erased, merged, kept, ...others] = registered
  if (erased === undefined || merged === undefined || kept === undefined) throw new Error('Too few names')
  await shop.identities.erase(shop.business, erased.id)
  await shop.identities.merge(shop.business, kept.id, merged.id)
  return [{ ...kept, also: merged }, ...others]
}

it.each([0, Infinity])(
  'finds all customers with a text in their order, of %d in the business',
  async (size) => {
    const neighbour = await openShop()
    const shop = await Shop.addTo(neighbour.database)
    await fill(neighbour)
    const listed = await fill(shop)
    const customers = new CustomerStore(takenToHave(size, shop))
    for (const text of SEARCHES) {
      const found: string[] = []
      for (let offset = 0; offset % PAGE === 0 && offset === found.length; offset += PAGE) {
        const page = await customers.search(shop.business, text, { limit: PAGE, offset })
        found.push(...page.map(({ id }) => id))
      }
      const matches = listed.filter((customer) => {
        const texts = ['also' in customer ? customer.also : customer, customer].map(customerSearchText)
        return searchTerms(text, '').some((term) => texts.some((each) => each.includes(term)))
      })
      expect({ text, found }).toEqual({ text, found: matches.map(({ id }) => id) })
    }
  }
)
