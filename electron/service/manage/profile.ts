/** *Shop*: what the shop says of itself, its logo, and the rules of its codes. */
import { html } from 'hono/html'
import { logoPath } from '../api/public.ts'
import {
  CODE_VALIDITY_DAYS,
  COLLECT_PAUSE_MINUTES,
  CREDIT_LIMIT,
  REVERSAL_MINUTES,
  type StoredBusiness
} from '../domain/businesses.ts'
import { MAX_LOGO_BYTES, parseLogo, type Logo } from '../domain/logos.ts'
import { parseName } from '../domain/names.ts'
import { numberText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { BusinessStore } from '../store/businesses.ts'
import { LogoStore } from '../store/logos.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { buttonForm, textField, fileField, TYPED_FORM } from '../html/fields.ts'
import type { ManagePage } from './manage-layout.ts'
import { numberIn } from './number-in.ts'
import { parsePlaceOf, placeField } from './place-field.ts'

const ADDRESS_LENGTH = 200

/** The shop as the form says. Throws a `Refusal` for a name that cannot be one, and without a country. */
const changed = (business: StoredBusiness, form: SentForm): StoredBusiness => {
  const { country, timeZone } = parsePlaceOf(form)
  const text = (field: string): string => form.text(field).trim().slice(0, ADDRESS_LENGTH)
  return {
    ...business,
    name: parseName(form.text('name')),
    timeZone,
    codeValidityDays: numberIn(form, 'codeDays', CODE_VALIDITY_DAYS),
    collectPauseMinutes: numberIn(form, 'collectPause', COLLECT_PAUSE_MINUTES),
    reversalMinutes: numberIn(form, 'reversal', REVERSAL_MINUTES),
    creditLimit: numberIn(form, 'creditLimit', CREDIT_LIMIT) || null,
    creditApprovalLimit: numberIn(form, 'creditApprovalLimit', CREDIT_LIMIT) || null,
    address: {
      street: text('street'),
      city: text('city'),
      state: text('state'),
      zipCode: text('zipCode'),
      country
    }
  }
}

/** The routes of *Shop*. */
export class ProfilePages {
  readonly #router: ManageRouter

  constructor(router: ManageRouter) {
    this.#router = router
  }

  addRoutes(): void {
    const router = this.#router
    router.page('/profile', 'owner', (visit) => Promise.resolve(this.#show(visit)))
    router.form('/profile', 'owner', { submit: (visit, form) => this.#save(visit, form) })
    router.form('/profile/logo', 'owner', {
      submit: (visit, form) => this.#setLogo(visit, form),
      page: '/profile',
      // The file, and what the form has beside it.
      maxBytes: MAX_LOGO_BYTES + 64 * 1024
    })
    router.form('/profile/logo/remove', 'owner', {
      submit: (visit) => this.#removeLogo(visit),
      page: '/profile'
    })
  }

  #show({ business, locale, path, typed }: ManageVisit): ManagePage {
    const { m } = locale
    const {
      name,
      timeZone,
      codeValidityDays,
      collectPauseMinutes,
      reversalMinutes,
      creditLimit,
      creditApprovalLimit,
      address,
      logo
    } = business
    const field = (key: 'street' | 'zipCode' | 'city' | 'state', label: string) =>
      textField({ name: key, label, value: address[key], isOptional: true }, typed)
    const limitField = (name: string, limit: number | null, label: string, hint: string) =>
      textField(
        {
          name,
          label,
          value: limit === null ? '' : String(limit),
          kind: 'number',
          range: CREDIT_LIMIT,
          isOptional: true,
          hint
        },
        typed
      )
    return {
      section: 'profile',
      title: m.profile(),
      hasForm: true,
      body: html`<form method="post" action="${path('/profile')}" class="narrow" id="${TYPED_FORM}">
          ${textField({ name: 'name', label: m.shopName(), value: name }, typed)}
          ${field('street', m.street())} ${field('zipCode', m.zipCode())} ${field('city', m.city())}
          ${field('state', m.state())} ${placeField(locale, { country: address.country, timeZone }, typed)}
          ${textField({ name: 'codeDays', label: m.codeDays(), value: String(codeValidityDays), kind: 'number', range: CODE_VALIDITY_DAYS, hint: m.codeDaysHint() }, typed)}
          ${textField({ name: 'collectPause', label: m.collectPause(), value: String(collectPauseMinutes), kind: 'number', range: COLLECT_PAUSE_MINUTES, hint: m.collectPauseHint() }, typed)}
          ${textField({ name: 'reversal', label: m.reversalMinutes(), value: String(reversalMinutes), kind: 'number', range: REVERSAL_MINUTES, hint: m.reversalMinutesHint() }, typed)}
          ${limitField('creditApprovalLimit', creditApprovalLimit, m.creditApprovalLimit(), m.creditApprovalLimitHint())}
          ${limitField('creditLimit', creditLimit, m.creditLimit(), m.creditLimitHint())}
          <button>${m.save()}</button>
        </form>
        <h2>${m.logo()}</h2>
        ${logo === null ? html`<p>${m.noLogo()}</p>` : html`<p><img class="logo" src="${logoPath(logo)}" alt="${m.logoNow()}" /></p>`}
        <form method="post" action="${path('/profile/logo')}" enctype="multipart/form-data" class="narrow">
          ${fileField({ name: 'logo', label: m.newLogo(), hint: m.logoHint({ kilobytes: numberText(MAX_LOGO_BYTES / 1024, locale) }), accept: 'image/png,image/jpeg' }, typed)}
          <p class="buttons"><button>${m.setLogo()}</button></p>
        </form>
        ${logo === null ? '' : buttonForm(path('/profile/logo/remove'), m.removeLogo())}`
    }
  }

  async #save({ business }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    await new BusinessStore(this.#router.dependencies.database).update(changed(business, form))
    return { to: '/profile', done: 'saved' }
  }

  async #setLogo(visit: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const file = form.file('logo')
    const logo = await parseLogo(
      new Uint8Array(file === null ? new ArrayBuffer(0) : await file.arrayBuffer())
    )
    return this.#replaceLogo(visit, logo)
  }

  #removeLogo(visit: ManageVisit): Promise<FormAnswer> {
    return this.#replaceLogo(visit, null)
  }

  async #replaceLogo({ business }: ManageVisit, logo: Logo | null): Promise<FormAnswer> {
    await this.#router.dependencies.database.transaction((queries) =>
      new LogoStore(queries).set(business.key, logo)
    )
    return { to: '/profile', done: 'saved' }
  }
}
