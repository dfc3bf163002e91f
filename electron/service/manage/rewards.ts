/** *Rewards*: add, edit, disable, and their order. */
import { html } from 'hono/html'
import { identifierOfRequest } from '../domain/identifiers.ts'
import { parseName } from '../domain/names.ts'
import { Refusal } from '../domain/refusal.ts'
import { MAX_COST, type StoredReward } from '../domain/rewards.ts'
import type { Html } from '../html/document.ts'
import { countOf } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { RewardStore } from '../store/rewards.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { buttonForm, hiddenFields, requestField, textField, TYPED_FORM } from '../html/fields.ts'
import { FieldRefusal, type TypedForm } from '../html/typed-form.ts'
import type { ManagePage } from './manage-layout.ts'
import { ICONS } from './icons.ts'
import type { ManageLocale } from './manage-locale.ts'

const termsOf = (form: SentForm) => {
  const name = parseName(form.text('name'))
  const cost = /^\d{1,9}$/.test(form.text('cost').trim()) ? Number(form.text('cost')) : 0
  if (cost < 1 || cost > MAX_COST) {
    throw new FieldRefusal('cost', new Refusal('points-malformed', 'A reward costs at least one point.'))
  }
  return { name, cost }
}

const termFields = (
  { m }: ManageLocale,
  typed: TypedForm,
  kept?: Pick<StoredReward, 'name' | 'cost'>
): Html =>
  html`${textField({ name: 'name', label: m.rewardName(), value: kept?.name ?? '' }, typed)}
  ${textField({ name: 'cost', label: m.rewardCost(), value: kept === undefined ? '' : String(kept.cost), kind: 'number', range: [1, MAX_COST] }, typed)}`

/** The routes of *Rewards*. */
export class RewardPages {
  readonly #router: ManageRouter

  constructor(router: ManageRouter) {
    this.#router = router
  }

  addRoutes(): void {
    const router = this.#router
    router.page('/rewards', 'owner', (visit) => this.#list(visit))
    router.form('/rewards', 'owner', { submit: (visit, form) => this.#add(visit, form) })
    router.page('/rewards/:reward', 'owner', (visit) => this.#edit(visit))
    router.form('/rewards/:reward', 'owner', { submit: (visit, form) => this.#change(visit, form) })
    for (const [place, step] of [
      ['up', -1],
      ['down', 1]
    ] as const) {
      router.form(`/rewards/:reward/${place}`, 'owner', {
        submit: (visit, form) => this.#move(visit, form, step),
        page: '/rewards'
      })
    }
    for (const isEnable of [true, false]) {
      router.form(`/rewards/:reward/${isEnable ? 'enable' : 'disable'}`, 'owner', {
        submit: (visit) => this.#enable(visit, isEnable),
        page: '/rewards'
      })
    }
  }

  async #list({ business, locale, path, typed }: ManageVisit): Promise<ManagePage> {
    const { m } = locale
    const rewards = await this.#router.rewards.all(business.key)
    const row = ({ id, name, cost, isEnable }: StoredReward, index: number): Html => {
      const at = path(`/rewards/${id}`)
      const arrow = (place: 'up' | 'down', label: string): Html =>
        html`<form method="post" action="${at}/${place}">
          ${hiddenFields({ past: rewards[place === 'up' ? index - 1 : index + 1]?.id ?? '' })}
          <button class="quiet arrow" aria-label="${label}">${ICONS[place]}</button>
        </form>`
      return html`<li>
        <a class="whole ${isEnable ? '' : 'off'}" href="${at}"
          ><bdi>${name}</bdi>${isEnable ? '' : html`<span class="below">${m.disabled()}</span>`}</a
        >
        <span class="number">${m.points(countOf(cost, locale))}</span>
        <div class="acts">
          ${index === 0 ? html`<span class="arrow"></span>` : arrow('up', m.moveUp({ name }))}
          ${index === rewards.length - 1 ? html`<span class="arrow"></span>` : arrow('down', m.moveDown({ name }))}
          ${buttonForm(`${at}/${isEnable ? 'disable' : 'enable'}`, isEnable ? m.disable() : m.enable(), {
            label: isEnable ? m.disableReward({ name }) : m.enableReward({ name })
          })}
        </div>
      </li>`
    }
    return {
      section: 'rewards',
      title: m.rewards(),
      hasForm: true,
      body: html`${
          rewards.length === 0
            ? html`<p>${m.noRewards()}</p>`
            : html`<ul class="rows">
                ${rewards.map(row)}
              </ul>`
        }
        <h2>${m.addReward()}</h2>
        <form method="post" action="${path('/rewards')}" class="narrow" id="${TYPED_FORM}">
          ${requestField(this.#router.dependencies, typed)} ${termFields(locale, typed)}
          <button>${m.addReward()}</button>
        </form>`
    }
  }

  async #add({ business }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const { database, now } = this.#router.dependencies
    const terms = termsOf(form)
    const id = identifierOfRequest('rew', business.key, form.text('request'), terms.name, terms.cost)
    await database.transaction((queries) =>
      new RewardStore(queries).append(business.key, id, terms, now().toISOString())
    )
    return { to: '/rewards', done: 'reward-added' }
  }

  async #edit({ business, locale, path, typed, c }: ManageVisit): Promise<ManagePage | null> {
    const { m } = locale
    const reward = await this.#router.rewards.find(business.key, c.req.param('reward') ?? '')
    if (reward === null) return null
    return {
      section: 'rewards',
      title: reward.name,
      hasForm: true,
      back: { path: path('/rewards'), text: m.rewards() },
      body: html`<form
          method="post"
          action="${path(`/rewards/${reward.id}`)}"
          class="narrow"
          id="${TYPED_FORM}"
        >
          ${termFields(locale, typed, reward)}
          <button>${m.save()}</button>
        </form>
        <p class="muted">${m.rewardChangeText()}</p>`
    }
  }

  async #change({ business, c }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const terms = termsOf(form)
    await this.#router.rewards.update(business.key, c.req.param('reward') ?? '', terms, this.#now())
    return { to: '/rewards', done: 'saved' }
  }

  async #enable({ business, c }: ManageVisit, isEnable: boolean): Promise<FormAnswer> {
    await this.#router.rewards.update(business.key, c.req.param('reward') ?? '', { isEnable }, this.#now())
    return { to: '/rewards', done: isEnable ? 'reward-enabled' : 'reward-disabled' }
  }

  /** Moves a reward past the one that was beside it: done already for a form that is sent twice. */
  async #move({ business, c }: ManageVisit, form: SentForm, step: -1 | 1): Promise<FormAnswer> {
    const id = c.req.param('reward') ?? ''
    await this.#router.dependencies.database.transaction(async (queries) => {
      const rewards = new RewardStore(queries)
      // The order that another move makes meanwhile would be lost.
      await rewards.lock(business.key)
      const ids = (await rewards.all(business.key)).map((reward) => reward.id)
      const [place, other] = [ids.indexOf(id), ids.indexOf(form.text('past'))]
      if (place < 0 || other < 0) throw new Refusal('reward-unknown', 'There is no such reward.')
      if ((other - place) * step <= 0) return
      ids.splice(place, 1)
      ids.splice(other, 0, id)
      await rewards.order(business.key, ids, this.#now())
    })
    return { to: '/rewards', done: 'saved' }
  }

  #now(): string {
    return this.#router.dependencies.now().toISOString()
  }
}
