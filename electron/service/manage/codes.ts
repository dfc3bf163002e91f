/** *Codes*: find one, cancel it, the newest of the shop or of a till and cashier, and who collects most. */
import { groupedCode } from '../../contract/code-groups.ts'
import { html } from 'hono/html'
import type { StoredBusiness } from '../domain/businesses.ts'
import { codeStatus, normalizeCode, type StoredCode } from '../domain/codes.ts'
import { dayOf, shiftDay } from '../domain/days.ts'
import { Refusal } from '../domain/refusal.ts'
import { textAround, type Html } from '../html/document.ts'
import { countOf, customerName, dateTimeText } from '../html/locale.ts'
import { CodeStore } from '../store/codes.ts'
import { returnsOf } from '../store/return-rows.ts'
import { StatisticsStore, type Collector } from '../store/statistics.ts'
import { MakerChoice } from './maker-choice.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { confirmForm, textField, TYPED_FORM } from '../html/fields.ts'
import { TypedForm } from '../html/typed-form.ts'
import { EntryWords, inOneLine } from './entry-words.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

const PAGE_SIZE = 30
/** Days in which who collects most is counted, and how many are shown. */
const COLLECTOR_DAYS = 30
const COLLECTORS = 10

/** The state of a code in words. */
const statusText = (code: StoredCode, now: Date, locale: ManageLocale): string => {
  const { m } = locale
  const time = (at: string | null): string => dateTimeText(at ?? code.expiresAt, locale)
  return {
    active: () => m.codeActive({ time: time(code.expiresAt) }),
    used: () => m.codeUsed({ time: time(code.usedAt) }),
    expired: () => m.codeExpired({ time: time(code.expiresAt) }),
    cancelled: () => m.codeCancelledAt({ time: time(code.cancelledAt) })
  }[codeStatus(code, now)]()
}

/** How a code was made: without a connection, by which till and cashier, and for which bill; each is empty where it is not so. */
const madeBy = (
  { till, cashier, reference, offlineDay }: StoredCode,
  words: EntryWords,
  { m }: ManageLocale
): readonly string[] => [
  offlineDay === null ? '' : m.codeOffline(),
  till === null ? '' : words.who({ by: `till:${till}`, cashier }),
  reference ?? ''
]

/** The routes of *Codes*. */
export class CodePages {
  readonly #router: ManageRouter
  readonly #codes: CodeStore

  constructor(router: ManageRouter) {
    this.#router = router
    this.#codes = new CodeStore(router.dependencies.database)
  }

