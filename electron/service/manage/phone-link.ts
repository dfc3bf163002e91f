/** `/customers/{id}/link`: the six digits that a customer's phone shows, which link it. */
import { html } from 'hono/html'
import { textField, TYPED_FORM } from '../html/fields.ts'
import { customerName } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { DeviceStore } from '../store/devices.ts'
import type { CustomerExport } from '../store/identities.ts'
import type { ManagePage } from './manage-layout.ts'
import type { FormAnswer, ManageRouter, ManageVisit } from './manage-router.ts'

/** The routes of the page and its form. */
export class PhoneLinkPage {
  readonly #router: ManageRouter
  readonly #devices: DeviceStore

  constructor(router: ManageRouter) {
    this.#router = router
    this.#devices = new DeviceStore(router.dependencies)
  }

  addRoutes(): void {
    this.#router.customerPage('/link', (visit, kept) => Promise.resolve(this.#show(visit, kept)))
    this.#router.form('/customers/:customer/link', 'staff', {
      submit: (visit, sent) => this.#link(visit, sent)
    })
  }

  #show({ locale, path, typed }: ManageVisit, { customer }: CustomerExport): ManagePage {
    const { m } = locale
    const at = path(`/customers/${customer.id}`)
    return {
      section: 'customers',
      title: m.linkPhone(),
      hasForm: true,
      back: { path: at, text: customerName(customer) },
      body: html`<p>${m.linkPhoneText()}</p>
        <form method="post" action="${at}/link" class="narrow" id="${TYPED_FORM}">
          ${textField({ name: 'digits', label: m.digits(), kind: 'digits', maxLength: 20, hasFocus: true }, typed)}
          <p class="buttons">
            <a class="button quiet" href="${at}">${m.cancel()}</a>
            <button>${m.linkPhone()}</button>
          </p>
        </form>`
    }
  }

  async #link({ business, c }: ManageVisit, sent: SentForm): Promise<FormAnswer> {
    const customer = c.req.param('customer') ?? ''
    await this.#devices.link(business.key, customer, sent.text('digits'))
    return { to: `/customers/${customer}`, done: 'device-linked' }
  }
}
