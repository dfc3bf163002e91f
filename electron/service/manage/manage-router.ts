/** Opens the requests of the shop's pages: whose shop, who is signed in, what they may do, and whether a form is our own. */
import type { ScryptOptions } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { HttpError, httpErrorOf } from '../api/responses.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import { languageOf, type Language } from '../../contract/language.ts'
import type { RandomBytes } from '../domain/identifiers.ts'
import { Refusal } from '../domain/refusal.ts'
import { memberOfCookie, sessionCookie, type StaffMember, type StaffRole } from '../domain/staff.ts'
import { REQUEST_FIELD } from '../html/fields.ts'
import { LANGUAGE_FIELD, pageAddress, withParameter } from '../html/document.ts'
import { KeptForms, TYPED, withNotice, type FormNotice, type FoundForm } from '../html/kept-forms.ts'
import { SentForm } from '../html/sent-form.ts'
import { FieldRefusal, NOTHING_TYPED, TypedForm } from '../html/typed-form.ts'
import { BusinessStore } from '../store/businesses.ts'
import { CashierStore } from '../store/cashiers.ts'
import type { Database } from '../store/database.ts'
import { Identities, type CustomerExport } from '../store/identities.ts'
import type { ImportRunner } from '../store/import-runner.ts'
import { Ledger } from '../store/ledger.ts'
import { RewardStore } from '../store/rewards.ts'
import { StaffMemberStore } from '../store/staff-members.ts'
import type { BackupFolder } from './backups.ts'
import { TillStore } from '../store/tills.ts'
import {
  homePath,
  isAllowed,
  managePath,
  respondManagePage,
  type ManageLayout,
  type ManagePage
} from './manage-layout.ts'
import { rememberBrowser } from './known-browser.ts'
import { manageLocaleOf, type ManageLocale } from './manage-locale.ts'
import { noticeText, refusedOutcome, SIGNED_IN, typedFormOf, UNSENT, type Done } from './form-outcomes.ts'

export interface ManageDependencies {
  readonly database: Database
  /** origin of the service as browsers reach it */
  readonly publicUrl: string
  /** Returns the IP address of who asks. */
  readonly addressOf: (c: Context) => string
  readonly now: () => Date
  readonly random: RandomBytes
  /** called with internal errors, whose details are not shown, and with the request that failed if there is one */
  readonly onInternalError: (error: unknown, request?: Request) => void
  /** runs the imports; one for these pages unless given */
  readonly imports?: ImportRunner
  /** of hashing passwords; the usual one unless given */
  readonly passwordCost?: ScryptOptions
  /** the backups of a service in a folder */
  readonly backups?: BackupFolder | undefined
}

/** A request of somebody who is signed in. */
export interface ManageVisit extends ManageLayout {
  readonly business: StoredBusiness
  readonly member: StaffMember
  readonly c: Context
  /** what a form has left for this page; null without one */
  readonly left: FoundForm | null
  /** what was typed into that form, and what is wrong with it */
  readonly typed: TypedForm
  /** Returns the path of a page of this shop. */
  readonly path: (below: string) => string
  /** who makes an entry of the ledger */
  readonly by: string
}

/** The page that a form leads to, below the shop's: what it says was done, or what the form leaves for it, or how long to wait. */
export type FormAnswer =
  | { readonly to: string; readonly done: Done }
  | { readonly to: string; readonly left: Pick<FoundForm, 'outcome' | 'texts'> }
  | { readonly to: string; readonly waitMinutes: number }

/** What a form does. */
export interface FormAction {
  /** Throws a `Refusal` when nothing was changed. */
  readonly submit: (visit: ManageVisit, form: SentForm) => Promise<FormAnswer>
  /** Answers a form that was sent twice and has ended the session that it comes with; null when something else has. */
  readonly again?: (c: Context, business: StoredBusiness, form: SentForm) => Promise<Response | null>
  /** Where the form's page is, as a pattern; at the form's own path unless given. */
  readonly page?: string
  /** the fields of the form that the page has in its address, too */
  readonly parameters?: readonly string[]
  /** of the whole form; 64 KiB unless given */
  readonly maxBytes?: number
}

const cookieName = ({ id }: Pick<StoredBusiness, 'id'>): string => `staff-${id}`

