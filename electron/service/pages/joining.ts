/** `/join/{business}`: a customer joins with a number. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { textAround } from '../html/document.ts'
import { SentForm } from '../html/sent-form.ts'
import { CustomerStore } from '../store/customers.ts'
import { newCustomer } from './collecting.ts'
import { TYPED_FORM } from '../html/fields.ts'
import { identityFields, parseIdentity } from './form.ts'
import {
  accountLink,
  accountPath,
  otherBrowser,
  pathWithLanguage,
  respondPage,
  type CustomerPage
} from './page.ts'
import { respondNotFound, type PagesDependencies, type Visit, type Visits } from './visits.ts'

/** The outcome of a form, in which the text is the phone as people write it. */
const JOINED = 'joined'

const joinPath = ({ id }: Visit['business']): string => `/join/${id}`

/** The routes below `/join/`. */
export class JoinPages {
  readonly #dependencies: PagesDependencies
  readonly #visits: Visits

  constructor(dependencies: PagesDependencies, visits: Visits) {
    this.#dependencies = dependencies
    this.#visits = visits
  }

  addRoutes(routes: Hono): void {
    routes.get('/join/:business', async (c) => {
      const visit = await this.#visits.open(c, c.req.param('business'))
      return visit === null ? respondNotFound(c) : respondPage(c, this.#show(visit))
    })
    routes.post('/join/:business', (c) =>
      this.#visits.post(c, c.req.path, async () => {
        const visit = await this.#visits.open(c, c.req.param('business'))
        return visit === null ? respondNotFound(c) : this.#join(c, visit)
      })
    )
  }

  #show(visit: Visit): CustomerPage {
    const { business, locale, device, left } = visit
    const { m } = locale
    if (left?.outcome === JOINED) {
      const { phone = '' } = left.texts
      const address = this.#dependencies.publicUrl + accountPath(business)
      return {
        business,
        locale,
        title: m.joinedTitle(),
        isDone: true,
        body: html`<p>${textAround(m.joinedText({ phone }), phone)}</p>
          ${device === null ? otherBrowser(m.notRemembered(), address) : accountLink(business, locale)}`
      }
    }
    return {
      business,
      locale,
      title: m.joinTitle(),
      form: TYPED_FORM,
      body: html`<p>${m.joinText()}</p>
        <form method="post" action="${pathWithLanguage(joinPath(business), locale)}" id="${TYPED_FORM}">
          ${identityFields(left, business, locale)}
          <button>${m.join()}</button>
        </form>`
    }
  }

  async #join(c: Context, visit: Visit): Promise<Response> {
    const { business } = visit
    const path = joinPath(business)
    const form = await this.#visits.readForm(c, visit, path)
    if (!(form instanceof SentForm)) return form
    const identity = parseIdentity(form, business)
    if ('fault' in identity) return this.#visits.answer(c, visit, path, identity.fault, form.texts)
    const { database, now } = this.#dependencies
    const customer = newCustomer(this.#dependencies, identity)
    await database.transaction((queries) =>
      new CustomerStore(queries).join(business.key, customer, now().toISOString())
    )
    await this.#visits.deviceOf(c, visit)
    return this.#visits.answer(c, visit, path, JOINED, { phone: identity.display })
  }
}
