/** *Slips without a connection*, reached from *Tills*: which tills print them, what was not taken, and the limits. */
import { html } from 'hono/html'
import { groupedCode } from '../../contract/code-groups.ts'
import type { OfflineRefusal } from '../../contract/offline.ts'
import { OFFLINE_DAYS, OFFLINE_POINTS_OF_CODE, OFFLINE_POINTS_OF_DAY } from '../domain/businesses.ts'
import { normalizeCode } from '../domain/codes.ts'
import { dayOf } from '../domain/days.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Html } from '../html/document.ts'
import { buttonForm, confirmForm, labelOf, textField, TYPED_FORM } from '../html/fields.ts'
import { countOf, dateTimeText, numberText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { BusinessStore } from '../store/businesses.ts'
import { OfflineCodeStore } from '../store/offline-codes.ts'
import { OfflineKeyStore } from '../store/offline-keys.ts'
import { newestRefusals, type RefusedCode } from '../store/offline-refusals.ts'
import { EntryWords, inOneLine } from './entry-words.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'
import type { FormAnswer, ManageRouter, ManageVisit } from './manage-router.ts'
import { numberIn } from './number-in.ts'

/** Where the page is, below the shop's. */
export const OFFLINE_PATH = '/offline'

/** Refused codes of a page. */
const PAGE_SIZE = 30

const REASONS: Readonly<Record<OfflineRefusal, (m: ManageLocale['m']) => string>> = {
  'key-unknown': (m) => m.offlineRevoked(),
  'key-revoked': (m) => m.offlineRevoked(),
  'above-code-limit': (m) => m.offlineAboveCode(),
  'above-day-limit': (m) => m.offlineAboveDay(),
  'day-not-allowed': (m) => m.offlineWrongDay()
}

/** The routes of the page and of its forms. */
export class OfflinePages {
  readonly #router: ManageRouter
  readonly #keys: OfflineKeyStore
  readonly #codes: OfflineCodeStore

  constructor(router: ManageRouter) {
    this.#router = router
    this.#keys = new OfflineKeyStore(router.dependencies)
    this.#codes = new OfflineCodeStore(router.dependencies)
  }

  addRoutes(): void {
    const router = this.#router
    const till = `${OFFLINE_PATH}/tills/:till`
    router.page(OFFLINE_PATH, 'owner', (visit) => this.#show(visit))
    router.form(OFFLINE_PATH, 'owner', { submit: (visit, form) => this.#setLimits(visit, form) })
    router.page(`${till}/stop`, 'owner', (visit) => this.#askToStop(visit))
    router.form(`${till}/stop`, 'owner', { submit: (visit) => this.#stop(visit), page: OFFLINE_PATH })
    router.form(`${till}/resume`, 'owner', { submit: (visit) => this.#resume(visit), page: OFFLINE_PATH })
    router.form(`${OFFLINE_PATH}/codes/:refused/allow`, 'owner', {
      submit: (visit) => this.#allow(visit),
      page: OFFLINE_PATH
    })
  }

  #tills({ business }: ManageVisit): ReturnType<OfflineKeyStore['tills']> {
    return this.#keys.tills(business.key, dayOf(this.#router.dependencies.now(), business.timeZone))
  }

  async #show(visit: ManageVisit): Promise<ManagePage> {
    const { business, locale, path, typed } = visit
    const { m } = locale
    const { pointsOfCode, pointsOfDay, days } = business.offlineLimits
    const tills = await this.#tills(visit)
    return {
      section: 'tills',
      title: m.offlineTitle(),
      hasForm: true,
      back: { path: path('/tills'), text: m.tills() },
      body: html`<p>${m.offlineText()}</p>
        ${
          tills.length === 0
            ? html`<p>${m.noTills()}</p>`
            : html`<ul class="rows">
                ${tills.map((till) => this.#till(visit, till))}
              </ul>`
        }
        <h2>${m.offlineRefusedTitle()}</h2>
        ${await this.#refused(visit)}
        <h2>${m.offlineLimits()}</h2>
        <form method="post" action="${path(OFFLINE_PATH)}" class="narrow" id="${TYPED_FORM}">
          ${textField({ name: 'pointsOfCode', label: m.offlinePointsOfCode(), value: String(pointsOfCode), kind: 'number', range: OFFLINE_POINTS_OF_CODE }, typed)}
          ${textField({ name: 'pointsOfDay', label: m.offlinePointsOfDay(), value: String(pointsOfDay), kind: 'number', range: OFFLINE_POINTS_OF_DAY, hint: m.offlinePointsOfDayHint() }, typed)}
          ${textField({ name: 'days', label: m.offlineDays(), value: String(days), kind: 'number', range: OFFLINE_DAYS, hint: m.offlineDaysHint() }, typed)}
          <p class="muted">${m.offlineLimitsText()}</p>
          <button>${m.save()}</button>
        </form>`
    }
  }

  #till(
    { business, locale, path }: ManageVisit,
    { id, name, stoppedAt, points }: Awaited<ReturnType<OfflineKeyStore['tills']>>[number]
  ): Html {
    const { m } = locale
    const { pointsOfDay, days } = business.offlineLimits
    const state =
      stoppedAt !== null
        ? m.offlineStoppedAt({ time: dateTimeText(stoppedAt, locale) })
        : days === 0
          ? m.offlineOff()
          : m.offlineOn()
    const today = m.offlineToday({
      points: numberText(points, locale),
      limit: numberText(pointsOfDay, locale)
    })
    const at = path(`${OFFLINE_PATH}/tills/${id}`)
    return html`<li>
      <span class="${stoppedAt === null ? '' : 'off'}"
        ><bdi>${name}</bdi><span class="below">${inOneLine([state, today])}</span></span
      >
      ${
        stoppedAt === null
          ? html`<a class="button danger" href="${at}/stop" aria-label="${m.offlineStopTill({ name })}"
              >${m.offlineStop()}</a
            >`
          : buttonForm(`${at}/resume`, m.offlineResume(), { label: labelOf(m.offlineResume(), name) })
      }
    </li>`
  }

  /** What was not taken, with what became of it. */
  async #refused({ business, locale, path, c }: ManageVisit): Promise<Html> {
    const { m } = locale
    const after = c.req.query('after') ?? null
    const { database } = this.#router.dependencies
    const rows = await newestRefusals(database, business.key, { after, limit: PAGE_SIZE + 1 })
    if (rows.length === 0) return html`<p>${m.offlineNoneRefused()}</p>`
    const words = new EntryWords(locale, [], await this.#router.makers(business))
    const shown = rows.slice(0, PAGE_SIZE)
    const older = path(`${OFFLINE_PATH}?after=${shown.at(-1)?.code ?? ''}`)
    return html`<p>${m.offlineRefusedText()}</p>
      <ul class="rows">
        ${shown.map((each) => this.#refusedCode(each, words, path, locale))}
      </ul>
      ${
        rows.length > PAGE_SIZE
          ? html`<p><a class="button quiet" href="${older}">${m.olderCodes()}</a></p>`
          : ''
      }`
  }

  #refusedCode(
    { code, till, points, reason, seenAt, seenBy, allowedAt, allowedBy, isTaken }: RefusedCode,
    words: EntryWords,
    path: (below: string) => string,
    locale: ManageLocale
  ): Html {
    const { m } = locale
    const time = dateTimeText(seenAt, locale)
    const seen = seenBy === 'report' ? m.offlineReported({ time }) : m.offlineShown({ time })
    const allowed =
      allowedAt === null
        ? [m.offlineTaken()]
        : [m.offlineAllowedAt({ time: dateTimeText(allowedAt, locale) }), words.who({ by: allowedBy ?? '' })]
    const name = html`<bdi dir="ltr" class="long">${groupedCode(code)}</bdi>`
    return html`<li>
      <span class="${isTaken === 1 ? 'off' : ''}"
        >${isTaken === 1 ? html`<a href="${path(`/codes/${code}`)}">${name}</a>` : name}<span class="below"
          >${REASONS[reason](m)}</span
        ><span class="below">${inOneLine([words.who({ by: `till:${till}` }), seen])}</span>${
          isTaken === 1 ? html`<span class="below">${inOneLine(allowed)}</span>` : ''
        }</span
      >
      <span class="number">${m.points(countOf(points, locale))}</span>
      ${
        isTaken === 1
          ? ''
          : buttonForm(path(`${OFFLINE_PATH}/codes/${code}/allow`), m.offlineAllow(), {
              label: labelOf(m.offlineAllow(), groupedCode(code))
            })
      }
    </li>`
  }

  async #setLimits({ business }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    await new BusinessStore(this.#router.dependencies.database).setOfflineLimits(business.key, {
      pointsOfCode: numberIn(form, 'pointsOfCode', OFFLINE_POINTS_OF_CODE),
      pointsOfDay: numberIn(form, 'pointsOfDay', OFFLINE_POINTS_OF_DAY),
      days: numberIn(form, 'days', OFFLINE_DAYS)
    })
    return { to: OFFLINE_PATH, done: 'saved' }
  }

  async #askToStop(visit: ManageVisit): Promise<ManagePage | null> {
    const { locale, path, c } = visit
    const { m } = locale
    const till = (await this.#tills(visit)).find(({ id }) => id === c.req.param('till'))
    if (till === undefined) return null
    return {
      section: 'tills',
      title: m.offlineStopTill({ name: till.name }),
      back: { path: path(OFFLINE_PATH), text: m.offlineTitle() },
      body: confirmForm(c.req.path, {
        text: m.offlineStopText(),
        button: m.offlineStop(),
        cancel: { path: path(OFFLINE_PATH), text: m.cancel() }
      })
    }
  }

  async #stop({ business, c }: ManageVisit): Promise<FormAnswer> {
    const isStopped = await this.#keys.stop(business.key, c.req.param('till') ?? '')
    return changed(isStopped, 'offline-stopped')
  }

  async #resume({ business, c }: ManageVisit): Promise<FormAnswer> {
    const isResumed = await this.#keys.resume(business.key, c.req.param('till') ?? '')
    return changed(isResumed, 'offline-resumed')
  }

  async #allow({ business, by, c }: ManageVisit): Promise<FormAnswer> {
    await this.#codes.allow(business.key, normalizeCode(c.req.param('refused') ?? ''), by)
    return { to: OFFLINE_PATH, done: 'offline-allowed' }
  }
}

/** The answer of a form that changes a till. Throws a `Refusal` where there is none. */
const changed = (isChanged: boolean, done: 'offline-stopped' | 'offline-resumed'): FormAnswer => {
  if (!isChanged) throw new Refusal('till-unknown', 'There is no such till.')
  return { to: OFFLINE_PATH, done }
}
