/** *Customers*: the list, searched as the till searches. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import { pageBody, rowsForPage } from '../api/requests.ts'
import type { StoredCustomer } from '../domain/customers.ts'
import type { Html } from '../html/document.ts'
import { countOf, customerName, numberText, phoneText } from '../html/locale.ts'
import { CustomerStore } from '../store/customers.ts'
import type { ManageRouter, ManageVisit } from './manage-router.ts'
import { hiddenFields, textField, TYPED_FORM } from '../html/fields.ts'
import type { ManagePage } from './manage-layout.ts'

const PAGE_SIZE = 30

/** The page of a list that an address names; 1 without a number that can be one. */
export const pageNumberOf = (c: Context): number => {
  const number = Number(c.req.query('page'))
  return Number.isSafeInteger(number) && number > 1 && number < 1_000_000 ? number : 1
}

/** A customer in a list: the name and the phone; without a name, the phone alone. */
export const customerLines = (customer: Pick<StoredCustomer, 'name' | 'phone'>): Html =>
  html`<bdi>${customerName(customer)}</bdi>${
      customer.name === ''
        ? ''
        : html`<span class="below"><bdi dir="ltr">${phoneText(customer.phone)}</bdi></span>`
    }`

/** The route of the list. */
export class CustomerListPage {
  readonly #router: ManageRouter

  constructor(router: ManageRouter) {
    this.#router = router
  }

  addRoutes(): void {
    this.#router.page('/customers', 'staff', (visit) => this.#show(visit))
  }

  async #show({ business, locale, path, c }: ManageVisit): Promise<ManagePage> {
    const { m } = locale
    const text = (c.req.query('name') ?? '').slice(0, 200)
    // For a merge: who is chosen is joined to this customer.
    const into = c.req.query('into') ?? ''
    const pageNumber = pageNumberOf(c)
    const page = { pageNumber, pageSize: PAGE_SIZE }
    const found = await new CustomerStore(this.#router.dependencies.database).search(
      business.key,
      text,
      rowsForPage(page)
    )
    const { data: all, hasMore } = pageBody(page, found)
    const data = all.filter(({ id }) => id !== into)
    const at = (to: number): string =>
      path(
        `/customers?${new URLSearchParams({ name: text, ...(into === '' ? {} : { into }), page: String(to) }).toString()}`
      )
    const nobody = text === '' ? m.noCustomers() : m.noCustomerWith({ text })
    const rows: Html =
      data.length === 0
        ? html`<p>${into === '' ? nobody : m.noOtherCustomer()}</p>`
        : html`<ul class="rows">
            ${data.map(
              ({ id, balance, ...customer }) =>
                html`<li>
                  <a
                    class="whole"
                    href="${into === '' ? path(`/customers/${id}`) : path(`/customers/${into}/merge?with=${id}`)}"
                    >${customerLines(customer)}</a
                  >
                  <span class="number">${m.points(countOf(balance, locale))}</span>
                </li>`
            )}
          </ul>`
    return {
      section: 'customers',
      title: into === '' ? m.customers() : m.chooseMerged(),
      hasForm: true,
      ...(into === '' ? {} : { back: { path: path(`/customers/${into}`), text: m.backToCustomer() } }),
      body: html`<form
          method="get"
          action="${path('/customers')}"
          class="line"
          role="search"
          id="${TYPED_FORM}"
        >
          ${into === '' ? '' : hiddenFields({ into })}
          ${textField({ name: 'name', label: m.searchCustomers(), value: text, kind: 'search', isOptional: true })}
          <button>${m.find()}</button>
        </form>
        ${text === '' && into === '' && data.length > 0 ? html`<p class="muted">${m.customerCount({ ...countOf(business.customers, locale), number: numberText(business.customers, locale) })}</p>` : ''}
        ${rows}
        <p class="buttons">
          ${pageNumber > 1 ? html`<a class="button quiet" href="${at(pageNumber - 1)}">${m.pageBefore()}</a>` : ''}
          ${hasMore ? html`<a class="button quiet" href="${at(pageNumber + 1)}">${m.pageAfter()}</a>` : ''}
        </p>`
    }
  }
}
