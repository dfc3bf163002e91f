/** `/customers/{id}/correct`: name, phone and e-mail of a customer. */
import { html } from 'hono/html'
import { parseCorrection, type Correction } from '../domain/customers.ts'
import { customerName, phoneText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import type { CustomerExport } from '../store/identities.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { textField, TYPED_FORM } from '../html/fields.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

/** What was corrected, such as *Corrected: Name, Phone number*. */
export const correctionText = ({ fields }: Correction, { m, tag }: ManageLocale): string => {
  const labels = { name: m.name(), phone: m.phoneNumber(), email: m.email() }
  const list = new Intl.ListFormat(tag, { type: 'unit', style: 'short' })
  return m.entryCorrected({ fields: list.format(fields.map((field) => labels[field])) })
}

/** The routes of the page and its form. */
export class CorrectionPage {
  readonly #router: ManageRouter

  constructor(router: ManageRouter) {
    this.#router = router
  }

  addRoutes(): void {
    this.#router.customerPage('/correct', (visit, kept) => Promise.resolve(this.#show(visit, kept)))
    this.#router.form('/customers/:customer/correct', 'staff', {
      submit: (visit, sent) => this.#correct(visit, sent)
    })
  }

  #show({ locale, path, typed }: ManageVisit, { customer }: CustomerExport): ManagePage {
    const { m } = locale
    const at = path(`/customers/${customer.id}`)
    return {
      section: 'customers',
      title: m.correctTitle(),
      hasForm: true,
      back: { path: at, text: customerName(customer) },
      body: html`<form method="post" action="${at}/correct" class="narrow" id="${TYPED_FORM}">
        ${textField({ name: 'name', label: m.name(), value: customer.name, isOptional: true }, typed)}
        ${textField({ name: 'phone', label: m.phoneNumber(), value: phoneText(customer.phone), kind: 'phone', maxLength: 60 }, typed)}
        ${textField({ name: 'email', label: m.email(), value: customer.email ?? '', kind: 'email', isOptional: true, maxLength: 254 }, typed)}
        <p class="buttons">
          <a class="button quiet" href="${at}">${m.cancel()}</a>
          <button>${m.save()}</button>
        </p>
      </form>`
    }
  }

  async #correct({ business, c, by }: ManageVisit, sent: SentForm): Promise<FormAnswer> {
    const id = c.req.param('customer') ?? ''
    const typed = { name: sent.text('name'), phone: sent.text('phone'), email: sent.text('email') }
    await this.#router.identities.correct(
      business.key,
      { id, ...parseCorrection(typed, business.address.country) },
      by
    )
    return { to: `/customers/${id}`, done: 'customer-corrected' }
  }
}
