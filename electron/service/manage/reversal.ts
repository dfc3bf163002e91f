/** `/customers/{id}/reverse`: takes an entry of a customer back. */
import { html } from 'hono/html'
import { requestField, textField, TYPED_FORM } from '../html/fields.ts'
import { customerName, dateTimeText, signedText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import type { CustomerExport } from '../store/identities.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { EntryWords } from './entry-words.ts'
import type { ManagePage } from './manage-layout.ts'

/** The routes of the page and its form. */
export class ReversalPage {
  readonly #router: ManageRouter

  constructor(router: ManageRouter) {
    this.#router = router
  }

  addRoutes(): void {
    this.#router.customerPage('/reverse', (visit, kept) => this.#show(visit, kept))
    this.#router.form('/customers/:customer/reverse', 'staff', {
      submit: (visit, sent) => this.#reverse(visit, sent),
      parameters: ['entry']
    })
  }

  async #show(
    { business, locale, path, c, typed }: ManageVisit,
    { customer, entries }: CustomerExport
  ): Promise<ManagePage | null> {
    const { m } = locale
    const entry = entries.find(({ id }) => id === c.req.query('entry'))
    if (entry === undefined) return null
    const words = new EntryWords(locale, await this.#router.rewards.all(business.key), new Map())
    const at = path(`/customers/${customer.id}`)
    return {
      section: 'customers',
      title: m.reverseTitle(),
      hasForm: true,
      back: { path: at, text: customerName(customer) },
      body: html`<ul class="rows">
          <li>
            <span>${words.what(entry)}<span class="below">${dateTimeText(entry.at, locale)}</span></span>
            <span class="number">${signedText(entry.points, locale)}</span>
          </li>
        </ul>
        <form method="post" action="${at}/reverse" class="confirm" id="${TYPED_FORM}">
          ${requestField(this.#router.dependencies, typed)}<input
            type="hidden"
            name="entry"
            value="${entry.id}"
          />
          <p>${m.reverseText()}</p>
          ${textField({ name: 'reason', label: m.reason(), isOptional: true, hint: m.reasonHint() }, typed)}
          <p class="buttons">
            <a class="button" href="${at}">${m.keepEntry()}</a>
            <button class="danger">${m.reverse()}</button>
          </p>
        </form>`
    }
  }

  async #reverse({ business, c, by }: ManageVisit, sent: SentForm): Promise<FormAnswer> {
    const customer = c.req.param('customer') ?? ''
    const reason = sent.text('reason').trim()
    await this.#router.ledger.reverse({
      ...{ business: business.key, customer, by, request: sent.text('request'), entry: sent.text('entry') },
      reason: reason === '' ? null : reason
    })
    return { to: `/customers/${customer}`, done: 'entry-reversed' }
  }
}