  addRoutes(): void {
    const router = this.#router
    router.page('/codes', 'staff', (visit) => this.#list(visit))
    router.page('/codes/:code', 'staff', (visit) => this.#show(visit))
    router.form('/codes/:code/cancel', 'staff', {
      submit: (visit) => this.#cancel(visit),
      page: '/codes/:code'
    })
  }

  async #list(visit: ManageVisit): Promise<ManagePage | Response> {
    const { business, locale, path, c } = visit
    const { m } = locale
    const { database, now } = this.#router.dependencies
    const text = c.req.query('code')?.trim() ?? ''
    if (text !== '') {
      const code = normalizeCode(text)
      if ((await this.#codes.find(business.key, code)) !== null)
        return c.redirect(path(`/codes/${code}`), 303)
    }
    const fault = text === '' ? null : { field: 'code', text: m.noSuchCode({ code: text }) }
    const typed = new TypedForm({ code: text }, fault)
    const after = c.req.query('after') ?? null
    const makers = await MakerChoice.of(database, visit)
    const rows = await this.#codes.newest(business.key, { after, limit: PAGE_SIZE + 1, by: makers.chosen })
    const shown = rows.slice(0, PAGE_SIZE)
    const words = await this.#words(business, locale)
    const last = dayOf(now(), business.timeZone)
    const collectors = await new StatisticsStore(database).topCollectors(
      business,
      shiftDay(last, 1 - COLLECTOR_DAYS),
      last,
      COLLECTORS
    )
    return {
      section: 'codes',
      title: m.codes(),
      hasForm: true,
      ...(text === '' ? {} : { status: 404 as const }),
      body: html`<form method="get" action="${path('/codes')}" class="line" role="search" id="${TYPED_FORM}">
          ${textField({ name: 'code', label: m.codeOnSlip(), kind: 'code', maxLength: 60, isOptional: true }, typed)}
          ${makers.fields}
          <button>${m.find()}</button>
        </form>
        <h2>${m.newestCodes()}</h2>
        ${
          shown.length === 0
            ? html`<p>${makers.isNarrowed ? m.noCodesOfChoice() : m.noCodes()}</p>`
            : html`<ul class="rows">
                ${shown.map((code) => this.#row(code, words, path, locale))}
              </ul>`
        }
        ${
          rows.length > PAGE_SIZE
            ? html`<p>
                <a
                  class="button quiet"
                  href="${path(`/codes?after=${shown.at(-1)?.code ?? ''}${makers.parameters}`)}"
                  >${m.olderCodes()}</a
                >
              </p>`
            : ''
        }
        ${collectors.length === 0 ? '' : this.#collectors(collectors, path, locale)}`
    }
  }

  /** Who issues codes, in words. */
  async #words(business: StoredBusiness, locale: ManageLocale): Promise<EntryWords> {
    return new EntryWords(locale, [], await this.#router.makers(business))
  }

  #row(code: StoredCode, words: EntryWords, path: (below: string) => string, locale: ManageLocale): Html {
    const status = statusText(code, this.#router.dependencies.now(), locale)
    return html`<li>
      <a class="whole" href="${path(`/codes/${code.code}`)}"
        ><bdi dir="ltr" class="${code.offlineDay === null ? '' : 'long'}">${groupedCode(code.code)}</bdi
        ><span class="below">${inOneLine([status, ...madeBy(code, words, locale)])}</span></a
      >
      <span class="number">${locale.m.points(countOf(code.points, locale))}</span>
    </li>`
  }

  #collectors(collectors: readonly Collector[], path: (below: string) => string, locale: ManageLocale): Html {
    const { m } = locale
    return html`<h2>${m.collectorsTitle()}</h2>
      <p class="muted">${m.collectorsText()}</p>
      <ul class="rows">
        ${collectors.map(
          ({ id, points, codes, ...customer }) =>
            html`<li>
              <a class="whole" href="${path(`/customers/${id}`)}"
                ><bdi>${customerName(customer)}</bdi
                ><span class="below">${m.slipCount(countOf(codes, locale))}</span></a
              >
              <span class="number">${m.points(countOf(points, locale))}</span>
            </li>`
        )}
      </ul>`
  }

  async #show({ business, locale, path, c }: ManageVisit): Promise<ManagePage | null> {
    const { m } = locale
    const now = this.#router.dependencies.now()
    const code = await this.#codes.find(business.key, normalizeCode(c.req.param('code') ?? ''))
    if (code === null) return null
    const collection = await this.#codes.collection(business.key, code.code)
    const status = codeStatus(code, now)
    const words = await this.#words(business, locale)
    const returns = await returnsOf(this.#router.dependencies.database, { target: 'code', name: code.code })
    // Then the entry is not taken back as a whole.
    const wasReturned = returns.some((each) => each.points > 0)
    const points = countOf(code.points, locale)
    const issued = m.codeIssued({ time: dateTimeText(code.createdAt, locale) })
    return {
      section: 'codes',
      title: m.codeTitle({ code: groupedCode(code.code) }),
      back: { path: path('/codes'), text: m.codes() },
      body: html`<dl class="figures">
          <div>
            <dt>${m.value()}</dt>
            <dd>${textAround(m.points(points), points.number)}</dd>
          </div>
        </dl>
        <p>${statusText(code, now, locale)}</p>
        <p class="muted">${inOneLine([issued, ...madeBy(code, words, locale)])}</p>
        ${returns.map((each) => {
          const time = dateTimeText(each.at, locale)
          const text = m.codeReturned({ time, points: m.points(countOf(each.points, locale)) })
          return html`<p>${inOneLine([text, each.reason ?? ''])}</p>`
        })}
        ${
          collection === null
            ? ''
            : html`<p>
                  ${collection.reversal === null ? m.collectedBy() : m.collectedAndReversed()}
                  <a href="${path(`/customers/${collection.customer}`)}"
                    ><bdi>${customerName(collection, m.erasedCustomer())}</bdi></a
                  >
                </p>
                ${collection.reversal === null && !wasReturned ? html`<p class="muted">${m.reverseHint()}</p>` : ''}`
        }
        ${
          status === 'active'
            ? html`<h2>${m.cancelCode()}</h2>
                ${confirmForm(path(`/codes/${code.code}/cancel`), {
                  text: m.cancelCodeText(),
                  button: m.cancelCode(),
                  cancel: { path: path('/codes'), text: m.keepCode() }
                })}`
            : ''
        }`
    }
  }

  async #cancel({ business, c }: ManageVisit): Promise<FormAnswer> {
    const code = normalizeCode(c.req.param('code') ?? '')
    const at = this.#router.dependencies.now().toISOString()
    if (!(await this.#codes.cancel(business.key, code, at))) {
      throw new Refusal('code-used', 'A code that was collected cannot be cancelled.')
    }
    return { to: `/codes/${code}`, done: 'code-cancelled' }
  }
}