/** The routes of the shop's pages. */
export class ManageRouter {
  readonly routes = new Hono()
  readonly dependencies: ManageDependencies
  readonly staff: StaffMemberStore
  readonly identities: Identities
  readonly ledger: Ledger
  readonly rewards: RewardStore
  readonly #businesses: BusinessStore
  readonly #forms: KeptForms

  constructor(dependencies: ManageDependencies) {
    this.dependencies = dependencies
    this.staff = new StaffMemberStore(dependencies)
    this.identities = new Identities(dependencies.database, dependencies.now)
    this.ledger = new Ledger(dependencies)
    this.rewards = new RewardStore(dependencies.database)
    this.#businesses = new BusinessStore(dependencies.database)
    this.#forms = new KeptForms(dependencies)
    this.routes.onError((error, c) => this.#respondError(error, c))
  }

  /** Adds a page, for those who may do what `role` may. `answer` returns null if there is no such page. */
  page(
    path: string,
    role: StaffRole,
    answer: (visit: ManageVisit) => Promise<ManagePage | Response | null>
  ): void {
    this.routes.get(`/manage/:business${path}`, (c) =>
      this.#visit(
        c,
        role,
        () => Promise.resolve(pageAddress(c)),
        async (visit) => {
          const language = languageOf(c.req.query(LANGUAGE_FIELD) ?? '')
          if (language !== undefined) return c.redirect(withParameter(pageAddress(c), 'lang', language), 303)
          const page = await answer(visit)
          if (page instanceof Response) return page
          return page === null ? this.respondNotFound(visit) : respondManagePage(c, visit, page)
        }
      )
    )
  }

  /** Adds a page of a customer, with what the shop keeps of them; there is none for one who is unknown or erased. */
  customerPage(
    below: string,
    answer: (visit: ManageVisit, kept: CustomerExport) => Promise<ManagePage | Response | null>
  ): void {
    this.page(`/customers/:customer${below}`, 'staff', async (visit) => {
      const kept = await this.identities.export(visit.business.key, visit.c.req.param('customer') ?? '')
      return kept === null ? null : answer(visit, kept)
    })
  }

  /**
   * Adds what a form does. It is answered by its page, or another one, which can be loaded again and returned to. A browser
   * that asks for where it was sent gets its page, unless a page was added there.
   */
  form(
    path: string,
    role: StaffRole,
    { submit, again, page: pattern = path, parameters = [], maxBytes }: FormAction
  ): void {
    const addressIn = (c: Context): string =>
      `/manage/:business${pattern}`.replaceAll(/:(\w+)/g, (_all, name: string) =>
        encodeURIComponent(c.req.param(name) ?? '')
      )
    if (pattern !== path) this.page(path, role, ({ c }) => Promise.resolve(c.redirect(addressIn(c), 303)))
    const pageOf = (c: Context, form: SentForm): string => {
      const named = parameters.map((name): [string, string] => [name, form.text(name)])
      return named.length === 0 ? addressIn(c) : `${addressIn(c)}?${String(new URLSearchParams(named))}`
    }
    this.post(`/manage/:business${path}`, pageOf, (c) => {
      const signedOut = async (
        business: StoredBusiness,
        form: SentForm | null
      ): Promise<string | Response> => {
        const isOwn = form !== null && this.session(c, business) !== ''
        const answer = isOwn ? await again?.(c, business, form) : null
        return answer ?? this.#keepUnsent(c, business, form, pageOf(c, form ?? new SentForm()))
      }
      return this.#visit(
        c,
        role,
        async (business) => signedOut(business, await this.#forms.read(c).catch(() => new SentForm())),
        async () => {
          const form = await this.readForm(c, addressIn(c), maxBytes)
          if (form instanceof Response) return form
          const page = pageOf(c, form)
          const language = languageOf(form.text(LANGUAGE_FIELD))
          if (language !== undefined) return this.showInLanguage(c, page, language, form)
          // A form can take long to come: who was removed meanwhile does nothing.
          const submitted = (visit: ManageVisit): Promise<Response> => this.#submit(visit, submit, page, form)
          return this.#visit(c, role, (business) => signedOut(business, form), submitted)
        }
      )
    })
  }

