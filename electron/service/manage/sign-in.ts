/** Signing in and out, the link by which a password is chosen, and who is signed in. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { ScryptOptions } from 'node:crypto'
import { languageOf } from '../../contract/language.ts'
import { EMPTY_PROFILE, type NewBusiness, type StoredBusiness } from '../domain/businesses.ts'
import { newIdentifier } from '../domain/identifiers.ts'
import { parseName } from '../domain/names.ts'
import { Refusal } from '../domain/refusal.ts'
import {
  hashPassword,
  isPassword,
  isPasswordAccepted,
  memberOfCookie,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  staffNameKey,
  type StaffMember
} from '../domain/staff.ts'
import { LANGUAGE_FIELD, withParameter } from '../html/document.ts'
import type { SentForm } from '../html/sent-form.ts'
import { FieldRefusal, inField, type TypedForm } from '../html/typed-form.ts'
import { AttemptStore, type Attempt, type AttemptLimit } from '../store/attempts.ts'
import { BusinessStore } from '../store/businesses.ts'
import type { SignInLink } from '../store/staff-members.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { hiddenFields, textField, TYPED_FORM } from '../html/fields.ts'
import { homePath, managePath, respondManagePage, type ManagePage } from './manage-layout.ts'
import { knownBrowser } from './known-browser.ts'
import { manageLocaleOf, type ManageLocale } from './manage-locale.ts'
import { parsePlaceOf, placeField } from './place-field.ts'
import { SIGNED_IN } from './form-outcomes.ts'
import { Turns } from './turns.ts'

/** Attempts of strangers to sign in from an address, and as one member from anywhere. */
const OF_ADDRESS: AttemptLimit = { count: 60, minutes: 10 }
const OF_MEMBER: AttemptLimit = { count: 20, minutes: 60 }
/** Attempts of a browser in which the member has signed in before, or is signed in. */
const OF_BROWSER: AttemptLimit = { count: 20, minutes: 60 }

/** What an attempt of a stranger counts for: first the address, then the member, also one whom there is not. */
const strangersAttempts = (address: string, { id }: StoredBusiness, nameKey: string): readonly Attempt[] => [
  { subject: ['sign-in', address], limit: OF_ADDRESS },
  { subject: ['sign-in', id, nameKey], limit: OF_MEMBER }
]

/** The fields of a new password, typed twice because it cannot be seen. */
const newPasswordFields = ({ m }: ManageLocale, typed: TypedForm) =>
  html`${textField(
    {
      name: 'password',
      label: m.newPassword(),
      kind: 'password',
      autocomplete: 'new-password',
      maxLength: MAX_PASSWORD_LENGTH,
      hint: m.passwordHint({ min: String(MIN_PASSWORD_LENGTH) })
    },
    typed
  )}
  ${textField(
    {
      name: 'repeated',
      label: m.repeatPassword(),
      kind: 'password',
      autocomplete: 'new-password',
      maxLength: MAX_PASSWORD_LENGTH
    },
    typed
  )}`

/** Returns the new password of a form. Throws a `Refusal` for one that is not accepted or typed differently. */
const newPasswordOf = (form: SentForm): string => {
  const password = form.text('password')
  if (!isPasswordAccepted(password))
    throw new Refusal('password-malformed', 'The password has a wrong length.')
  if (password !== form.text('repeated')) throw new Refusal('passwords-differ', 'The passwords differ.')
  return password
}

/** The routes of signing in and out. */
export class SignInPages {
  readonly #router: ManageRouter
  readonly #attempts: AttemptStore
  readonly #cost: ScryptOptions | undefined
  /** Comparing a password takes a third of a second: strangers keep no member waiting. */
  readonly #turns = { strangers: new Turns(), known: new Turns() }

  constructor(router: ManageRouter) {
    this.#router = router
    const { database, now, passwordCost } = router.dependencies
    this.#cost = passwordCost
    this.#attempts = new AttemptStore(database, now)
  }

