/** One customer: points, every entry, and what staff may change. */
import { html } from 'hono/html'
import type { Standing } from '../../contract/earning-rules.ts'
import { isolateName, toAsciiDigits } from '../../contract/text.ts'
import { IRREVERSIBLE, type LedgerEntry } from '../domain/ledger.ts'
import { textAround, type Html } from '../html/document.ts'
import {
  countOf,
  customerName,
  dateTimeText,
  decimalText,
  numberText,
  phoneText,
  signedText,
  utcDayText
} from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { DeviceStore } from '../store/devices.ts'
import type { CustomerExport } from '../store/identities.ts'
import { StandingStore } from '../store/standing.ts'
import { NOTHING_TYPED } from '../html/typed-form.ts'
import { correctionText } from './correction.ts'
import { customerLines, pageNumberOf } from './customers.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { EntryWords, inOneLine } from './entry-words.ts'
import {
  buttonForm,
  confirmForm,
  hiddenFields,
  labelOf,
  requestField,
  textField,
  TYPED_FORM
} from '../html/fields.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

/** Entries of a page, the newest first. */
const PAGE_SIZE = 50

/** The number of a field for points; NaN, which the ledger refuses, for other text. */
const pointsOf = (text: string): number => {
  const plain = toAsciiDigits(text).replace(/^\u2212/, '-')
  return /^[+-]?\d{1,9}$/.test(plain) ? Number(plain) : Number.NaN
}

/** A customer's level, and the next points that end, in a line; nothing without both. */
const standingLine = ({ level, ending }: Standing, locale: ManageLocale): Html | '' => {
  const { m } = locale
  const texts = [
    level && m.customerLevel({ level: isolateName(level.name), factor: decimalText(level.factor, locale) }),
    ending &&
      m.customerEnding({
        ...{ number: numberText(ending.points, locale), date: utcDayText(ending.lastDay, locale) }
      })
  ].filter((text) => text !== null)
  return texts.length === 0 ? '' : html`<p>${texts.join(' · ')}</p>`
}

/** The routes below `/customers/`. */
export class CustomerPages {
  readonly #router: ManageRouter
  readonly #devices: DeviceStore
  readonly #standings: StandingStore

  constructor(router: ManageRouter) {
    this.#router = router
    this.#devices = new DeviceStore(router.dependencies)
    this.#standings = new StandingStore(router.dependencies.database, router.dependencies.now)
  }

