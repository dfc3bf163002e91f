/** Customers: list, search, add, by id (interface document, 4.1 to 4.4). */
import * as v from 'valibot'
import { answer } from '../answer.ts'
import { readJson } from '../body.ts'
import { Refusal } from '../errors.ts'
import { newIdentifier } from '../identifiers.ts'
import { pageBody, pageRequestOf, rowsToRead, type PageRequest } from '../paging.ts'
import type { App, Parts } from '../service.ts'
import type { CustomerKey, StoredCustomer } from '../store/customers.ts'

/** Characters that a name may have. The document shows no limit. */
const longestName = 200
/** Characters that a search may have. The document shows no limit. */
const longestSearch = 500

/** Spaces and marks that people write inside a phone number; the number is kept without them. */
const phonePunctuation = /[\s.\-\u2010-\u2015]/g
/** E.164: a plus sign, a country code that never starts with 0, at most 15 digits in all. */
const internationalPhone = /^\+[1-9]\d{6,14}$/

const barePhone = (text: string): string => text.normalize('NFKC').replaceAll(phonePunctuation, '')

/** Issues are message keys; see `readJson`. */
const newCustomer = v.object(
  {
    name: v.pipe(
      v.string('name-missing'),
      v.trim(),
      v.nonEmpty('name-missing'),
      v.check((name) => Array.from(name).length <= longestName, 'name-too-long'),
      v.check((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'name-malformed')
    ),
    phone: v.pipe(
      v.string('phone-missing'),
      v.nonEmpty('phone-missing'),
      v.transform(barePhone),
      v.regex(internationalPhone, 'phone-malformed')
    ),
    email: v.optional(
      v.nullable(
        v.pipe(
          v.string('email-malformed'),
          v.trim(),
          v.maxLength(254, 'email-malformed'),
          v.regex(/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u, 'email-malformed')
        )
      ),
      null
    )
  },
  // An absent field is an issue of the object and not of the field.
  (issue) =>
    issue.path?.[0]?.key === 'phone'
      ? 'phone-missing'
      : issue.path?.[0]?.key === 'name'
        ? 'name-missing'
        : 'body-not-object'
)

const keyOf = (type: string | undefined): CustomerKey => {
  if (type === undefined) return 'id'
  if (type === 'id' || type === 'phone' || type === 'email') return type
  throw new Refusal(400, 'type-unknown')
}

const valueFor = { id: (text: string) => text, phone: barePhone, email: (text: string) => text.trim() }

/** Adds the routes to `app`. */
export const customerRoutes = (app: App, { customers, links, random }: Parts): void => {
  const withAvatar = (customer: StoredCustomer) => ({ ...customer, avatar: links.avatar(customer.id) })
  const customerPage = (page: PageRequest, rows: readonly StoredCustomer[]) => {
    const body = pageBody(page, rows.map(withAvatar))
    return { ...body, noCustomers: body.data.length }
  }

  app.get('/customers', (c) => {
    const page = pageRequestOf((name) => c.req.query(name))
    const rows = customers.list(c.get('business'), rowsToRead(page))
    return answer(c, customerPage(page, rows))
  })

  app.get('/customers/', (c) => {
    const page = pageRequestOf((name) => c.req.query(name))
    const text = c.req.query('name') ?? ''
    if (text.length > longestSearch) throw new Refusal(400, 'search-too-long', { most: longestSearch })
    const rows = customers.search(c.get('business'), text, rowsToRead(page))
    return answer(c, customerPage(page, rows))
  })

  app.post('/customers', async (c) => {
    const { name, phone, email } = await readJson(c.req.raw, newCustomer, { most: longestName })
    const id = newIdentifier('cus', random)
    const customer: StoredCustomer = { id, name, phone, email, balance: 0, lifetimePoints: 0 }
    if (!customers.add(c.get('business'), customer)) throw new Refusal(406, 'customer-exists')
    return answer(c, customer)
  })

  app.get('/customers/:id', (c) => {
    const key = keyOf(c.req.query('type'))
    const customer = customers.find(c.get('business'), key, valueFor[key](c.req.param('id')))
    if (customer === null) throw new Refusal(404, 'customer-unknown')
    return answer(c, withAvatar(customer))
  })
}
