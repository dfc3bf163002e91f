/** What customers type: their number and their name. */
import { html } from 'hono/html'
import { getExampleNumber, isSupportedCountry } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { parsePhone } from '../../contract/phone.ts'
import { isolateName } from '../../contract/text.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { CustomerIdentity, StoredCustomer } from '../domain/customers.ts'
import { newOrderedIdentifier, type RandomBytes } from '../domain/identifiers.ts'
import { parseName } from '../domain/names.ts'
import { Refusal } from '../domain/refusal.ts'
import { textAround, type Html } from '../html/document.ts'
import { textField } from '../html/fields.ts'
import { countryCode } from '../html/locale.ts'
import type { FoundForm } from '../html/kept-forms.ts'
import type { SentForm } from '../html/sent-form.ts'
import { TypedForm } from '../html/typed-form.ts'
import type { CustomerLocale } from './customer-locale.ts'

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

/** A customer as a page that others may see names one: initials, and the end of the number. */
export const maskedCustomer = ({ name, phone }: Pick<StoredCustomer, 'name' | 'phone'>): string => {
  const letters = (name.match(/(?<![\p{L}\p{M}])\p{L}/gu) ?? []).slice(0, 2).map((letter) => `${letter}.`)
  return isolateName([...letters, `…${phone.slice(-3)}`].join(' '))
}

/** What was typed before this page, and what is wrong with it. Empty at first: a country code is typed again. */
const typedIdentity = (
  left: FoundForm | null,
  business: StoredBusiness,
  { m }: CustomerLocale
): TypedForm => {
  const { outcome, texts } = left ?? { outcome: '', texts: {} }
  if (outcome === 'phone') {
    const example = exampleOf(business)
    return new TypedForm(texts, { field: outcome, text: textAround(m.phoneMalformed({ example }), example) })
  }
  return new TypedForm(texts, outcome === 'name' ? { field: outcome, text: m.nameMalformed() } : null)
}

/** The fields for number and name. @param left what a form has left for the page */
export const identityFields = (
  left: FoundForm | null,
  business: StoredBusiness,
  locale: CustomerLocale
): Html => {
  const { m } = locale
  const typed = typedIdentity(left, business, locale)
  return html`${textField(
    {
      name: 'phone',
      label: m.phone(),
      hint: m.phoneHint(),
      kind: 'phone',
      autocomplete: 'tel',
      maxLength: 60
    },
    typed
  )}
  ${textField({ name: 'name', label: m.name(), autocomplete: 'name', isOptional: true }, typed)}`
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

/** Who joins with this identity, unless the phone is known. */
export const newCustomer = (
  { now, random }: { readonly now: () => Date; readonly random: RandomBytes },
  { phone, name }: Identity
): CustomerIdentity => ({
  id: newOrderedIdentifier('cus', now(), random),
  name,
  phone,
  email: null
})