  addRoutes(): void {
    const router = this.#router
    const form = (
      below: string,
      submit: (visit: ManageVisit, form: SentForm) => Promise<FormAnswer>
    ): void => {
      router.form(`/customers/:customer/${below}`, 'staff', {
        submit,
        page: '/customers/:customer'
      })
    }
    router.customerPage('', (visit, kept) => this.#show(visit, kept))
    form('adjust', (visit, sent) => this.#adjust(visit, sent))
    form('redeem', (visit, sent) => this.#redeem(visit, sent))
    router.customerPage('/merge', (visit, kept) => this.#askToMerge(visit, kept))
    form('merge', (visit, sent) => this.#merge(visit, sent))
    form('unlink', (visit, sent) => this.#unlink(visit, sent))
    router.customerPage('/data.json', (_visit, kept) => Promise.resolve(this.#export(kept)))
    router.customerPage('/erase', (visit, kept) => Promise.resolve(this.#askToErase(visit, kept)))
    form('erase', (visit) => this.#erase(visit))
  }

  async #show(visit: ManageVisit, kept: CustomerExport): Promise<ManagePage> {
    const { business, locale, path, typed } = visit
    const { m } = locale
    const { customer, merged, entries, corrections, devices } = kept
    const { dependencies } = this.#router
    const at = path(`/customers/${customer.id}`)
    const balance = countOf(customer.balance, locale)
    const standing = await this.#standings.find(business.key, customer.id)
    const rewards = await this.#router.rewards.all(business.key)
    const words = new EntryWords(locale, rewards, await this.#router.makers(business))
    // Those that were taken back, or whose points have expired.
    const ended = new Set(entries.flatMap(({ reverses, lot }) => [reverses, lot]))
    const affordable = rewards.filter(({ isEnable, cost }) => isEnable && cost <= customer.balance)
    const last = Math.max(1, Math.ceil(entries.length / PAGE_SIZE))
    const number = Math.min(last, pageNumberOf(visit.c))
    const pageLink = (to: number, text: string): Html =>
      html`<a class="button quiet" href="${at}?page=${to}#entries">${text}</a>`
    const entryRow = (entry: LedgerEntry): Html =>
      html`<li>
        <span
          >${words.what(entry)}<span class="below"
            >${inOneLine([dateTimeText(entry.at, locale), words.who(entry), entry.reason ?? ''])}</span
          ></span
        >
        <span class="number">${signedText(entry.points, locale)}</span>
        ${
          IRREVERSIBLE.has(entry.kind) || ended.has(entry.id)
            ? ''
            : html`<a
                class="button quiet"
                href="${at}/reverse?entry=${entry.id}"
                aria-label="${labelOf(m.reverse(), words.what(entry), signedText(entry.points, locale), dateTimeText(entry.at, locale))}"
                >${m.reverse()}</a
              >`
        }
      </li>`
    return {
      section: 'customers',
      title: customerName(customer),
      hasForm: true,
      back: { path: path('/customers'), text: m.customers() },
      body: html`<p>
          <bdi dir="ltr">${phoneText(customer.phone)}</bdi>
          ${customer.email === null ? '' : html`<br /><bdi>${customer.email}</bdi>`}
          ${
            merged.length === 0
              ? ''
              : html`<br /><span class="muted"
                    >${m.mergedWith({
                      names: merged
                        .map(({ name, phone }) =>
                          [name, phone === null ? '' : phoneText(phone)]
                            .filter((text) => text !== '')
                            .map(isolateName)
                            .join(' ')
                        )
                        .join(', ')
                    })}</span
                  >`
          }
        </p>
        <dl class="figures">
          <div>
            <dt>${m.balance()}</dt>
            <dd>${textAround(m.points(balance), balance.number)}</dd>
          </div>
          <div>
            <dt>${m.lifetimePoints()}</dt>
            <dd>${numberText(customer.lifetimePoints, locale)}</dd>
          </div>
        </dl>
        ${standing === null ? '' : standingLine(standing, locale)}
        ${customer.balance < 0 ? html`<p>${m.owed({ points: m.points(countOf(-customer.balance, locale)) })}</p>` : ''}
        <h2>${m.redeemReward()}</h2>
        ${
          affordable.length === 0
            ? html`<p class="muted">${m.nothingToRedeem()}</p>`
            : html`<ul class="rows">
                ${affordable.map(
                  ({ id, name, cost }) =>
                    html`<li>
                      <span><bdi>${name}</bdi></span>
                      <span class="number">${m.points(countOf(cost, locale))}</span>
                      <form method="post" action="${at}/redeem">
                        ${requestField(dependencies, typed.value('reward') === id ? typed : NOTHING_TYPED)}${hiddenFields({ reward: id, cost: String(cost) })}
                        <button class="quiet" aria-label="${m.redeemNamed({ name })}">${m.redeem()}</button>
                      </form>
                    </li>`
                )}
              </ul>`
        }
        <h2 id="entries">${m.entries()}</h2>
        ${
          entries.length === 0
            ? html`<p class="muted">${m.noEntries()}</p>`
            : html`<ul class="rows entries">
                ${entries
                  .toReversed()
                  .slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE)
                  .map(entryRow)}
              </ul>`
        }
        ${
          last === 1
            ? ''
            : html`<p class="buttons">
                ${number > 1 ? pageLink(number - 1, m.newerEntries()) : ''}
                ${number < last ? pageLink(number + 1, m.olderEntries()) : ''}
              </p>`
        }
        <h2>${m.adjustPoints()}</h2>
        <form method="post" action="${at}/adjust" class="narrow" id="${TYPED_FORM}">
          ${requestField(dependencies, typed)}
          ${textField({ name: 'points', label: m.pointsToGive(), hint: m.pointsToGiveHint(), kind: 'code', maxLength: 11 }, typed)}
          ${textField({ name: 'reason', label: m.reason(), hint: m.reasonHint() }, typed)}
          <button>${m.adjustPoints()}</button>
        </form>
        <h2>${m.linkedPhones()}</h2>
        ${
          devices.length === 0
            ? ''
            : html`<ul class="rows">
                ${devices.map(
                  ({ id, lastSeenAt }) =>
                    html`<li>
                      <span
                        >${m.linkedPhone()}<span class="below"
                          >${m.lastUsedAt({ time: dateTimeText(lastSeenAt, locale) })}</span
                        ></span
                      >
                      ${buttonForm(`${at}/unlink`, m.unlink(), {
                        hidden: { device: id },
                        label: labelOf(m.unlink(), m.lastUsedAt({ time: dateTimeText(lastSeenAt, locale) }))
                      })}
                    </li>`
                )}
              </ul>`
        }
        <p class="buttons"><a class="button quiet" href="${at}/link">${m.linkPhone()}</a></p>
        <h2>${m.customerData()}</h2>
        ${
          corrections.length === 0
            ? ''
            : html`<ul class="rows">
                ${corrections.toReversed().map(
                  (correction) =>
                    html`<li>
                      <span
                        >${correctionText(correction, locale)}<span class="below"
                          >${inOneLine([dateTimeText(correction.at, locale), words.who(correction)])}</span
                        ></span
                      >
                    </li>`
                )}
              </ul>`
        }
        <p class="buttons">
          <a class="button quiet" href="${at}/correct">${m.correct()}</a>
          <a class="button quiet" href="${path(`/customers?into=${customer.id}`)}">${m.merge()}</a>
          <a class="button quiet" href="${at}/data.json" download>${m.exportCustomer()}</a>
          <a class="button danger" href="${at}/erase">${m.erase()}</a>
        </p>`
    }
  }

  async #adjust({ business, c, by }: ManageVisit, sent: SentForm): Promise<FormAnswer> {
    const customer = c.req.param('customer') ?? ''
    const [points, reason, request] = [
      pointsOf(sent.text('points')),
      sent.text('reason'),
      sent.text('request')
    ]
    await this.#router.ledger.adjust({ business: business.key, customer, by, request, points, reason })
    return { to: `/customers/${customer}`, done: 'points-changed' }
  }

  async #redeem({ business, c, by }: ManageVisit, sent: SentForm): Promise<FormAnswer> {
    const customer = c.req.param('customer') ?? ''
    const [reward, request] = [sent.text('reward'), sent.text('request')]
    // What the page showed: a price that has changed since is refused.
    const cost = Number(sent.text('cost'))
    await this.#router.ledger.redeem({ business: business.key, customer, by, request, reward, cost })
    return { to: `/customers/${customer}`, done: 'reward-redeemed' }
  }

  async #askToMerge(
    { business, locale, path, c }: ManageVisit,
    { customer }: CustomerExport
  ): Promise<ManagePage | null> {
    const { m } = locale
    const other = await this.#router.identities.export(business.key, c.req.query('with') ?? '')
    if (other === null) return null
    const at = path(`/customers/${customer.id}`)
    const row = (each: CustomerExport['customer']): Html =>
      html`<li>
        <span>${customerLines(each)}</span>
        <span class="number">${m.points(countOf(each.balance, locale))}</span>
      </li>`
    return {
      section: 'customers',
      title: m.mergeTitle(),
      back: { path: at, text: customerName(customer) },
      body: html`<ul class="rows">
          ${row(customer)} ${row(other.customer)}
        </ul>
        ${confirmForm(`${at}/merge`, {
          text: m.mergeText({
            kept: isolateName(customerName(customer)),
            merged: isolateName(customerName(other.customer))
          }),
          button: m.merge(),
          cancel: { path: at, text: m.cancel() },
          hidden: { with: other.customer.id }
        })}`
    }
  }

  async #merge({ business, c }: ManageVisit, sent: SentForm): Promise<FormAnswer> {
    const customer = c.req.param('customer') ?? ''
    await this.#router.identities.merge(business.key, customer, sent.text('with'))
    return { to: `/customers/${customer}`, done: 'customers-merged' }
  }

  async #unlink({ business, c }: ManageVisit, sent: SentForm): Promise<FormAnswer> {
    const customer = c.req.param('customer') ?? ''
    await this.#devices.unlink(business.key, customer, sent.text('device'))
    return { to: `/customers/${customer}`, done: 'device-unlinked' }
  }

  #export(kept: CustomerExport): Response {
    return new Response(JSON.stringify(kept, null, 2), {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': `attachment; filename="customer-${kept.customer.id}.json"`,
        'Cache-Control': 'no-store'
      }
    })
  }

  #askToErase({ locale, path }: ManageVisit, { customer, merged }: CustomerExport): ManagePage {
    const { m } = locale
    const at = path(`/customers/${customer.id}`)
    const names = [customer, ...merged].map((each) => isolateName(customerName(each))).join(', ')
    return {
      section: 'customers',
      title: m.eraseTitle({ name: isolateName(customerName(customer)) }),
      back: { path: at, text: customerName(customer) },
      body: confirmForm(`${at}/erase`, {
        text: m.eraseText({ names }),
        button: m.erase(),
        cancel: { path: at, text: m.cancel() }
      })
    }
  }

  async #erase({ business, c }: ManageVisit): Promise<FormAnswer> {
    await this.#router.identities.erase(business.key, c.req.param('customer') ?? '')
    return { to: '/customers', done: 'customer-erased' }
  }
}
