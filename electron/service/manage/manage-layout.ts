/** The layout of the shop's own pages: the rail with the sections, the heading, what was done or refused. */
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { logoPath, markPath } from '../api/public.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { StaffMember, StaffRole } from '../domain/staff.ts'
import { CHECK, languageFooter, pageAddress, respondDocument, type Html } from '../html/document.ts'
import { TYPED_FORM } from '../html/fields.ts'
import { NOTHING_TYPED, type TypedForm } from '../html/typed-form.ts'
import { ICONS } from './icons.ts'
import type { ManageLocale } from './manage-locale.ts'
import { doneSentence } from './form-outcomes.ts'
import { MANAGE_STYLE } from './style.ts'

/** The sections with the role that they need, in the order of the rail. */
const SECTIONS = {
  today: 'owner',
  customers: 'staff',
  codes: 'staff',
  rewards: 'owner',
  rules: 'owner',
  tills: 'owner',
  profile: 'owner',
  data: 'owner',
  staff: 'owner'
} as const satisfies Readonly<Record<string, StaffRole>>

type Section = keyof typeof SECTIONS

const NAMES: Readonly<Record<Section, (m: ManageLocale['m']) => string>> = {
  today: (m) => m.today(),
  customers: (m) => m.customers(),
  codes: (m) => m.codes(),
  rewards: (m) => m.rewards(),
  rules: (m) => m.earningRules(),
  tills: (m) => m.tills(),
  profile: (m) => m.profile(),
  data: (m) => m.data(),
  staff: (m) => m.staff()
}

/** Who asks, in which shop. */
export interface ManageLayout {
  /** null where no shop is known */
  readonly business: StoredBusiness | null
  /** null before signing in */
  readonly member: StaffMember | null
  readonly locale: ManageLocale
  /** what was typed into a form before this page, and what is wrong with it */
  readonly typed?: TypedForm
}

export interface ManagePage {
  readonly title: string
  /** of the rail */
  readonly section?: Section
  readonly body: Html
  /** where the page belongs to, above the title */
  readonly back?: { readonly path: string; readonly text: string }
  /** what went wrong, with the next step */
  readonly fault?: Html | string
  /** what was done; from the address unless given */
  readonly done?: string
  /** whether the page has a form to type in, the one with the id `TYPED_FORM` */
  readonly hasForm?: true
  /** seconds after which the page is loaded again, while work is under way */
  readonly reloadAfter?: number
  /** 200 unless given */
  readonly status?: 200 | 403 | 404 | 410 | 413 | 422 | 429 | 500 | 503
}

/** The path of a page of a shop. */
export const managePath = ({ id }: Pick<StoredBusiness, 'id'>, below = ''): string => `/manage/${id}${below}`

/** Whether a member may do what a role may. */
export const isAllowed = ({ role }: StaffMember, needed: StaffRole): boolean =>
  role === 'owner' || needed === 'staff'

/** The first page of a member. */
export const homePath = (business: StoredBusiness, member: StaffMember): string =>
  managePath(business, isAllowed(member, SECTIONS.today) ? '/today' : '/customers')

const rail = (business: StoredBusiness, member: StaffMember, { m }: ManageLocale, current?: Section): Html =>
  html`<nav id="sections" popover aria-label="${m.sections()}">
    <ul>
      ${Object.entries(SECTIONS)
        .filter(([, role]) => isAllowed(member, role))
        .map(([key]) => {
          const section = key as Section
          return html`<li>
            <a
              href="${managePath(business, `/${section}`)}"
              ${section === current ? raw('aria-current="page"') : ''}
              >${ICONS[section]}<span>${NAMES[section](m)}</span></a
            >
          </li>`
        })}
    </ul>
    <div class="me">
      <a href="${managePath(business, '/me')}">${ICONS.me}<bdi>${member.name}</bdi></a>
      <form method="post" action="${managePath(business, '/sign-out')}">
        <button class="quiet">${m.signOut()}</button>
      </form>
    </div>
  </nav>`

/** Responds with a page. */
export const respondManagePage = (
  c: Context,
  { business, member, locale, typed = NOTHING_TYPED }: ManageLayout,
  page: ManagePage
): Promise<Response> => {
  const { m, language } = locale
  const { title, section, body, back, hasForm, reloadAfter, status = 200 } = page
  const fault = page.fault ?? typed.fault
  // What was begun and then failed, or was done before something was refused, is not good news any more.
  const done = page.done ?? (fault === null ? doneSentence(c.req.query('done'), locale) : null)
  if (reloadAfter !== undefined) c.header('Refresh', String(reloadAfter))
  const isSignedIn = business !== null && member !== null
  const menu = html`<button class="quiet menu" popovertarget="sections">
    ${ICONS.menu}<span>${m.menu()}</span>
  </button>`
  const header =
    business === null
      ? ''
      : html`<header>
          <a class="shop" href="${isSignedIn ? homePath(business, member) : managePath(business)}"
            >${business.logo === null ? '' : html`<img src="${logoPath(business.logo)}" alt="" />`}<bdi
              >${business.name}</bdi
            ></a
          >
          ${isSignedIn ? menu : ''}
        </header>`
  const main = html`<main id="main">
    ${
      back === undefined
        ? ''
        : html`<p class="back">
            <a href="${back.path}">${ICONS.back}<span>${back.text}</span></a>
          </p>`
    }
    <h1>${title}</h1>
    ${done === null ? '' : html`<p class="done" role="status">${CHECK}<span>${done}</span></p>`}
    ${fault === null ? '' : html`<p class="fault" role="alert" tabindex="-1" autofocus>${fault}</p>`} ${body}
  </main>`
  return respondDocument(
    c,
    {
      language,
      title: business === null ? title : `${title} · ${business.name}`,
      style: MANAGE_STYLE,
      icon: business && markPath(business),
      bodyClass: isSignedIn ? 'signed-in' : '',
      body: html`<a class="skip" href="#main">${m.skip()}</a> ${header}
        ${isSignedIn ? rail(business, member, locale, section) : ''} ${main}
        ${languageFooter(pageAddress(c), language, m.language(), hasForm ? TYPED_FORM : undefined)}`
    },
    status
  )
}
