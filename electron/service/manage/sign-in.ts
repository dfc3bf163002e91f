/** Signing in and out, the link by which a password is chosen, and who is signed in. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import { EMPTY_PROFILE, type NewBusiness, type StoredBusiness } from '../domain/businesses.ts'
import { newIdentifier } from '../domain/identifiers.ts'
import { parseName } from '../domain/names.ts'
import { Refusal } from '../domain/refusal.ts'
import {
  hashPassword,
  isPassword,
  isPasswordAccepted,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  staffNameKey,
  type StaffMember
} from '../domain/staff.ts'
import { countOf } from '../html/locale.ts'
import { readForm, type SentForm } from '../html/sent-form.ts'
import { AttemptStore, type AttemptLimit } from '../store/attempts.ts'
import { BusinessStore } from '../store/businesses.ts'
import type { SignInLink } from '../store/staff-members.ts'
import type { Desk, FormAnswer, ManageVisit } from './desk.ts'
import { hiddenFields, textField } from './fields.ts'
import { homePath, managePath, respondManagePage, type Frame, type ManagePage } from './frame.ts'
import { knownBrowser } from './known-browser.ts'
import { manageLocaleOf, type ManageLocale } from './manage-locale.ts'
import { parsePlaceOf, placeField, typedPlace } from './places.ts'
import { refusalSentence } from './sentences.ts'
import { Turns } from './turns.ts'

/** Attempts of strangers to sign in from an address, and as one member from anywhere. */
const OF_ADDRESS: AttemptLimit = { count: 60, minutes: 10 }
const OF_MEMBER: AttemptLimit = { count: 20, minutes: 60 }
/** Attempts of a browser in which the member has signed in before, or is signed in. */
const OF_BROWSER: AttemptLimit = { count: 20, minutes: 60 }

/** The fields of a new password, typed twice because it cannot be seen. */
const newPasswordFields = ({ m }: ManageLocale) =>
  html`${textField({
    name: 'password',
    label: m.newPassword(),
    type: 'password',
    autocomplete: 'new-password',
    maxLength: MAX_PASSWORD_LENGTH,
    hint: m.passwordHint({ min: String(MIN_PASSWORD_LENGTH) })
  })}
  ${textField({
    name: 'repeated',
    label: m.repeatPassword(),
    type: 'password',
    autocomplete: 'new-password',
    maxLength: MAX_PASSWORD_LENGTH
  })}`

/** Returns the new password of a form. Throws a `Refusal` for one that is not accepted or typed differently. */
const newPasswordOf = (form: SentForm): string => {
  const password = form.text('password')
  if (!isPasswordAccepted(password))
    throw new Refusal('password-malformed', 'The password has a wrong length.')
  if (password !== form.text('repeated')) throw new Refusal('passwords-differ', 'The passwords differ.')
  return password
}

const tooManyAttempts = (locale: ManageLocale, minutes: number): string =>
  locale.m.tooManyAttempts(countOf(minutes, locale))

/** The routes of signing in and out. */
export class SignInPages {
  readonly #desk: Desk
  readonly #attempts: AttemptStore
  /** Comparing a password takes a third of a second: strangers keep no member waiting. */
  readonly #turns = { strangers: new Turns(), known: new Turns() }

  constructor(desk: Desk) {
    this.#desk = desk
    const { database, now } = desk.dependencies
    this.#attempts = new AttemptStore(database, now)
  }