  async #submit(visit: ManageVisit, submit: FormAction['submit'], page: string, form: SentForm) {
    const { c, path } = visit
    try {
      const answer = await submit(visit, form)
      const to = path(answer.to)
      if ('left' in answer) return await this.#forms.redirect(c, to, answer.left)
      return 'done' in answer
        ? c.redirect(withParameter(to, 'done', answer.done), 303)
        : this.giveBack(c, to, answer.waitMinutes, form)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.refuse(c, page, form, error.reason, error instanceof FieldRefusal ? error.field : undefined)
    }
  }

  /** Adds what a POST does. One that fails is answered by the page of its form, whose address `pageOf` returns. */
  post(
    path: string,
    pageOf: (c: Context, form: SentForm) => string,
    answer: (c: Context) => Promise<Response>
  ): void {
    this.routes.post(path, (c) =>
      this.#forms.answer(
        c,
        (form) => pageOf(c, form),
        () => answer(c)
      )
    )
  }

  /** Returns the form of a POST. Answers one that another site's page sent by the page at `address`, which says so. */
  async readForm(c: Context, address: string, maxBytes?: number): Promise<SentForm | Response> {
    return (await this.#forms.read(c, maxBytes)) ?? c.redirect(withNotice(address, 'forged'), 303)
  }

  /** Answers a form for which it is too early: its page, with what was typed and why it was not taken. */
  giveBack(c: Context, address: string, notice: FormNotice, form: SentForm): Response {
    return this.#forms.giveBack(c, address, notice, form)
  }

  /** Answers a form that is not sent yet: its page in another language, with what was typed. */
  showInLanguage(c: Context, address: string, language: Language, form: SentForm): Promise<Response> {
    const { texts } = form
    return this.#forms.redirect(c, withParameter(address, 'lang', language), { outcome: TYPED, texts })
  }

  /** Answers a form that was not taken: its page, with what was typed and what is wrong with it. */
  refuse(
    c: Context,
    address: string,
    form: SentForm,
    reason: Parameters<typeof refusedOutcome>[0],
    field?: string
  ): Promise<Response> {
    const outcome = refusedOutcome(reason, form.names, field)
    // Nothing was done: what is sent next is another request.
    const texts = Object.entries(form.texts).filter(([name]) => name !== REQUEST_FIELD)
    return this.#forms.redirect(c, address, { outcome, texts: Object.fromEntries(texts) })
  }

  /** Returns what a form has left for the page of a request. @param member who asks; null before signing in */
  async leftFor(
    c: Context,
    locale: ManageLocale,
    member: StaffMember | null = null
  ): Promise<Pick<ManageVisit, 'left' | 'typed'>> {
    const found = await this.#forms.find(c)
    const left = found?.member === undefined || found.member === member?.id ? found : null
    const notice = noticeText(c, locale)
    if (notice !== null)
      return { left: null, typed: new TypedForm(left?.texts, { field: null, text: notice }) }
    return { left, typed: left === null ? NOTHING_TYPED : typedFormOf(left, locale) }
  }

  /** Returns the business of a path, or null. */
  business(c: Context): Promise<StoredBusiness | null> {
    return this.#businesses.find(c.req.param('business') ?? '')
  }

  /** Returns the only business of the service; null if there are none or several. */
  async onlyBusiness(): Promise<StoredBusiness | null> {
    const businesses = await this.#businesses.list()
    const [only] = businesses
    return businesses.length === 1 && only !== undefined ? only : null
  }

  /** Returns the names of who makes entries, by id: staff, tills and their cashiers. */
  async makers({ key }: StoredBusiness): Promise<ReadonlyMap<string, string>> {
    const tills = await new TillStore(this.dependencies.database).list(key)
    return new Map([
      ...(await this.staff.names(key)),
      ...(await new CashierStore(this.dependencies.database).names(key)),
      ...tills.map(({ id, name }): [string, string] => [id, name])
    ])
  }

  /** Begins a session of a member. Returns false for one who was removed, or has another password, meanwhile. */
  async signIn(c: Context, business: StoredBusiness, member: StaffMember): Promise<boolean> {
    const cookie = await this.staff.beginSession(member)
    if (cookie === null) return false
    this.#setCookie(c, business, cookie)
    rememberBrowser(c, business, member)
    return true
  }

  /** Returns the cookie of a browser's session; empty without one, and after signing out. */
  session(c: Context, business: StoredBusiness): string {
    const cookie = this.#cookie(c, business)
    return cookie.endsWith('.') ? '' : cookie
  }

  /** Ends the session of a browser, if it has one. */
  async signOut(c: Context, business: StoredBusiness): Promise<void> {
    const cookie = this.session(c, business)
    if (cookie === '') return
    await this.staff.endSession(cookie)
    this.#setCookie(c, business, sessionCookie(memberOfCookie(cookie), ''))
  }

  #cookie(c: Context, business: StoredBusiness): string {
    return getCookie(c, cookieName(business)) ?? ''
  }

  /** Without an age: the browser forgets it at its end, the store after twelve hours without use. */
  #setCookie(c: Context, business: StoredBusiness, cookie: string): void {
    const path = managePath(business)
    setCookie(c, cookieName(business), cookie, { httpOnly: true, secure: true, sameSite: 'Lax', path })
  }

  /** Responds that there is no such page. */
  respondNotFound(layout: ManageLayout & { readonly c: Context }): Promise<Response> {
    const { m } = layout.locale
    return respondManagePage(layout.c, layout, {
      title: m.notFoundTitle(),
      body: html`<p>${m.notFoundText()}</p>`,
      status: 404
    })
  }

  /** @param signedOut answers one who is not signed in, or returns the address to which signing in leads */
  async #visit(
    c: Context,
    role: StaffRole,
    signedOut: (business: StoredBusiness) => Promise<string | Response>,
    answer: (visit: ManageVisit) => Promise<Response>
  ): Promise<Response> {
    const business = await this.business(c)
    if (business === null) {
      return this.respondNotFound({ c, business: null, member: null, locale: manageLocaleOf(c, null) })
    }
    const locale = manageLocaleOf(c, business)
    const cookie = this.session(c, business)
    const member = cookie === '' ? null : await this.staff.memberOf(business.key, cookie)
    if (member === null) {
      // A person has just signed in, and the browser has sent no cookie at all.
      const isWithout = c.req.query('done') === SIGNED_IN && c.req.header('cookie') === undefined
      const address = await signedOut(business)
      if (address instanceof Response) return address
      const to = `${managePath(business, '/sign-in')}?to=${encodeURIComponent(address)}`
      if (isWithout) return c.redirect(withNotice(to, 'no-cookies'), 303)
      return c.redirect(cookie === '' ? to : withParameter(to, 'done', 'session-ended'), 303)
    }
    const path = (below: string): string => managePath(business, below)
    const left = await this.leftFor(c, locale, member)
    const visit = { c, business, member, locale, path, by: `staff:${member.id}`, ...left }
    if (isAllowed(member, role)) return answer(visit)
    const { m } = locale
    return respondManagePage(c, visit, {
      title: m.ownersOnlyTitle(),
      body: html`<p>${m.ownersOnlyText()}</p>
        <p><a class="button" href="${homePath(business, member)}">${m.customers()}</a></p>`,
      status: 403
    })
  }

  /**
   * Returns the address of `page` for a form that came without a session, where it is given back to the member whose session
   * was this browser's last. A file is chosen again.
   */
  #keepUnsent(c: Context, business: StoredBusiness, form: SentForm | null, page: string): string {
    const member = memberOfCookie(this.#cookie(c, business))
    return form === null || member === ''
      ? page
      : this.#forms.leaveInBrowser(c, page, { outcome: UNSENT, texts: form.texts, member })
  }

  async #respondError(error: Error, c: Context): Promise<Response> {
    if (!(error instanceof HttpError)) this.dependencies.onInternalError(error, c.req.raw)
    const locale = manageLocaleOf(c, null)
    const { m } = locale
    const { status, headers } = httpErrorOf(error)
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    const text =
      status === 503
        ? { title: m.unavailableTitle(), text: m.unavailableText(), status }
        : { title: m.errorTitle(), text: m.errorText(), status: 500 as const }
    return respondManagePage(
      c,
      { business: null, member: null, locale },
      {
        title: text.title,
        body: html`<p>${text.text}</p>`,
        status: text.status
      }
    )
  }
}