  addRoutes(): void {
    const { routes } = this.#router
    routes.get('/manage', (c) => this.#showStart(c))
    routes.get('/manage/:business/sign-in', (c) => this.#showSignIn(c))
    const signInOf = (c: Context): string => managePath({ id: c.req.param('business') ?? '' }, '/sign-in')
    this.#router.post('/manage/:business/sign-in', signInOf, (c) => this.#signIn(c))
    routes.get('/welcome/:secret', (c) => this.#showWelcome(c))
    this.#router.post(
      '/welcome/:secret',
      (c) => c.req.path,
      (c) => this.#welcome(c)
    )
    for (const below of ['', '/sign-out']) {
      this.#router.page(below, 'staff', ({ c, business, member }) =>
        Promise.resolve(c.redirect(homePath(business, member), 303))
      )
    }
    this.#router.page('/me', 'staff', (visit) => Promise.resolve(this.#myPage(visit)))
    this.#router.form('/me', 'staff', {
      submit: (visit, form) => this.#changePassword(visit, form),
      again: (c, business, form) => this.#changedPassword(c, business, form)
    })
    this.#router.post('/manage/:business/sign-out', signInOf, (c) => this.#signOut(c))
  }

  async #showStart(c: Context): Promise<Response> {
    const business = await this.#router.onlyBusiness()
    if (business !== null) return c.redirect(managePath(business), 303)
    const locale = manageLocaleOf(c, null)
    const { m } = locale
    return respondManagePage(
      c,
      { business: null, member: null, locale },
      { title: m.whichShopTitle(), body: html`<p>${m.whichShopText()}</p>`, status: 404 }
    )
  }

  async #showSignIn(c: Context): Promise<Response> {
    const business = await this.#router.business(c)
    const locale = manageLocaleOf(c, business)
    if (business === null) return this.#router.respondNotFound({ c, business, member: null, locale })
    const { typed } = await this.#router.leftFor(c, locale)
    const { m } = locale
    const name = typed.value('name')
    const page: ManagePage = {
      title: m.signIn(),
      hasForm: true,
      body: html`<form
          method="post"
          action="${managePath(business, '/sign-in')}"
          class="narrow"
          id="${TYPED_FORM}"
        >
          ${hiddenFields({ to: c.req.query('to') ?? typed.value('to') })}
          ${textField({ name: 'name', label: m.yourName(), autocomplete: 'username', hasFocus: name === '' }, typed)}
          ${textField({ name: 'password', label: m.password(), kind: 'password', autocomplete: 'current-password', maxLength: MAX_PASSWORD_LENGTH }, typed)}
          <button>${m.signIn()}</button>
        </form>
        <p class="muted">${m.passwordForgotten()}</p>`
    }
    return respondManagePage(c, { business, member: null, locale, typed }, page)
  }

  async #signIn(c: Context): Promise<Response> {
    const { dependencies, staff } = this.#router
    const business = await this.#router.business(c)
    if (business === null) {
      return this.#router.respondNotFound({ c, business, member: null, locale: manageLocaleOf(c, null) })
    }
    const form = await this.#router.readForm(c, managePath(business, '/sign-in'))
    if (form instanceof Response) return form
    const name = form.text('name')
    const to = form.text('to')
    const page = `${managePath(business, '/sign-in')}?to=${encodeURIComponent(to)}`
    const language = languageOf(form.text(LANGUAGE_FIELD))
    // Counted before the password is compared, so that attempts at the same moment count, too.
    const member = await staff.named(business.key, name)
    const known = knownBrowser(c, member)
    const address = dependencies.addressOf(c)
    const ofStrangers = strangersAttempts(address, business, staffNameKey(name))
    const wait = await this.#attempts.firstExceeded(
      language !== undefined
        ? ofStrangers.slice(0, 1)
        : known === null
          ? ofStrangers
          : [{ subject: ['browser', known], limit: OF_BROWSER }]
    )
    if (wait !== null) return this.#router.giveBack(c, page, wait, form)
    if (language !== undefined) return this.#router.showInLanguage(c, page, language, form)
    const turns = known === null ? this.#turns.strangers : this.#turns.known
    const { signal } = c.req.raw
    // Nothing is compared for a browser that has left.
    const isRight = await turns.run(known ?? address, async () =>
      signal.aborted ? false : isPassword(form.text('password'), member?.passwordHash ?? null, this.#cost)
    )
    if (!isRight || member === null || !(await this.#router.signIn(c, business, member))) {
      return this.#router.refuse(c, page, form, 'sign-in-refused')
    }
    const isOwn = to.startsWith(managePath(business, '/')) && !/[^\x21-\x7e]/.test(to)
    return c.redirect(withParameter(isOwn ? to : homePath(business, member), 'done', SIGNED_IN), 303)
  }

  async #signOut(c: Context): Promise<Response> {
    const business = await this.#router.business(c)
    if (business === null) {
      return this.#router.respondNotFound({ c, business, member: null, locale: manageLocaleOf(c, null) })
    }
    const form = await this.#router.readForm(c, managePath(business, '/sign-in'))
    if (form instanceof Response) return form
    await this.#router.signOut(c, business)
    return c.redirect(withParameter(managePath(business, '/sign-in'), 'done', 'signed-out'), 303)
  }

  #myPage({ path, locale, member, typed }: ManageVisit): ManagePage {
    const { m } = locale
    return {
      title: member.name,
      body: html`<h2>${m.changePassword()}</h2>
        <form method="post" action="${path('/me')}" class="narrow">
          <input type="hidden" name="username" autocomplete="username" value="${member.name}" />
          ${textField({ name: 'current', label: m.currentPassword(), kind: 'password', autocomplete: 'current-password', maxLength: MAX_PASSWORD_LENGTH }, typed)}
          ${newPasswordFields(locale, typed)}
          <button>${m.changePassword()}</button>
        </form>
        <p class="muted">${m.changePasswordText()}</p>`
    }
  }

  async #changePassword(visit: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const { c, business, member } = visit
    const session = this.#router.session(c, business)
    const password = newPasswordOf(form)
    const wait = await this.#attempts.firstExceeded([{ subject: ['browser', session], limit: OF_BROWSER }])
    if (wait !== null) return { to: '/me', waitMinutes: wait }
    const passwordHash = await this.#turns.known.run(session, async () =>
      (await isPassword(form.text('current'), member.passwordHash, this.#cost))
        ? hashPassword(password, this.#cost)
        : null
    )
    if (passwordHash !== null && (await this.#router.staff.setPassword(member, passwordHash))) {
      await this.#router.signIn(c, business, { ...member, passwordHash })
      return { to: '/me', done: 'password-changed' }
    }
    const now = await this.#router.staff.find(business.key, member.id)
    if (now === null || !(await this.#hasSet(now, password, this.#turns.known, session))) {
      throw new Refusal('password-wrong', 'The present password is not right.')
    }
    await this.#router.signIn(c, business, now)
    return { to: '/me', done: 'password-changed' }
  }

  /** Whether `password` is the member's, as the first of two presses of a form has set it. Compares in the turn of `who`. */
  #hasSet({ passwordHash }: StaffMember, password: string, turns: Turns, who: string): Promise<boolean> {
    return turns.run(who, () => isPassword(password, passwordHash, this.#cost))
  }

  /** Changing a password ends all sessions of the member. */
  async #changedPassword(c: Context, business: StoredBusiness, form: SentForm): Promise<Response | null> {
    const id = memberOfCookie(this.#router.session(c, business))
    return (await this.#signInAgain(c, business, id, form.text('password'))) === 'signed-in'
      ? c.redirect(withParameter(managePath(business, '/me'), 'done', 'password-changed'), 303)
      : null
  }

  /**
   * Signs in with the password of a form that is sent twice, which the first has set. It counts as an attempt of a stranger:
   * resolves with the minutes to wait after too many.
   */
  async #signInAgain(
    c: Context,
    business: StoredBusiness,
    id: string,
    password: string
  ): Promise<'signed-in' | 'wrong' | number> {
    const member = await this.#router.staff.find(business.key, id)
    if (member === null) return 'wrong'
    const address = this.#router.dependencies.addressOf(c)
    const attempts = strangersAttempts(address, business, staffNameKey(member.name))
    const wait = await this.#attempts.firstExceeded(attempts)
    if (wait !== null) return wait
    const isRight = await this.#hasSet(member, password, this.#turns.strangers, address)
    return isRight && (await this.#router.signIn(c, business, member)) ? 'signed-in' : 'wrong'
  }

  async #showWelcome(c: Context): Promise<Response> {
    const link = await this.#router.staff.findLink(c.req.param('secret') ?? '')
    const business = await this.#businessOf(link?.member ?? null)
    const locale = manageLocaleOf(c, business)
    const { typed } = await this.#router.leftFor(c, locale)
    return respondManagePage(
      c,
      { business, member: null, locale, typed },
      this.#welcomePage(c.req.path, locale, link, typed)
    )
  }

  async #businessOf(member: StaffMember | null): Promise<StoredBusiness | null> {
    return member === null ? null : new BusinessStore(this.#router.dependencies.database).get(member.business)
  }

  #welcomePage(action: string, locale: ManageLocale, link: SignInLink | null, typed: TypedForm): ManagePage {
    const { m } = locale
    if (link === null) {
      return { title: m.linkUsedTitle(), body: html`<p>${m.linkUsedText()}</p>`, status: 404 }
    }
    const { member } = link
    return {
      title: member === null ? m.newShop() : m.choosePassword(),
      hasForm: true,
      body: html`<form method="post" action="${action}" class="narrow" id="${TYPED_FORM}">
        ${
          member === null
            ? html`${textField({ name: 'shop', label: m.shopName(), autocomplete: 'organization', hasFocus: true }, typed)}
              ${placeField(locale, null, typed)}`
            : ''
        }
        ${textField({ name: 'name', label: m.yourName(), value: member?.name ?? '', autocomplete: 'username', hint: m.yourNameHint() }, typed)}
        ${newPasswordFields(locale, typed)}
        <button>${member === null ? m.openShop() : m.signIn()}</button>
      </form>`
    }
  }

  async #welcome(c: Context): Promise<Response> {
    const { staff, dependencies } = this.#router
    const secret = c.req.param('secret') ?? ''
    const link = await staff.findLink(secret)
    const form = await this.#router.readForm(c, c.req.path)
    if (form instanceof Response) return form
    const language = languageOf(form.text(LANGUAGE_FIELD))
    if (language !== undefined) return this.#router.showInLanguage(c, c.req.path, language, form)
    if (link === null) return this.#welcomeAgain(c, secret, form)
    try {
      const shop = link.member === null ? inField('shop', () => parseName(form.text('shop'))) : ''
      const name = parseName(form.text('name'))
      const password = newPasswordOf(form)
      const passwordHash = await this.#turns.known.run(secret, () => hashPassword(password, this.#cost))
      const joined = await dependencies.database.transaction((queries) =>
        link.member === null
          ? staff.makeFirst(queries, secret, { name, passwordHash }, this.#firstBusiness(shop, form))
          : staff.useLink(queries, secret, { name, passwordHash })
      )
      const business = await this.#businessOf(joined)
      if (joined === null || business === null) return await this.#welcomeAgain(c, secret, form)
      await this.#router.signIn(c, business, joined)
      return c.redirect(withParameter(homePath(business, joined), 'done', SIGNED_IN), 303)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const field = error instanceof FieldRefusal ? error.field : undefined
      return this.#router.refuse(c, c.req.path, form, error.reason, field)
    }
  }

  /** Answers the form of a link that is not valid. One that is sent twice signs in, as the first did. */
  async #welcomeAgain(c: Context, secret: string, form: SentForm): Promise<Response> {
    const member = await this.#router.staff.findUsedLink(secret)
    const business = await this.#businessOf(member)
    // The page says that the link is not valid.
    const refuse = (): Response => c.redirect(c.req.path, 303)
    if (member === null || business === null) return refuse()
    if (staffNameKey(form.text('name')) !== staffNameKey(member.name)) return refuse()
    const again = await this.#signInAgain(c, business, member.id, form.text('password'))
    if (again === 'wrong') return refuse()
    return again === 'signed-in'
      ? c.redirect(withParameter(homePath(business, member), 'done', SIGNED_IN), 303)
      : this.#router.giveBack(c, c.req.path, again, form)
  }

  #firstBusiness(name: string, form: SentForm): NewBusiness {
    const { random, now } = this.#router.dependencies
    const { country, timeZone } = parsePlaceOf(form)
    const address = { ...EMPTY_PROFILE.address, country }
    const id = newIdentifier('usr', random)
    return { ...EMPTY_PROFILE, id, name, address, timeZone, createdAt: now().toISOString() }
  }
}
