/** *Earning rules*: what earns points at the shop's tills, a preview of other rules, and the versions before. */
import { html } from 'hono/html'
import * as v from 'valibot'
import { FIRST_RULES, type EarningRules, type RulesAnswer } from '../../contract/earning-rules.ts'
import type { StoredReward } from '../domain/rewards.ts'
import type { Html } from '../html/document.ts'
import { hiddenFields, REQUEST_FIELD, requestField, TYPED_FORM } from '../html/fields.ts'
import { countOf, dateTimeText, decimalText, gainOf, numberText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { TypedForm } from '../html/typed-form.ts'
import {
  MAX_PREVIEWED,
  PREVIEW_DAYS,
  previewSchema,
  RulesPreviewer,
  type RulesPreview
} from '../store/rules-preview.ts'
import { RulesStore, type RulesVersion } from '../store/rules.ts'
import { countTouched } from '../store/touched-customers.ts'
import { EntryWords, inOneLine } from './entry-words.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'
import type { FormAnswer, ManageRouter, ManageVisit } from './manage-router.ts'
import { ruleFaultText, rulesFields } from './rules-fields.ts'
import { parseRules, RULE_FAULTS, textsOf, type WrongField } from './rules-form.ts'
import { isAgreed, leftToAsk, questionOf, VERSION_FIELD } from './rules-question.ts'
import { expiryWords, giftsOf, rateText, rulesInWords } from './rules-words.ts'

/** What a form leaves that was not taken, before the fault and its field; and one whose bills were calculated. */
const WRONG = 'wrong'
const PREVIEWED = 'previewed'

const previewText = v.pipe(v.string(), v.parseJson(), previewSchema)

/** Versions that the page shows. */
const SHOWN_VERSIONS = 20

/** What a form leaves for its page. */
type Left = Extract<FormAnswer, { readonly left: object }>['left']

/** What a form leaves that was not taken. Nothing was done: what is sent next is another request. */
const leftBy = ({ fault, field }: WrongField, form: SentForm): Left => {
  const texts = Object.entries(form.texts).filter(([name]) => name !== REQUEST_FIELD)
  return { outcome: `${WRONG} ${fault} ${field}`, texts: Object.fromEntries(texts) }
}

/** What is wrong with the form that led to the page, or null. */
const faultOf = ({ left }: ManageVisit): WrongField | null => {
  const [kind, fault, field = ''] = (left?.outcome ?? '').split(' ')
  const known = RULE_FAULTS.find((each) => each === fault)
  return kind === WRONG && known !== undefined ? { fault: known, field } : null
}

/** The routes of *Earning rules*. */
export class RulesPages {
  readonly #router: ManageRouter
  readonly #store: RulesStore
  readonly #previewer: RulesPreviewer

  constructor(router: ManageRouter) {
    const { database } = router.dependencies
    this.#router = router
    this.#store = new RulesStore(database)
    this.#previewer = new RulesPreviewer(database)
  }

  addRoutes(): void {
    const router = this.#router
    router.page('/rules', 'owner', (visit) => this.#show(visit))
    router.form('/rules', 'owner', { submit: (visit, form) => this.#save(visit, form) })
    router.form('/rules/preview', 'owner', {
      submit: (visit, form) => this.#preview(visit, form),
      page: '/rules'
    })
    router.form('/rules/off', 'owner', {
      submit: (visit, form) => this.#change(visit, form, null),
      page: '/rules'
    })
  }

  async #show(visit: ManageVisit): Promise<ManagePage> {
    const { business, locale, path, left } = visit
    const { m } = locale
    const { dependencies } = this.#router
    const answer = await this.#store.current(business.key)
    const versions = await this.#store.newest(business.key, SHOWN_VERSIONS)
    const last = versions.find(({ rules }) => rules !== null)?.rules ?? FIRST_RULES
    const fault = faultOf(visit)
    const typed =
      fault === null
        ? visit.typed
        : new TypedForm(left?.texts, { field: fault.field, text: ruleFaultText(fault, locale) })
    const isOn = answer.rules !== null
    const above = questionOf(visit) ?? (await this.#previewed(visit, answer))
    return {
      section: 'rules',
      title: m.earningRules(),
      hasForm: true,
      body: html`${above} ${above === '' ? '' : html`<h2>${m.rulesNow()}</h2>`}
        <p>${isOn ? m.rulesOn({ version: numberText(answer.version, locale) }) : m.rulesOff()}</p>
        ${rulesInWords(answer, dependencies.now(), locale)}
        <h2>${isOn ? m.changeRules() : m.setRules()}</h2>
        <form method="post" action="${path('/rules')}" id="${TYPED_FORM}">
          ${requestField(dependencies, typed)}
          ${hiddenFields({ [VERSION_FIELD]: typed.value(VERSION_FIELD, String(answer.version)) })}
          ${rulesFields(
            textsOf(last, (text) => decimalText(text, locale)),
            typed,
            locale
          )}
          <p class="muted">${m.rulesSaveText()}</p>
          <p class="buttons">
            <button class="quiet" formaction="${path('/rules/preview')}">${m.previewRules()}</button>
            <button>${isOn ? m.save() : m.saveAndUse()}</button>
          </p>
        </form>
        ${
          isOn
            ? html`<h2>${m.switchOffRules()}</h2>
                <p>${m.switchOffText()}</p>
                <form method="post" action="${path('/rules/off')}">
                  ${requestField(dependencies)} <button class="danger">${m.switchOff()}</button>
                </form>`
            : ''
        }
        ${versions.length === 0 ? '' : await this.#history(visit, versions)}`
    }
  }

  async #history({ business, locale }: ManageVisit, versions: readonly RulesVersion[]): Promise<Html> {
    const { m } = locale
    const words = new EntryWords(locale, [], await this.#router.makers(business))
    return html`<h2>${m.rulesHistory()}</h2>
      <ul class="rows">
        ${versions.map(
          ({ version, rules, at, by }) =>
            html`<li>
              <span
                >${m.rulesVersion({ version: numberText(version, locale) })}<span class="below"
                  >${inOneLine([dateTimeText(at, locale), words.who({ by })])}</span
                ></span
              >
              <span
                >${
                  rules === null
                    ? m.switchedOff()
                    : inOneLine([
                        rateText(rules, locale),
                        m.groupsCount({ number: numberText(rules.groups.length, locale) }),
                        m.bonusTimesCount({ number: numberText(rules.bonusTimes.length, locale) }),
                        m.levelsCount({ number: numberText(rules.levels.length, locale) }),
                        ...giftsOf(rules, locale).map(({ name, points }) =>
                          m.inRow({ row: name, text: numberText(points, locale) })
                        ),
                        expiryWords(rules, locale)
                      ])
                }</span
              >
            </li>`
        )}
      </ul>`
  }

  /** What the rules of the form would do; nothing where no preview was asked for. */
  async #previewed({ business, locale, left }: ManageVisit, { timeZone }: RulesAnswer): Promise<Html | ''> {
    if (left?.outcome !== PREVIEWED) return ''
    const preview = v.safeParse(previewText, left.texts[PREVIEWED])
    const parsed = parseRules((field) => left.texts[field] ?? '')
    if (!preview.success || !('rules' in parsed)) return ''
    const { m } = locale
    const proposed = { version: 0, timeZone, rules: parsed.rules }
    const rewards = (await this.#router.rewards.all(business.key)).filter(({ isEnable }) => isEnable)
    return html`<h2>${m.previewTitle()}</h2>
      <p class="muted">${m.previewText()}</p>
      ${rulesInWords(proposed, this.#router.dependencies.now(), locale)} ${billsText(preview.output, locale)}
      ${openPointsText(preview.output, rewards, locale)}`
  }

  #save(visit: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const parsed = parseRules((field) => form.text(field))
    if (!('rules' in parsed)) return Promise.resolve({ to: '/rules', left: leftBy(parsed, form) })
    return this.#change(visit, form, parsed.rules)
  }

  /** Saves rules, or asks before that about the customers whom they touch, and about those of another owner. @param rules null switches them off */
  async #change(
    { business, by }: ManageVisit,
    form: SentForm,
    rules: EarningRules | null
  ): Promise<FormAnswer> {
    const { database, now } = this.#router.dependencies
    const current = await this.#store.current(business.key)
    if (!isAgreed(form, current, rules)) {
      const touched = await countTouched(database, business.key, current.rules, rules, now())
      const left = leftToAsk(form, current, rules, touched)
      if (left !== null) return { to: '/rules', left }
    }
    const change = { rules, request: form.text(REQUEST_FIELD), at: now().toISOString(), by }
    await this.#store.save(business.key, change)
    return { to: '/rules', done: 'saved' }
  }

  async #preview({ business }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const parsed = parseRules((field) => form.text(field))
    if (!('rules' in parsed)) return { to: '/rules', left: leftBy(parsed, form) }
    const proposed = { version: 0, timeZone: business.timeZone, rules: parsed.rules }
    const preview = await this.#previewer.preview(business.key, proposed, this.#router.dependencies.now())
    const texts = { ...form.texts, [PREVIEWED]: JSON.stringify(preview) }
    return { to: '/rules', left: { outcome: PREVIEWED, texts } }
  }
}

const billsText = (
  { bills, earned, wouldEarn, without, isCut }: RulesPreview,
  locale: ManageLocale
): Html => {
  const { m } = locale
  const figure = (name: string, text: string): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd>${text}</dd>
    </div>`
  const number = (value: number): string => numberText(value, locale)
  return html`<dl class="figures even">
      ${figure(m.previewBills({ days: number(PREVIEW_DAYS) }), number(bills))}
      ${figure(m.previewEarned(), number(earned))} ${figure(m.previewWouldEarn(), number(wouldEarn))}
      ${figure(m.previewDifference(), gainOf(wouldEarn - earned, locale).number)}
    </dl>
    ${without === 0 ? '' : html`<p>${m.previewWithout({ number: number(without) })}</p>`}
    ${isCut ? html`<p class="warning">${m.previewCut({ number: number(MAX_PREVIEWED) })}</p>` : ''}`
}

/** How often each reward can be had for the points that customers have, the cheapest first. */
const openPointsText = (
  { open }: RulesPreview,
  rewards: readonly StoredReward[],
  locale: ManageLocale
): Html => {
  const { m } = locale
  return html`<p>
      ${m.openPoints({ number: numberText(open, locale) })} ${rewards.length === 0 ? '' : m.openPointsFor()}
    </p>
    ${
      rewards.length === 0
        ? ''
        : html`<ul class="rows">
            ${rewards
              .toSorted((one, other) => one.cost - other.cost)
              .map(
                ({ name, cost }) =>
                  html`<li>
                    <span
                      ><bdi>${name}</bdi><span class="below">${m.points(countOf(cost, locale))}</span></span
                    >
                    <span class="number"
                      >${m.times({ number: numberText(Math.floor(open / cost), locale) })}</span
                    >
                  </li>`
              )}
          </ul>`
    }`
}
