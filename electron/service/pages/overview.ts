/** What the page of a linked device shows, and that of another one. */
import { html } from 'hono/html'
import { CHECK, textAround, withParameter, type Html } from '../html/document.ts'
import { hiddenFields, TYPED_FORM } from '../html/fields.ts'
import { countOf, customerName, dayText, gainOf, numberText, signedText } from '../html/locale.ts'
import { SHOWN_COLLECTED, type CollectedCode } from '../store/devices.ts'
import type { Standing } from '../../contract/earning-rules.ts'
import type { CustomerExport } from '../store/identities.ts'
import type { RewardStore } from '../store/rewards.ts'
import type { CustomerLocale } from './customer-locale.ts'
import { birthdayForm } from './birthday.ts'
import { accountPath, pathWithLanguage, type CustomerPage } from './page.ts'
import { standingLines } from './standing.ts'
import type { CustomerRequest } from './customer-requests.ts'

/** Entries that the page shows, the newest first. */
export const SHOWN_ENTRIES = 50

type Rewards = Awaited<ReturnType<RewardStore['all']>>

/** What differs between the pages of a linked device and of another. */
type Content = Pick<CustomerPage, 'title' | 'figure' | 'body' | 'more' | 'side' | 'form' | 'hasFrame'>

const kindText = (kind: CustomerExport['entries'][number]['kind'], { m }: CustomerLocale): string =>
  ({
    collected: m.kindCollected,
    credited: m.kindCredited,
    returned: m.kindReturned,
    redeemed: m.kindRedeemed,
    adjusted: m.kindAdjusted,
    reversed: m.kindReversed,
    imported: m.kindImported,
    welcomed: m.kindWelcomed,
    birthday: m.kindBirthday,
    expired: m.kindExpired
  })[kind]()

/** @param below the second line, or nothing */
const row = (name: string, below: Html | string, number: string, more: Html | string = ''): Html =>
  html`<li>
    <span><bdi>${name}</bdi> <span class="below">${below}</span></span>
    <span class="number">${number}</span>${more}
  </li>`

/** A form with one button. */
export const oneButtonForm = (
  path: string,
  text: string,
  locale: CustomerLocale,
  {
    style = '',
    hidden = {}
  }: { readonly style?: string; readonly hidden?: Readonly<Record<string, string>> } = {}
): Html =>
  html`<form method="post" action="${pathWithLanguage(path, locale)}">
    ${hiddenFields(hidden)}
    <button class="${style}">${text}</button>
  </form>`

/**
 * The rewards: what can be had first, then what needs the fewest points more.
 *
 * @param balance null where it is not known; then in the shop's order
 */
const rewardList = (all: Rewards, balance: number | null, locale: CustomerLocale): Html | '' => {
  const { m } = locale
  const rewards = all.filter(({ isEnable }) => isEnable)
  if (rewards.length === 0) return ''
  const missing = (cost: number): number => (balance === null ? 0 : Math.max(0, cost - balance))
  const rewardRow = ({ name, cost }: Rewards[number]): Html => {
    const price = m.points(countOf(cost, locale))
    if (balance === null) return row(name, '', price)
    if (missing(cost) === 0) return row(name, html`<span class="can">${CHECK} ${m.canHave()}</span>`, price)
    const bar = html`<progress aria-hidden="true" max="${cost}" value="${Math.max(0, balance)}"></progress>`
    return row(name, m.missing(countOf(missing(cost), locale)), price, bar)
  }
  return html`<h2>${m.rewards()}</h2>
    <p class="muted">${m.rewardsText()}</p>
    <ul class="rows">
      ${rewards.toSorted((one, other) => missing(one.cost) - missing(other.cost)).map(rewardRow)}
    </ul>`
}

const entryRow = (
  { kind, at, points, reward }: CustomerExport['entries'][number],
  rewards: Rewards,
  locale: CustomerLocale
): Html => {
  const name = kind === 'redeemed' ? rewards.find(({ id }) => id === reward)?.name : undefined
  const day = dayText(at, locale)
  const gained = signedText(points, locale)
  return name === undefined
    ? row(kindText(kind, locale), day, gained)
    : row(name, `${kindText(kind, locale)} · ${day}`, gained)
}

/** A linked device, with the way to the question whether to unlink it. */
const deviceRow = (
  { id, lastSeenAt }: CustomerExport['devices'][number],
  { business, locale, device }: CustomerRequest
): Html => {
  const { m } = locale
  const date = dayText(lastSeenAt, locale)
  const [before = '', after = ''] = m.lastUsed({ date }).split(date)
  const other = html`${m.otherDevice()}
    <span class="below">${before}<span class="day">${date}</span>${after}</span>`
  const path = withParameter(accountPath(business, '/unlink'), 'device', id)
  return html`<li>
    <span>${id === device?.id ? m.thisDevice() : other}</span>
    <a class="button quiet" href="${pathWithLanguage(path, locale)}">${m.unlink()}</a>
  </li>`
}