  addRoutes(): void {
    const { routes } = this.#desk
    routes.get('/manage', (c) => this.#showStart(c))
    routes.get('/manage/:business/sign-in', (c) => this.#answer(c, (frame) => this.#signInPage(c, frame)))
    routes.post('/manage/:business/sign-in', (c) => this.#signIn(c))
    routes.get('/welcome/:secret', (c) => this.#showWelcome(c))
    routes.post('/welcome/:secret', (c) => this.#welcome(c))
    for (const below of ['', '/sign-out']) {
      this.#desk.page(below, 'staff', ({ c, business, member }) =>
        Promise.resolve(c.redirect(homePath(business, member), 303))
      )
    }
    this.#desk.page('/me', 'staff', (visit) => Promise.resolve(this.#myPage(visit)))
    this.#desk.form('/me', 'staff', {
      submit: (visit, form) => this.#changePassword(visit, form),
      again: (visit) => Promise.resolve(this.#myPage(visit))
    })
    routes.post('/manage/:business/sign-out', (c) => this.#signOut(c))
  }

  async #showStart(c: Context): Promise<Response> {
    const business = await this.#desk.onlyBusiness()
    if (business !== null) return c.redirect(managePath(business), 303)
    const locale = manageLocaleOf(c, null)
    const { m } = locale
    return respondManagePage(
      c,
      { business: null, member: null, locale },
      { title: m.whichShopTitle(), body: html`<p>${m.whichShopText()}</p>`, status: 404 }
    )
  }

  async #answer(
    c: Context,
    page: (frame: Frame & { business: StoredBusiness }) => ManagePage
  ): Promise<Response> {
    const business = await this.#desk.business(c)
    const frame = { business, member: null, locale: manageLocaleOf(c, business), c }
    if (business === null) return this.#desk.respondNotFound(frame)
    return respondManagePage(c, frame, page({ ...frame, business }))
  }

  #signInPage(
    c: Context,
    { business, locale }: Frame & { business: StoredBusiness },
    name = '',
    to = c.req.query('to') ?? ''
  ): ManagePage {
    const { m } = locale
    return {
      title: m.signIn(),
      body: html`<form method="post" action="${managePath(business, '/sign-in')}" class="narrow">
          ${hiddenFields({ to })}
          ${textField({ name: 'name', label: m.yourName(), value: name, autocomplete: 'username', ...(name === '' ? { hasFocus: true } : {}) })}
          ${textField({ name: 'password', label: m.password(), type: 'password', autocomplete: 'current-password', maxLength: MAX_PASSWORD_LENGTH })}
          <button>${m.signIn()}</button>
        </form>
        <p class="muted">${m.passwordForgotten()}</p>`
    }
  }

  async #signIn(c: Context): Promise<Response> {
    const { dependencies, staff } = this.#desk
    const business = await this.#desk.business(c)
    const locale = manageLocaleOf(c, business)
    const frame = { business, member: null, locale, c }
    if (business === null) return this.#desk.respondNotFound(frame)
    const form = await readForm(c, dependencies.publicUrl)
    if (form === null) return this.#desk.respondForged(c, frame)
    const name = form.text('name')
    const to = form.text('to')
    const again = (fault: string, status: 422 | 429): Promise<Response> =>
      respondManagePage(
        c,
        { ...frame, address: `${managePath(business, '/sign-in')}?to=${encodeURIComponent(to)}` },
        { ...this.#signInPage(c, { ...frame, business }, name, to), fault, status }
      )
    // Counted before the password is compared, so that attempts at the same moment count, too.
    const member = await staff.named(business.key, name)
    const known = knownBrowser(c, member)
    const address = dependencies.addressOf(c)
    const wait = await this.#attempts.firstExceeded(
      known === null
        ? [
            { subject: ['sign-in', address], limit: OF_ADDRESS },
            { subject: ['sign-in', business.id, staffNameKey(name)], limit: OF_MEMBER }
          ]
        : [{ subject: ['browser', known], limit: OF_BROWSER }]
    )
    if (wait !== null) return again(tooManyAttempts(locale, wait), 429)
    const turns = known === null ? this.#turns.strangers : this.#turns.known
    const isRight = await turns.run(known ?? address, () =>
      isPassword(form.text('password'), member?.passwordHash ?? null)
    )
    if (!isRight || member === null || !(await this.#desk.signIn(c, business, member))) {
      return again(locale.m.refusedSignIn(), 422)
    }
    const isOwn = to.startsWith(managePath(business, '/')) && !/[^\x21-\x7e]/.test(to)
    return c.redirect(isOwn ? to : homePath(business, member), 303)
  }

  async #signOut(c: Context): Promise<Response> {
    const business = await this.#desk.business(c)
    const form = await readForm(c, this.#desk.dependencies.publicUrl)
    const frame = { business, member: null, locale: manageLocaleOf(c, business), c }
    if (business === null) return this.#desk.respondNotFound(frame)
    if (form === null) return this.#desk.respondForged(c, frame)
    await this.#desk.signOut(c, business)
    return c.redirect(`${managePath(business, '/sign-in')}?done=signed-out`, 303)
  }

  #myPage({ path, locale, member }: ManageVisit): ManagePage {
    const { m } = locale
    return {
      title: member.name,
      body: html`<h2>${m.changePassword()}</h2>
        <form method="post" action="${path('/me')}" class="narrow">
          <input type="hidden" name="username" autocomplete="username" value="${member.name}" />
          ${textField({ name: 'current', label: m.currentPassword(), type: 'password', autocomplete: 'current-password', maxLength: MAX_PASSWORD_LENGTH })}
          ${newPasswordFields(locale)}
          <button>${m.changePassword()}</button>
        </form>
        <p class="muted">${m.changePasswordText()}</p>`
    }
  }

