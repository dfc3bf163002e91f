/**
 * Answers forms: each POST is answered by 303 to a page (RFC 9110, 15.4.4), which can be loaded again and returned to. What
 * was typed and what became of it is kept for that page, found by a random secret in its address.
 */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { HttpError, httpErrorOf } from '../api/responses.ts'
import { newToken, type RandomBytes } from '../domain/identifiers.ts'
import type { Database } from '../store/database.ts'
import { KEPT_MS, KeptFormStore, sealForm, unsealForm, type KeptForm } from '../store/kept-forms.ts'
import type { Statement } from '../store/rows.ts'
import { atSlot } from './answer-slots.ts'
import { withParameter } from './document.ts'
import { readForm, SentForm } from './sent-form.ts'

const PARAMETER = 'kept'
/** Names the browser, until it is closed. It opens nothing. */
const COOKIE = 'form'
/** Has what was typed into the last form that was not taken. */
const TYPED_COOKIE = 'typed'
/** Characters of that cookie: browsers refuse more than 4096 bytes with its name and attributes (RFC 6265bis, 5.5). */
const MAX_COOKIE = 3500

/** The parameters of a page's address that say why a form was not taken, and for how many minutes none will be. */
const NOTICE = 'notice'
const WAIT = 'wait'
const NOTICES = ['forged', 'too-large', 'failed', 'no-cookies'] as const

/** Why a form was not taken, or the minutes for which none will be. */
export type FormNotice = (typeof NOTICES)[number] | number

/** The outcome of a form that is not sent yet, or not taken for a reason that is not in it. */
export const TYPED = 'typed'

/** What a page finds of the form that led to it. */
export interface FoundForm extends KeptForm {
  /** whether the browser has sent the cookie that it got with the redirection */
  readonly keepsCookies: boolean
}

/** What a form leaves, which is not kept yet. */
export interface LeftForm {
  /** keeps it */
  readonly statement: Statement
  /** Sends the browser to its page, once it is kept. */
  readonly respond: () => Response
}

interface KeptFormsDependencies {
  readonly database: Database
  /** origin of the service as browsers reach it */
  readonly publicUrl: string
  readonly now: () => Date
  readonly random: RandomBytes
  readonly onInternalError: (error: unknown, request?: Request) => void
}

const pathOf = (address: string): string => address.split('?', 1)[0] ?? ''

/** The address of a page that says why a form was not taken. */
export const withNotice = (address: string, notice: FormNotice): string =>
  withParameter(address, typeof notice === 'number' ? WAIT : NOTICE, String(notice))

/** Returns what a page's address says of a form that was not taken, or null. */
export const noticeOf = (c: Context): FormNotice | null => {
  const wait = c.req.query(WAIT) ?? ''
  return /^\d{1,2}$/.test(wait)
    ? Number(wait)
    : (NOTICES.find((notice) => notice === c.req.query(NOTICE)) ?? null)
}

/** Reads forms, and keeps what they leave for the pages that answer them. */
export class KeptForms {
  readonly #dependencies: KeptFormsDependencies
  readonly #store: KeptFormStore
  /** the forms that were read, by their requests */
  readonly #read = new WeakMap<Request, SentForm>()

  constructor(dependencies: KeptFormsDependencies) {
    this.#dependencies = dependencies
    this.#store = new KeptFormStore(dependencies)
  }

  /** Returns the form of a POST, or null for one that another site's page sends. Throws an `HttpError` above `maxBytes`. */
  async read(c: Context, maxBytes?: number): Promise<SentForm | null> {
    const form = await readForm(c, this.#dependencies.publicUrl, maxBytes)
    if (form !== null) this.#read.set(c.req.raw, form)
    return form
  }

  /**
   * Answers a form, at a moment that does not tell what was found for it. One whose answer fails is given back at its page, whose
   * address `pageOf` returns.
   */
  answer(c: Context, pageOf: (form: SentForm) => string, answer: () => Promise<Response>): Promise<Response> {
    return atSlot(async () => {
      try {
        return await answer()
      } catch (error) {
        if (!(error instanceof HttpError)) this.#dependencies.onInternalError(error, c.req.raw)
        const notice = httpErrorOf(error).status === 413 ? 'too-large' : 'failed'
        const form = this.#read.get(c.req.raw) ?? (await this.read(c).catch(() => null)) ?? new SentForm()
        return this.giveBack(c, pageOf(form), notice, form)
      }
    })
  }

  /**
   * Sends the browser to a page of this service, and keeps there what the form left, for half an hour.
   *
   * @param to path of the page, with its parameters
   * @param left what became of the form in a word of the page's own, and the texts that the page needs: never a password
   */
  async redirect(c: Context, to: string, left: Omit<KeptForm, 'page'>): Promise<Response> {
    const { statement, respond } = this.prepare(c, to, left)
    await this.#dependencies.database.write(statement.sql, statement.values)
    return respond()
  }

  /** Does as `redirect`, for a form whose changes the caller commits together with what it leaves. */
  prepare(c: Context, to: string, left: Omit<KeptForm, 'page'>): LeftForm {
    const known = getCookie(c, COOKIE)
    const browser = known ?? newToken(this.#dependencies.random)
    const kept = this.#store.prepare({ ...left, page: pathOf(to) }, browser, known !== undefined)
    const respond = (): Response => {
      if (known === undefined) {
        setCookie(c, COOKIE, browser, { httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })
      }
      return c.redirect(withParameter(to, PARAMETER, kept.secret), 303)
    }
    return { statement: kept.statement, respond }
  }

  /** Sends the browser to a page of this service that says why the form was not taken, and has what was typed. */
  giveBack(c: Context, to: string, notice: FormNotice, { texts }: SentForm): Response {
    return c.redirect(this.leaveInBrowser(c, withNotice(to, notice), { outcome: TYPED, texts }), 303)
  }

  /**
   * Returns the address of a page of this service that finds what a form left, as `redirect` says. The browser keeps that
   * itself, without texts that are too long: there may be no limit to such forms, and nothing that can be stored.
   */
  leaveInBrowser(c: Context, to: string, left: Omit<KeptForm, 'page'>): string {
    const secret = newToken(this.#dependencies.random)
    const path = pathOf(to)
    const whole = sealForm({ ...left, page: path }, secret)
    const sealed = whole.length <= MAX_COOKIE ? whole : sealForm({ ...left, page: path, texts: {} }, secret)
    const maxAge = KEPT_MS / 1000
    setCookie(c, TYPED_COOKIE, sealed, { httpOnly: true, secure: true, sameSite: 'Lax', path, maxAge })
    return withParameter(to, PARAMETER, secret)
  }

  /** Returns what a form left for the page of a request; null without a form, after its time, and in another browser. */
  async find(c: Context): Promise<FoundForm | null> {
    const secret = c.req.query(PARAMETER)
    if (secret === undefined) return null
    const browser = getCookie(c, COOKIE)
    const form = (await this.#store.find(secret, browser)) ?? this.#givenBack(c, secret)
    return form?.page === c.req.path ? { ...form, keepsCookies: browser !== undefined } : null
  }

  #givenBack(c: Context, secret: string): KeptForm | null {
    const sealed = getCookie(c, TYPED_COOKIE)
    if (sealed === undefined) return null
    try {
      return unsealForm(sealed, secret)
    } catch {
      return null
    }
  }
}
