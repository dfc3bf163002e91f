/** `/join/{business}`: a customer joins with a number. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { textAround } from '../html/document.ts'
import { SentForm } from '../html/sent-form.ts'
import { CustomerStore } from '../store/customers.ts'
import { TYPED_FORM } from '../html/fields.ts'
import { identityFields, newCustomer, parseIdentity } from './form.ts'
import {
  accountLink,
  accountPath,
  otherBrowser,
  pathWithLanguage,
  respondPage,
  type CustomerPage
} from './page.ts'
import {
  respondNotFound,
  type PagesDependencies,
  type CustomerRequest,
  type CustomerRequests
} from './customer-requests.ts'

/** The outcome of a form, in which the text is the phone as people write it. */
const JOINED = 'joined'

const joinPath = ({ id }: CustomerRequest['business']): string => `/join/${id}`

/** The routes below `/join/`. */
export class JoinPages {
  readonly #dependencies: PagesDependencies
  readonly #requests: CustomerRequests

  constructor(dependencies: PagesDependencies, requests: CustomerRequests) {
    this.#dependencies = dependencies
    this.#requests = requests
  }

  addRoutes(routes: Hono): void {
    routes.get('/join/:business', async (c) => {
      const request = await this.#requests.open(c, c.req.param('business'))
      return request === null ? respondNotFound(c) : respondPage(c, this.#show(request))
    })
    routes.post('/join/:business', (c) =>
      this.#requests.post(c, c.req.path, async () => {
        const request = await this.#requests.open(c, c.req.param('business'))
        return request === null ? respondNotFound(c) : this.#join(c, request)
      })
    )
  }

  #show(request: CustomerRequest): CustomerPage {
    const { business, locale, device, left } = request
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

  async #join(c: Context, request: CustomerRequest): Promise<Response> {
    const { business } = request
    const path = joinPath(business)
    const form = await this.#requests.readForm(c, request, path)
    if (!(form instanceof SentForm)) return form
    const identity = parseIdentity(form, business)
    if ('fault' in identity) return this.#requests.answer(c, request, path, identity.fault, form.texts)
    const { database, now } = this.#dependencies
    const customer = newCustomer(this.#dependencies, identity)
    await database.transaction((queries) =>
      new CustomerStore(queries).join(business.key, customer, now().toISOString())
    )
    await this.#requests.deviceOf(c, request)
    return this.#requests.answer(c, request, path, JOINED, { phone: identity.display })
  }
}