  async #changePassword(visit: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const { c, business, member, locale } = visit
    const session = this.#desk.session(c, business)
    const password = newPasswordOf(form)
    const wait = await this.#attempts.firstExceeded([{ subject: ['browser', session], limit: OF_BROWSER }])
    if (wait !== null) {
      return { ...this.#myPage(visit), fault: tooManyAttempts(locale, wait), status: 429 }
    }
    const passwordHash = await this.#turns.known.run(session, async () =>
      (await isPassword(form.text('current'), member.passwordHash)) ? hashPassword(password) : null
    )
    if (passwordHash === null || !(await this.#desk.staff.setPassword(member, passwordHash))) {
      throw new Refusal('password-wrong', 'The present password is not right.')
    }
    await this.#desk.signIn(c, business, { ...member, passwordHash })
    return { to: '/me', done: 'password-changed' }
  }

  async #showWelcome(c: Context): Promise<Response> {
    const link = await this.#desk.staff.findLink(c.req.param('secret') ?? '')
    const business = await this.#businessOf(link?.member ?? null)
    const frame = { business, member: null, locale: manageLocaleOf(c, business) }
    return respondManagePage(c, frame, this.#welcomePage(c, frame, link))
  }

  async #businessOf(member: StaffMember | null): Promise<StoredBusiness | null> {
    return member === null ? null : new BusinessStore(this.#desk.dependencies.database).get(member.business)
  }

  #welcomePage(c: Context, { locale }: Frame, link: SignInLink | null, form?: SentForm): ManagePage {
    const { m } = locale
    if (link === null) {
      return { title: m.linkUsedTitle(), body: html`<p>${m.linkUsedText()}</p>`, status: 404 }
    }
    const typed = (name: string, fallback: string): string =>
      form === undefined ? fallback : form.text(name)
    const { member } = link
    return {
      title: member === null ? m.newShop() : m.choosePassword(),
      body: html`<form method="post" action="${c.req.path}" class="narrow">
        ${
          member === null
            ? html`${textField({ name: 'shop', label: m.shopName(), value: typed('shop', ''), autocomplete: 'organization', hasFocus: true })}
              ${placeField(locale, form === undefined ? null : typedPlace(form))}`
            : ''
        }
        ${textField({ name: 'name', label: m.yourName(), value: typed('name', member?.name ?? ''), autocomplete: 'username', hint: m.yourNameHint() })}
        ${newPasswordFields(locale)}
        <button>${member === null ? m.openShop() : m.signIn()}</button>
      </form>`
    }
  }

  async #welcome(c: Context): Promise<Response> {
    const { dependencies, staff } = this.#desk
    const { database } = dependencies
    const secret = c.req.param('secret') ?? ''
    const link = await staff.findLink(secret)
    const known = await this.#businessOf(link?.member ?? null)
    const frame = { business: known, member: null, locale: manageLocaleOf(c, known) }
    const form = await readForm(c, dependencies.publicUrl)
    if (form === null) return this.#desk.respondForged(c, frame)
    if (link === null) return respondManagePage(c, frame, this.#welcomePage(c, frame, null))
    try {
      const name = parseName(form.text('name'))
      const shop = link.member === null ? parseName(form.text('shop')) : ''
      const passwordHash = await hashPassword(newPasswordOf(form))
      const joined = await database.transaction((queries) =>
        link.member === null
          ? staff.makeFirst(queries, secret, { name, passwordHash }, this.#firstBusiness(shop, form))
          : staff.useLink(queries, secret, { name, passwordHash })
      )
      const business = await this.#businessOf(joined)
      if (joined === null || business === null) {
        return await respondManagePage(c, frame, this.#welcomePage(c, frame, null))
      }
      await this.#desk.signIn(c, business, joined)
      return c.redirect(homePath(business, joined), 303)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const page = this.#welcomePage(c, frame, link, form)
      return respondManagePage(c, frame, { ...page, fault: refusalSentence(error.reason, frame.locale) })
    }
  }

  #firstBusiness(name: string, form: SentForm): NewBusiness {
    const { random, now } = this.#desk.dependencies
    const { country, timeZone } = parsePlaceOf(form)
    const address = { ...EMPTY_PROFILE.address, country }
    const id = newIdentifier('usr', random)
    return { ...EMPTY_PROFILE, id, name, address, timeZone, createdAt: now().toISOString() }
  }
}
