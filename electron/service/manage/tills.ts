/** *Tills*: pair one, the list with the last use, and revoke. */
import { html } from 'hono/html'
import { parseName } from '../domain/names.ts'
import { formatPairingCode } from '../domain/pairing.ts'
import { Refusal } from '../domain/refusal.ts'
import { dateTimeText, numberText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { PairingStore } from '../store/pairings.ts'
import { TillStore, type StoredTill } from '../store/tills.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import { inField } from '../html/typed-form.ts'
import { inOneLine } from './entry-words.ts'
import { confirmForm, randomOfForm, requestField, textField, TYPED_FORM } from '../html/fields.ts'
import { OFFLINE_PATH } from './offline.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

/** What a form leaves for the page that shows a pairing code. */
const PAIRING = 'pairing'

/** The routes of *Tills*. */
export class TillPages {
  readonly #router: ManageRouter
  readonly #tills: TillStore

  constructor(router: ManageRouter) {
    this.#router = router
    this.#tills = new TillStore(router.dependencies.database)
  }

  addRoutes(): void {
    const router = this.#router
    router.page('/tills', 'owner', (visit) => this.#list(visit))
    router.form('/tills', 'owner', { submit: (visit, form) => this.#pair(visit, form) })
    router.page('/pairing', 'owner', (visit) => Promise.resolve(this.#showPairing(visit)))
    router.page('/tills/:till', 'owner', (visit) => this.#show(visit))
    router.form('/tills/:till', 'owner', { submit: (visit, form) => this.#change(visit, form) })
    router.page('/tills/:till/revoke', 'owner', (visit) => this.#askToRevoke(visit))
    router.form('/tills/:till/revoke', 'owner', {
      submit: (visit) => this.#revoke(visit),
      page: '/tills'
    })
  }

  async #list({ business, locale, path, typed }: ManageVisit): Promise<ManagePage> {
    const { m } = locale
    const tills = (await this.#tills.list(business.key)).toSorted(
      (one, other) => Number(one.revokedAt !== null) - Number(other.revokedAt !== null)
    )
    const row = ({ id, name, branch, lastUsedAt, revokedAt }: StoredTill) => {
      const text =
        revokedAt !== null
          ? m.revokedAt({ time: dateTimeText(revokedAt, locale) })
          : lastUsedAt === null
            ? m.neverUsed()
            : m.lastUsedAt({ time: dateTimeText(lastUsedAt, locale) })
      return html`<li>
        <a class="whole ${revokedAt === null ? '' : 'off'}" href="${path(`/tills/${id}`)}"
          ><bdi>${name}</bdi><span class="below">${inOneLine([branch ?? '', text])}</span></a
        >
        ${
          revokedAt === null
            ? html`<a
                class="button danger"
                href="${path(`/tills/${id}/revoke`)}"
                aria-label="${m.revokeTill({ name })}"
                >${m.revoke()}</a
              >`
            : ''
        }
      </li>`
    }
    return {
      section: 'tills',
      title: m.tills(),
      hasForm: true,
      body: html`${
          tills.length === 0
            ? html`<p>${m.noTills()}</p>`
            : html`<ul class="rows">
                ${tills.map(row)}
              </ul>`
        }
        <p><a class="button quiet" href="${path(OFFLINE_PATH)}">${m.offlineTitle()}</a></p>
        <h2>${m.pairTill()}</h2>
        <form method="post" action="${path('/tills')}" class="narrow" id="${TYPED_FORM}">
          ${requestField(this.#router.dependencies, typed)}
          ${textField({ name: 'name', label: m.tillName(), value: this.#nextName(tills, locale), hint: m.tillNameHint() }, typed)}
          <button>${m.showCode()}</button>
        </form>`
    }
  }

  async #show({ business, locale, path, typed, c }: ManageVisit): Promise<ManagePage | null> {
    const { m } = locale
    const tills = await this.#tills.list(business.key)
    const till = tills.find(({ id }) => id === c.req.param('till'))
    if (till === undefined) return null
    const branches = [...new Set(tills.map(({ branch }) => branch))].filter((branch) => branch !== null)
    return {
      section: 'tills',
      title: till.name,
      hasForm: true,
      back: { path: path('/tills'), text: m.tills() },
      body: html`<form method="post" action="${path(`/tills/${till.id}`)}" class="narrow" id="${TYPED_FORM}">
        ${textField({ name: 'name', label: m.tillName(), value: till.name, hint: m.tillNameHint() }, typed)}
        ${textField(
          {
            ...{ name: 'branch', label: m.branch(), value: till.branch ?? '', isOptional: true },
            hint: m.branchHint(),
            suggestions: branches
          },
          typed
        )}
        <button>${m.save()}</button>
      </form>`
    }
  }

  async #change({ business, c }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const id = c.req.param('till') ?? ''
    const branch = form.text('branch').trim()
    const changed = await this.#tills.change(business.key, {
      id,
      name: parseName(form.text('name')),
      branch: branch === '' ? null : inField('branch', () => parseName(branch))
    })
    if (!changed) throw new Refusal('till-unknown', `There is no till ${id}.`)
    return { to: '/tills', done: 'saved' }
  }

  /** The first till can be paired by one press: the field has a name that no till has. */
  #nextName(tills: readonly StoredTill[], { m, tag }: ManageLocale): string {
    const names = new Set(tills.map(({ name }) => name))
    for (let number = tills.length + 1; ; number += 1) {
      const name = m.tillNumbered({ number: numberText(number, { tag }) })
      if (!names.has(name)) return name
    }
  }

  async #pair({ business }: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const name = parseName(form.text('name'))
    const { dependencies } = this.#router
    const random = randomOfForm(dependencies, form, business.key, name)
    const { code, expiresAt } = await new PairingStore(dependencies).add(business.key, name, random)
    return { to: '/pairing', left: { outcome: PAIRING, texts: { name, code, expiresAt } } }
  }

  #showPairing({ locale, path, left, c }: ManageVisit): ManagePage | Response {
    const { m } = locale
    const { name = '', code = '', expiresAt = '' } = left?.texts ?? {}
    const isValid = left?.outcome === PAIRING && expiresAt > this.#router.dependencies.now().toISOString()
    if (!isValid) return c.redirect(path('/tills'), 303)
    return {
      section: 'tills',
      title: m.pairTillNamed({ name }),
      back: { path: path('/tills'), text: m.tills() },
      body: html`<p>${m.pairText()}</p>
        <p class="muted">${m.serviceAddress()}</p>
        <p class="address"><bdi dir="ltr">${this.#router.dependencies.publicUrl}</bdi></p>
        <p class="muted">${m.pairingCode()}</p>
        <p class="secret"><bdi dir="ltr">${formatPairingCode(code)}</bdi></p>
        <p class="muted">${m.pairingValid({ time: dateTimeText(expiresAt, locale) })}</p>`
    }
  }

  async #askToRevoke({ business, locale, path, c }: ManageVisit): Promise<ManagePage | null> {
    const { m } = locale
    const till = (await this.#tills.list(business.key)).find(({ id }) => id === c.req.param('till'))
    if (till === undefined) return null
    return {
      section: 'tills',
      title: m.revokeTill({ name: till.name }),
      back: { path: path('/tills'), text: m.tills() },
      body: confirmForm(c.req.path, {
        text: m.revokeText(),
        button: m.revoke(),
        cancel: { path: path('/tills'), text: m.cancel() }
      })
    }
  }

  async #revoke({ business, c }: ManageVisit): Promise<FormAnswer> {
    const id = c.req.param('till') ?? ''
    const till = (await this.#tills.list(business.key)).find((listed) => listed.id === id)
    if (till === undefined) throw new Refusal('till-unknown', `There is no till ${id}.`)
    await this.#tills.revoke(id, this.#router.dependencies.now().toISOString())
    return { to: '/tills', done: 'till-revoked' }
  }
}
