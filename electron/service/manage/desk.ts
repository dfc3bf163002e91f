/** Opens the requests of the shop's pages: whose shop, who is signed in, what they may do, and whether a form is our own. */
import { Hono, type Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { HttpError, httpErrorOf } from '../api/responses.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { RandomBytes } from '../domain/identifiers.ts'
import { Refusal } from '../domain/refusal.ts'
import type { StaffMember, StaffRole } from '../domain/staff.ts'
import { pageAddress } from '../html/document.ts'
import { readForm, type SentForm } from '../html/sent-form.ts'
import { BusinessStore } from '../store/businesses.ts'
import type { Database } from '../store/database.ts'
import type { ImportRunner } from '../store/import-runner.ts'
import { StaffMemberStore } from '../store/staff-members.ts'
import type { BackupFolder } from './backups.ts'
import { TillStore } from '../store/tills.ts'
import { homePath, isAllowed, managePath, respondManagePage, type Frame, type ManagePage } from './frame.ts'
import { rememberBrowser } from './known-browser.ts'
import { manageLocaleOf } from './manage-locale.ts'
import { refusalSentence, type Done } from './sentences.ts'

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
  /** the backups of a service in a folder */
  readonly backups?: BackupFolder | undefined
}

/** A request of somebody who is signed in. */
export interface ManageVisit extends Frame {
  readonly business: StoredBusiness
  readonly member: StaffMember
  readonly c: Context
  /** where the page is: of a form, its page */
  readonly address: string
  /** Returns the path of a page of this shop. */
  readonly path: (below: string) => string
  /** who makes an entry of the ledger */
  readonly by: string
}

/** What a form leads to: a page that says what was done, so that loading it again repeats nothing; or a page to show once. */
export type FormAnswer = ManagePage | { readonly to: string; readonly done: Done }

/** What a form does. */
export interface FormAction {
  /** Throws a `Refusal` when nothing was changed. */
  readonly submit: (visit: ManageVisit, form: SentForm) => Promise<FormAnswer>
  /** Where the form's page is, as a pattern; at the form's own path unless given. */
  readonly page?: string
  /** That page with what was typed; null if what it is about does not exist. */
  readonly again: (visit: ManageVisit, form: SentForm) => Promise<ManagePage | null>
  /** of the whole form; 64 KiB unless given */
  readonly maxBytes?: number
}

const cookieName = ({ id }: Pick<StoredBusiness, 'id'>): string => `staff-${id}`

/** The routes of the shop's pages. */
export class Desk {
  readonly routes = new Hono()
  readonly dependencies: ManageDependencies
  readonly staff: StaffMemberStore
  readonly #businesses: BusinessStore

