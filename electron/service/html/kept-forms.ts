/**
 * Answers forms: each POST is answered by 303 to a page (RFC 9110, 15.4.4), which can be loaded again and returned to. What
 * was typed and what became of it is kept for that page, found by a random secret in its address.
 */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { newToken, type RandomBytes } from '../domain/identifiers.ts'
import type { Database } from '../store/database.ts'
import { KeptFormStore, type KeptForm } from '../store/kept-forms.ts'
import { withParameter } from './document.ts'

const PARAMETER = 'kept'
/** Names the browser, until it is closed. It opens nothing. */
const COOKIE = 'form'

/** What a page finds of the form that led to it. */
export interface FoundForm extends KeptForm {
  /** whether the browser has sent the cookie that it got with the redirection */
  readonly keepsCookies: boolean
}

const pathOf = (address: string): string => address.split('?', 1)[0] ?? ''

/** Keeps what forms leave for the pages that answer them. */
export class KeptForms {
  readonly #store: KeptFormStore
  readonly #random: RandomBytes

  constructor(dependencies: {
    readonly database: Database
    readonly now: () => Date
    readonly random: RandomBytes
  }) {
    this.#store = new KeptFormStore(dependencies)
    this.#random = dependencies.random
  }

  /**
   * Sends the browser to a page of this service, and keeps there what the form left, for half an hour.
   *
   * @param to path of the page, with its parameters
   * @param left what became of the form in a word of the page's own, and the texts that the page needs: never a password
   */
  async redirect(c: Context, to: string, left: Omit<KeptForm, 'page'>): Promise<Response> {
    const known = getCookie(c, COOKIE)
    const browser = known ?? newToken(this.#random)
    const secret = await this.#store.keep({ ...left, page: pathOf(to) }, browser, known !== undefined)
    if (known === undefined) {
      setCookie(c, COOKIE, browser, { httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })
    }
    return c.redirect(withParameter(to, PARAMETER, secret), 303)
  }

  /** Returns what a form left for the page of a request; null without a form, after its time, and in another browser. */
  async find(c: Context): Promise<FoundForm | null> {
    const secret = c.req.query(PARAMETER)
    if (secret === undefined) return null
    const browser = getCookie(c, COOKIE)
    const form = await this.#store.find(secret, browser)
    return form?.page === c.req.path ? { ...form, keepsCookies: browser !== undefined } : null
  }
}
