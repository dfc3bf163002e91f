/** *Staff*: who may sign in, with which role. */
import { html } from 'hono/html'
import { identifierOfRequest } from '../domain/identifiers.ts'
import { parseName } from '../domain/names.ts'
import { Refusal, RequestOver } from '../domain/refusal.ts'
import type { StaffMember } from '../domain/staff.ts'
import { dateTimeText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import type { ListedStaffMember } from '../store/staff-members.ts'
import type { ManageRouter, FormAnswer, ManageVisit } from './manage-router.ts'
import {
  buttonForm,
  confirmForm,
  randomOfForm,
  requestField,
  selectField,
  textField,
  TYPED_FORM
} from '../html/fields.ts'
import { refusedOutcome } from './form-outcomes.ts'
import type { ManagePage } from './manage-layout.ts'

/** What a form leaves for the page that shows a link. */
const LINK_MADE = 'link-made'

/** The routes of *Staff*. */
export class StaffPages {
  readonly #router: ManageRouter

  constructor(router: ManageRouter) {
    this.#router = router
  }

  addRoutes(): void {
    const router = this.#router
    router.page('/staff', 'owner', (visit) => this.#list(visit))
    router.form('/staff', 'owner', { submit: (visit, form) => this.#add(visit, form) })
    router.page('/staff/:member', 'owner', (visit) => this.#show(visit))
    router.page('/staff/:member/link', 'owner', (visit) => this.#showLink(visit))
    router.form('/staff/:member/link', 'owner', {
      submit: (visit, form) => this.#offerLink(visit, form),
      page: '/staff/:member'
    })
    router.form('/staff/:member/sign-out', 'owner', {
      submit: (visit) => this.#signOut(visit),
      page: '/staff/:member'
    })
    router.form('/staff/:member/remove', 'owner', {
      submit: (visit) => this.#remove(visit),
      page: '/staff/:member'
    })
  }

  async #list({ business, locale, path, typed }: ManageVisit): Promise<ManagePage> {
    const { m } = locale
    const members = await this.#router.staff.list(business.key)
    const row = ({ id, name, role, passwordHash, lastUsedAt }: ListedStaffMember) => {
      const roleText = role === 'owner' ? m.roleOwner() : m.roleStaff()
      const use =
        passwordHash === null
          ? m.linkNotUsed()
          : lastUsedAt === null
            ? ''
            : m.lastUsedAt({ time: dateTimeText(lastUsedAt, locale) })
      return html`<li>
        <a class="whole" href="${path(`/staff/${id}`)}"
          ><bdi>${name === '' ? m.roleOwner() : name}</bdi
          ><span class="below">${[roleText, use].filter((text) => text !== '').join(' · ')}</span></a
        >
      </li>`
    }
    return {
      section: 'staff',
      title: m.staff(),
      hasForm: true,
      body: html`<ul class="rows">
          ${members.map(row)}
        </ul>
        <h2>${m.addStaff()}</h2>
        <form method="post" action="${path('/staff')}" class="narrow" id="${TYPED_FORM}">
          ${requestField(this.#router.dependencies, typed)}
          ${textField({ name: 'name', label: m.name() }, typed)}
          ${selectField(
            { name: 'role', label: m.role(), value: 'staff' },
            [
              ['staff', m.roleStaffText()],
              ['owner', m.roleOwnerText()]
            ],
            typed
          )}
          <button>${m.makeLink()}</button>
        </form>`
    }
  }

  async #add(visit: ManageVisit, form: SentForm): Promise<FormAnswer> {
    const role = form.text('role') === 'owner' ? 'owner' : 'staff'
    const name = parseName(form.text('name'))
    const { key } = visit.business
    const id = identifierOfRequest('stf', key, form.text('request'), name, role)
    return this.#linkFor(await this.#router.staff.add(key, { id, name, role }), form)
  }

  /** Makes a link for a member, and leaves it for the page that shows it. The member's page says that it is over, with a new form. */
  async #linkFor({ id }: StaffMember, form: SentForm): Promise<FormAnswer> {
    const { staff, dependencies } = this.#router
    try {
      const secret = await staff.offerLink(id, randomOfForm(dependencies, form, id))
      return { to: `/staff/${id}/link`, left: { outcome: LINK_MADE, texts: { secret } } }
    } catch (error) {
      if (!(error instanceof RequestOver)) throw error
      return { to: `/staff/${id}`, left: { outcome: refusedOutcome(error.reason, []), texts: {} } }
    }
  }

  async #showLink({ business, locale, path, left, c }: ManageVisit): Promise<ManagePage | Response | null> {
    const { m } = locale
    const member = await this.#router.staff.find(business.key, c.req.param('member') ?? '')
    if (member === null) return null
    if (left?.outcome !== LINK_MADE) return c.redirect(path(`/staff/${member.id}`), 303)
    return {
      section: 'staff',
      title: m.linkFor({ name: member.name }),
      back: { path: path('/staff'), text: m.staff() },
      body: html`<p>${m.linkText()}</p>
        <p class="address" dir="ltr">
          ${this.#router.dependencies.publicUrl}/welcome/${left.texts['secret'] ?? ''}
        </p>
        <p class="muted">${m.linkShownOnce()}</p>`
    }
  }

  async #member({ business, c }: ManageVisit): Promise<StaffMember> {
    const member = await this.#router.staff.find(business.key, c.req.param('member') ?? '')
    if (member === null) throw new Refusal('staff-unknown', 'There is no such member.')
    return member
  }

  async #show(visit: ManageVisit): Promise<ManagePage | null> {
    const { business, locale, path, typed, c } = visit
    const { m } = locale
    const member = await this.#router.staff.find(business.key, c.req.param('member') ?? '')
    if (member === null) return null
    const at = path(`/staff/${member.id}`)
    const isMe = member.id === visit.member.id
    return {
      section: 'staff',
      title: member.name === '' ? m.roleOwner() : member.name,
      back: { path: path('/staff'), text: m.staff() },
      body: html`<p>${member.role === 'owner' ? m.roleOwnerText() : m.roleStaffText()}</p>
        <h2>${m.newLink()}</h2>
        <p>${m.newLinkText()}</p>
        <form method="post" action="${at}/link">
          ${requestField(this.#router.dependencies, typed)}
          <button class="quiet">${m.makeLink()}</button>
        </form>
        ${
          isMe
            ? ''
            : html`<h2>${m.signOutEverywhere()}</h2>
                <p>${m.signOutEverywhereText()}</p>
                ${buttonForm(`${at}/sign-out`, m.signOutEverywhere())}
                <h2>${m.removeStaff()}</h2>
                ${confirmForm(`${at}/remove`, {
                  text: m.removeStaffText(),
                  button: m.removeStaff(),
                  cancel: { path: path('/staff'), text: m.cancel() }
                })}`
        }`
    }
  }

  async #offerLink(visit: ManageVisit, form: SentForm): Promise<FormAnswer> {
    return this.#linkFor(await this.#member(visit), form)
  }

  async #signOut(visit: ManageVisit): Promise<FormAnswer> {
    await this.#router.staff.endSessions((await this.#member(visit)).id)
    return { to: '/staff', done: 'staff-signed-out' }
  }

  async #remove(visit: ManageVisit): Promise<FormAnswer> {
    const { business, c } = visit
    const id = c.req.param('member') ?? ''
    // Done already for one who was removed, as by a first press.
    const isRemoved = (await this.#router.staff.names(business.key)).has(id)
    await this.#router.staff.remove(business.key, isRemoved ? id : (await this.#member(visit)).id)
    return { to: '/staff', done: 'staff-removed' }
  }
}