/** Devices that were unlinked a moment ago. */
const undoRows = (unlinked: readonly string[], { business, locale, device }: CustomerRequest): Html => {
  const { m } = locale
  return html`${unlinked.map(
    (id) =>
      html`<li>
        <span role="status">${id === device?.id ? m.unlinkedThis() : m.unlinkedOther()}</span>
        ${oneButtonForm(accountPath(business, '/relink'), m.undo(), locale, { style: 'quiet', hidden: { device: id } })}
      </li>`
  )}`
}

/**
 * The page of a linked device.
 *
 * @param birthdayPoints that the shop gives on a birthday; 0: none
 * @param code what shows the code for the till
 * @param unlinked ids of devices that can be linked again
 */
export const linkedContent = (
  request: CustomerRequest,
  {
    kept: { customer, birthday, entries, devices },
    standing,
    birthdayPoints,
    rewards,
    code,
    unlinked
  }: {
    /** with the entries that are shown, the newest first */
    readonly kept: Pick<CustomerExport, 'customer' | 'birthday' | 'entries' | 'devices'>
    readonly standing: Standing
    readonly birthdayPoints: number
    readonly rewards: Rewards
    readonly code: Html
    readonly unlinked: readonly string[]
  }
): Content => {
  const { business, locale, device } = request
  const { m } = locale
  const balance = countOf(customer.balance, locale)
  const ownFirst = devices.toSorted(
    (one, other) => Number(other.id === device?.id) - Number(one.id === device?.id)
  )
  const ofBirthday = birthdayForm(request, { birthday, points: birthdayPoints })
  return {
    title: m.balance(),
    figure: textAround(m.points(balance), balance.number),
    hasFrame: true,
    ...(ofBirthday?.hasFields === true ? { form: TYPED_FORM } : {}),
    body: html`<p><bdi>${customerName(customer)}</bdi></p>
      ${customer.balance < 0 ? html`<p>${m.owed({ points: m.points(countOf(-customer.balance, locale)) })}</p>` : ''}
      ${standingLines(standing, locale)}
      <hr />
      ${code}`,
    more: html`${rewardList(rewards, customer.balance, locale)}
      <h2>${m.history()}</h2>
      ${entries.length === 0 ? html`<p class="muted">${m.nothingYet()}</p>` : ''}
      <ul class="rows">
        ${entries.map((entry) => entryRow(entry, rewards, locale))}
      </ul>
      ${
        entries.length < SHOWN_ENTRIES
          ? ''
          : html`<p class="muted">
              ${m.newestEntries({ count: numberText(SHOWN_ENTRIES, locale), button: m.saveData() })}
            </p>`
      }`,
    side: html`<h2 id="devices">${m.devices()}</h2>
      <ul class="rows">
        ${ownFirst.map((each) => deviceRow(each, request))} ${undoRows(unlinked, request)}
      </ul>
      ${ofBirthday?.content}
      <h2>${m.myData()}</h2>
      <a class="button quiet" href="${accountPath(business, '/data.json')}" download>${m.saveData()}</a>
      <a class="button danger" href="${pathWithLanguage(accountPath(business, '/delete'), locale)}"
        >${m.deleteMe()}</a
      >`
  }
}

/** The page of a device that is not linked. */
export const unlinkedContent = (
  request: CustomerRequest,
  {
    collected,
    rewards,
    unlinked
  }: {
    readonly collected: readonly CollectedCode[]
    readonly rewards: Rewards
    readonly unlinked: readonly string[]
  }
): Content => {
  const { business, locale } = request
  const { m } = locale
  const collectedList =
    collected.length === 0
      ? ''
      : html`<h2>${m.collectedHere()}</h2>
          <ul class="rows">
            ${collected.map(({ code, points, at, isReversed }) =>
              isReversed
                ? row(dayText(at, locale), `${code} · ${m.kindReversed()}`, '')
                : row(dayText(at, locale), code, m.gained(gainOf(points, locale)))
            )}
          </ul>
          ${
            collected.length < SHOWN_COLLECTED
              ? ''
              : html`<p class="muted">
                  ${m.newestCollected({ count: numberText(SHOWN_COLLECTED, locale) })}
                </p>`
          }`
  const lists = [collectedList, rewardList(rewards, null, locale)].filter((list) => list !== '')
  return {
    title: m.myPoints(),
    body: html`${
        unlinked.length === 0
          ? ''
          : html`<ul class="rows">
              ${undoRows(unlinked, request)}
            </ul>`
      }
      <p>${m.linkText()}</p>
      ${oneButtonForm(accountPath(business, '/link'), m.link(), locale)}`,
    ...(lists.length === 0 ? {} : { more: html`${lists}` })
  }
}
