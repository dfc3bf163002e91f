/** What customers type: their number and their name. */
import { html, raw } from 'hono/html'
import { getExampleNumber, isSupportedCountry } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { parsePhone } from '../../contract/phone.ts'
import { isolateName } from '../../contract/text.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { StoredCustomer } from '../domain/customers.ts'
import { parseName } from '../domain/names.ts'
import { Refusal } from '../domain/refusal.ts'
import { textAround, type Html } from '../html/document.ts'
import { countryCode } from '../html/locale.ts'
import type { FoundForm } from '../html/kept-forms.ts'
import type { SentForm } from '../html/sent-form.ts'
import type { CustomerLocale } from './customer-locale.ts'

/** What was typed, and what is wrong with it. */
export interface TypedIdentity {
  readonly phone: string
  readonly name: string
  readonly fault: 'phone' | 'name' | null
}

/** Who a customer says to be. */
export interface Identity {
  /** E.164 */
  readonly phone: string
  /** as people write it */
  readonly display: string
  /** the phone, where no name is given */
  readonly name: string
}

/** A mobile number of the shop's country as it is written abroad, for the sentence about a wrong one. */
const exampleOf = (business: StoredBusiness): string => {
  const country = countryCode(business)
  const example =
    country !== null && isSupportedCountry(country) ? getExampleNumber(country, examples) : undefined
  return example?.formatInternational() ?? '+30 690 000 0000'
}

/** What was typed before this page, and what is wrong with it. Empty at first: a country code is typed again. */
export const typedIdentity = (left: FoundForm | null): TypedIdentity => ({
  phone: left?.texts['phone'] ?? '',
  name: left?.texts['name'] ?? '',
  fault: left?.outcome === 'phone' || left?.outcome === 'name' ? left.outcome : null
})

/** A customer as a page that others may see names one: initials, and the end of the number. */
export const maskedCustomer = ({ name, phone }: Pick<StoredCustomer, 'name' | 'phone'>): string => {
  const letters = (name.match(/(?<![\p{L}\p{M}])\p{L}/gu) ?? []).slice(0, 2).map((letter) => `${letter}.`)
  return isolateName([...letters, `…${phone.slice(-3)}`].join(' '))
}

/** The fields for number and name. */
export const identityFields = (
  { phone, name, fault }: TypedIdentity,
  business: StoredBusiness,
  { m }: CustomerLocale
): Html => {
  const invalid = (field: TypedIdentity['fault']) =>
    fault === field ? raw(' aria-invalid="true" autofocus') : ''
  const example = exampleOf(business)
  return html`<div class="field">
      <label for="phone">${m.phone()}</label>
      <input
        id="phone"
        name="phone"
        type="tel"
        autocomplete="tel"
        dir="ltr"
        required
        maxlength="60"
        value="${phone}"
        aria-describedby="phone-hint"
        ${invalid('phone')}
      />
      <p class="${fault === 'phone' ? 'fault' : 'muted'}" id="phone-hint">
        ${fault === 'phone' ? textAround(m.phoneMalformed({ example }), example) : m.phoneHint()}
      </p>
    </div>
    <div class="field">
      <label for="name">${m.name()}</label>
      <input
        id="name"
        name="name"
        autocomplete="name"
        dir="auto"
        maxlength="200"
        value="${name}"
        ${fault === 'name' ? raw('aria-describedby="name-fault"') : ''}
        ${invalid('name')}
      />
      ${fault === 'name' ? html`<p class="fault" id="name-fault">${m.nameMalformed()}</p>` : ''}
    </div>`
}

/** Returns who the customer says to be, or which field is wrong. */
export const parseIdentity = (
  form: SentForm,
  business: StoredBusiness
): Identity | { readonly fault: 'phone' | 'name' } => {
  const typed = { phone: form.text('phone'), name: form.text('name') }
  const phone = parsePhone(typed.phone, countryCode(business) ?? '')
  if (phone === null) return { fault: 'phone' }
  try {
    const name = typed.name.trim() === '' ? phone.display : parseName(typed.name)
    return { phone: phone.e164, display: phone.display, name }
  } catch (error) {
    if (error instanceof Refusal) return { fault: 'name' }
    throw error
  }
}