  constructor(dependencies: ManageDependencies) {
    this.dependencies = dependencies
    this.staff = new StaffMemberStore(dependencies)
    this.#businesses = new BusinessStore(dependencies.database)
    this.routes.onError((error, c) => this.#respondError(error, c))
  }

  /** Adds a page, for those who may do what `role` may. `answer` returns null if there is no such page. */
  page(
    path: string,
    role: StaffRole,
    answer: (visit: ManageVisit) => Promise<ManagePage | Response | null>
  ): void {
    this.routes.get(`/manage/:business${path}`, (c) =>
      this.#visit(c, role, pageAddress(c), async (visit) => {
        const page = await answer(visit)
        if (page instanceof Response) return page
        return page === null ? this.respondNotFound(visit) : respondManagePage(c, visit, page)
      })
    )
  }

  /** Adds what a form does. A browser that asks for where it was sent gets its page, unless a page was added there. */
  form(path: string, role: StaffRole, { submit, page: pattern = path, again, maxBytes }: FormAction): void {
    const addressIn = (c: Context): string =>
      `/manage/:business${pattern}`.replaceAll(/:(\w+)/g, (_all, name: string) =>
        encodeURIComponent(c.req.param(name) ?? '')
      )
    if (pattern !== path) this.page(path, role, ({ c }) => Promise.resolve(c.redirect(addressIn(c), 303)))
    this.routes.post(`/manage/:business${path}`, (c) =>
      this.#visit(c, role, addressIn(c), async (visit) => {
        const form = await readForm(c, this.dependencies.publicUrl, maxBytes)
        if (form === null) return this.respondForged(c, visit)
        try {
          const answer = await submit(visit, form)
          if (!('to' in answer)) return await respondManagePage(c, visit, answer)
          return c.redirect(`${visit.path(answer.to)}?done=${answer.done}`, 303)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          const page = await again(visit, form)
          if (page === null) return this.respondNotFound(visit)
          return respondManagePage(c, visit, { ...page, fault: refusalSentence(error.reason, visit.locale) })
        }
      })
    )
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

  /** Returns the names of who makes entries, by id: staff and tills. */
  async makers({ key }: StoredBusiness): Promise<ReadonlyMap<string, string>> {
    const tills = await new TillStore(this.dependencies.database).list(key)
    return new Map([
      ...(await this.staff.names(key)),
      ...tills.map(({ id, name }): [string, string] => [id, name])
    ])
  }

  /** Begins a session of a member. Returns false for one who was removed, or has another password, meanwhile. */
  async signIn(c: Context, business: StoredBusiness, member: StaffMember): Promise<boolean> {
    const cookie = await this.staff.beginSession(member)
    if (cookie === null) return false
    // Without an age: the browser forgets it at its end, the store after twelve hours without use.
    setCookie(c, cookieName(business), cookie, {
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: managePath(business)
    })
    rememberBrowser(c, business, member)
    return true
  }

  /** Returns the cookie of a browser's session; empty without one. */
  session(c: Context, business: StoredBusiness): string {
    return getCookie(c, cookieName(business)) ?? ''
  }

  /** Ends the session of a browser, if it has one. */
  async signOut(c: Context, business: StoredBusiness): Promise<void> {
    const cookie = this.session(c, business)
    if (cookie !== '') await this.staff.endSession(cookie)
    deleteCookie(c, cookieName(business), { path: managePath(business), secure: true })
  }

  /** Responds that there is no such page. */
  respondNotFound(frame: Frame & { readonly c: Context }): Promise<Response> {
    const { m } = frame.locale
    return respondManagePage(frame.c, frame, {
      title: m.notFoundTitle(),
      body: html`<p>${m.notFoundText()}</p>`,
      status: 404
    })
  }

  /** Responds to a form that another site's page sent. */
  respondForged(c: Context, frame: Frame): Promise<Response> {
    const { address = pageAddress(c), locale } = frame
    const { m } = locale
    return respondManagePage(c, frame, {
      title: m.forgedTitle(),
      body: html`<p>${m.forgedText()}</p>
        <p><a class="button" href="${address}">${m.openAgain()}</a></p>`,
      status: 403
    })
  }

  async #visit(
    c: Context,
    role: StaffRole,
    address: string,
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
      const ended = cookie === '' ? '' : '&done=session-ended'
      return c.redirect(`${managePath(business, '/sign-in')}?to=${encodeURIComponent(address)}${ended}`, 303)
    }
    const path = (below: string): string => managePath(business, below)
    const visit = { c, address, business, member, locale, path, by: `staff:${member.id}` }
    if (isAllowed(member, role)) return answer(visit)
    const { m } = locale
    return respondManagePage(c, visit, {
      title: m.ownersOnlyTitle(),
      body: html`<p>${m.ownersOnlyText()}</p>
        <p><a class="button" href="${homePath(business, member)}">${m.customers()}</a></p>`,
      status: 403
    })
  }

  async #respondError(error: Error, c: Context): Promise<Response> {
    if (!(error instanceof HttpError)) this.dependencies.onInternalError(error, c.req.raw)
    const locale = manageLocaleOf(c, null)
    const { m } = locale
    const { status, headers } = httpErrorOf(error)
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    const text =
      status === 413
        ? { title: m.tooLargeTitle(), text: m.tooLargeText(), status }
        : status === 503
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
