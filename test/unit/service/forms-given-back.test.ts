/** Every form of the shop and of its customers that is not taken: its page says why, with what to do next, and has what was typed. */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { StaffRole } from '../../../electron/service/domain/staff.ts'
import { AttemptStore } from '../../../electron/service/store/attempts.ts'
import { DatabaseUnavailableError } from '../../../electron/service/store/database.ts'
import { FORMS, IDENTITY, openService, TYPED, type Form, type Office } from './all-forms.ts'
import { locationOf, PASSWORD } from './manage/shop-office.ts'
import type { Visitor } from './pages/visitor.ts'

const expectGivenBack = async (
  browser: Visitor,
  location: string,
  { typed = {}, secret = {} }: Form,
  says: RegExp
): Promise<void> => {
  const shownOnce = await (await browser.get(location)).text()
  for (const shown of [shownOnce, await (await browser.get(location)).text()]) {
    expect(shown).toMatch(/class="fault"\s+role="alert"\s+tabindex="-1"\s+autofocus/)
    expect(shown).toMatch(says)
    for (const text of Object.values(typed)) if (text !== '') expect(shown).toContain(`value="${text}"`)
    for (const text of Object.values(secret)) expect(shown).not.toContain(text)
  }
}

it('has every form of the service', async () => {
  const { routes } = await openService()
  const posts = routes().filter(
    ({ method, path }) => method === 'POST' && !/^\/(?:api|ext|pair)\b/.test(path)
  )
  expect(Object.keys(FORMS).toSorted()).toEqual([...new Set(posts.map(({ path }) => path))].toSorted())
})

it.each(Object.entries(FORMS))(
  'gives %s back while the database is not available, and after an error',
  async (route, form) => {
    const office = await openService()
    const { state, pathOf, hidden } = office
    const browser = await office.browser(route)
    for (const error of [new DatabaseUnavailableError('No node takes writes.'), new Error('A fault')]) {
      state.error = error
      const answer = await browser.post(pathOf(route), { ...form.typed, ...form.secret, ...hidden(route) })
      const location = locationOf(answer) ?? ''
      expect([answer.status, location]).toEqual([303, expect.stringContaining('notice=failed')])
      expect(decodeURIComponent(location)).not.toMatch(TYPED)
      expect((await browser.get(location)).status).toBe(error instanceof DatabaseUnavailableError ? 503 : 500)
      state.error = null
      await expectGivenBack(browser, location, form, /could not be done|Nothing was lost/)
    }
    expect(office.faults.length).toBeGreaterThan(0)
  }
)

it.each(Object.entries(FORMS).filter(([, { counted }]) => counted !== undefined))(
  'gives %s back after too many attempts, and stores nothing of it',
  async (route, form) => {
    const office = await openService()
    const { shop, pathOf } = office
    const browser = await office.browser(route)
    const attempts = new AttemptStore(shop.database, () => shop.now)
    const subject = form.counted?.(office, browser) ?? []
    for (let tried = 0; tried < 121; tried += 1) await attempts.isAllowed(subject, { count: 1, minutes: 60 })
    const kept = await shop.database.read('SELECT * FROM kept_forms')
    const answer = await browser.post(pathOf(route), { ...form.typed, ...form.secret })
    expect(await shop.database.read('SELECT * FROM kept_forms')).toEqual(kept)
    expect(locationOf(answer)).toContain('wait=')
    await expectGivenBack(browser, locationOf(answer) ?? '', form, /too many attempts\. Try again in/)
  }
)

it.each(Object.keys(FORMS))('says that %s was too large', async (route) => {
  const office = await openService()
  const browser = await office.browser(route)
  const large = { ...office.hidden(route), name: 'x'.repeat(11 * 1024 * 1024) }
  const answer = await browser.post(office.pathOf(route), large)
  expect([answer.status, locationOf(answer)]).toEqual([303, expect.stringContaining('notice=too-large')])
  await expectGivenBack(browser, locationOf(answer) ?? '', {}, /Choose a smaller file|Nothing was lost/)
})

it('shows what was typed in no other browser, on no other page, and with no other address', async () => {
  const { state, visitor, business, pathOf, shop } = await openService()
  const [browser, other] = [visitor(), visitor()]
  state.error = new Error('A fault')
  const join = pathOf('/join/:business')
  const location = locationOf(await browser.post(join, IDENTITY)) ?? ''
  state.error = null
  expect(await (await browser.get(location)).text()).toContain('Ζωή')
  const cookie = browser.received.find((set) => set.startsWith('typed=')) ?? ''
  expect(cookie).toMatch(
    new RegExp(`^typed=[\\w-]+; Max-Age=1800; Path=/join/${business}; HttpOnly; Secure; SameSite=Lax$`)
  )
  const query = location.slice(location.indexOf('?'))
  for (const [asking, path] of [
    [other, location],
    [browser, `/q/${await shop.issue(1)}${query}`],
    [browser, location.replace(/.$/, '_')],
    [browser, join]
  ] as const) {
    expect(await (await asking.get(path)).text()).not.toContain('Ζωή')
  }
})

/** The hidden ids of a page's forms. */
const requestsOf = async (browser: Visitor, path: string): Promise<readonly string[]> =>
  Array.from(
    (await (await browser.get(path)).text()).matchAll(
      /action="([^"]*)"(?:(?!<\/form>)[\s\S])*?name="request" value="([\w.-]+)"/g
    ),
    ([, action = '', id]) => `${action} ${id ?? ''}`
  )

const requests: readonly (readonly [string, (office: Office) => Readonly<Record<string, string>>])[] = [
  ['/manage/:business/customers/:customer/adjust', () => ({ points: '5', reason: 'Goodwill' })],
  ['/manage/:business/customers/:customer/redeem', ({ reward }) => ({ reward, cost: '10' })],
  ['/manage/:business/customers/:customer/reverse', ({ entry }) => ({ entry, reason: '' })],
  ['/manage/:business/rewards', () => ({ name: 'Καφές', cost: '70' })],
  ['/manage/:business/staff', () => ({ name: 'Eva', role: 'staff' })],
  ['/manage/:business/tills', () => ({ name: 'Till 3' })]
]

it.each(requests)(
  'gives the id of %s back with it, so that what was done is not done again',
  async (route, fieldsOf) => {
    const office = await openService()
    const { state, pathOf } = office
    const browser = await office.browser(route)
    const form = { ...fieldsOf(office), request: 'a'.repeat(43) }
    state.error = new Error('The answer was lost')
    const location = locationOf(await browser.post(pathOf(route), form)) ?? ''
    state.error = null
    expect(await requestsOf(browser, location)).toContain(`${pathOf(route)} ${form.request}`)
  }
)

/** What a form may change. */
const TABLES = [
  'businesses',
  'corrections',
  'customers',
  'codes',
  'devices',
  'earning_rules',
  'entries',
  'explanations',
  'imports',
  'kept_forms',
  'logos',
  'offline_refusals',
  'pairings',
  'rewards',
  'sign_in_links',
  'staff_members',
  'tokens'
]

const isOfStaff = (route: string): boolean => /^\/manage\/:business(?!\/sign-)/.test(route)

/** Ends the session of a browser in each way there is. */
const ENDINGS: Readonly<Record<string, (office: Office, browser: Visitor) => Promise<unknown>>> = {
  'twelve hours without use': ({ shop }) => {
    shop.now = new Date(shop.now.getTime() + 13 * 3_600_000)
    return Promise.resolve()
  },
  'signing out in another window': ({ path }, browser) => browser.post(path('/sign-out'))
}

/** The page to which signing in leads, of the answer to a form that came without a session. */
const afterSigningIn = (answer: Response): string =>
  new URL(locationOf(answer) ?? '', 'http://x').searchParams.get('to') ?? ''

const signInAs = async (
  { staff, members, business }: Office,
  browser: Visitor,
  role: StaffRole
): Promise<void> => browser.setCookie(`staff-${business}`, (await staff.beginSession(members[role])) ?? '')

for (const [ending, end] of Object.entries(ENDINGS)) {
  it.each(Object.entries(FORMS))(
    `gives %s back to the member who sent it after ${ending}, and to no other, and changes nothing`,
    async (route, form) => {
      const office = await openService()
      const { pathOf, hidden, shop } = office
      const browser = await office.browser(route)
      const stored = () => Promise.all(TABLES.map((table) => shop.database.read(`SELECT * FROM ${table}`)))
      await end(office, browser)
      const before = await stored()
      const answer = await browser.post(pathOf(route), { ...form.typed, ...form.secret, ...hidden(route) })
      if (!isOfStaff(route)) {
        expect([answer.status, afterSigningIn(answer)]).toEqual([303, ''])
        return
      }
      const location = afterSigningIn(answer)
      expect(await stored()).toEqual(before)
      expect(decodeURIComponent(location)).not.toMatch(TYPED)
      await signInAs(office, browser, 'owner')
      await expectGivenBack(browser, location, form, /signed out before this was sent/)
      await signInAs(office, browser, 'staff')
      const others = await (await browser.get(location)).text()
      expect(others).not.toContain('signed out before')
      for (const text of Object.values(form.typed ?? {}))
        if (text !== '') expect(others).not.toContain(`value="${text}"`)
      expect(await stored()).toEqual(before)
    }
  )
}

it('gives a form back after a wrong password and in another language, and does it once when it is sent', async () => {
  const { shop, customer, signedIn, path } = await openService()
  const browser = await signedIn('owner')
  const form = { request: 'a'.repeat(43), points: '5', reason: 'Goodwill' }
  const at = path(`/customers/${customer}/adjust`)
  const before = (await shop.balance(customer)) ?? 0
  await browser.post(path('/sign-out'))
  const to = afterSigningIn(await browser.post(at, form))
  await browser.submit(path('/sign-in'), { name: 'Ana', to, password: 'not this one' })
  await browser.submit(path('/sign-in'), { name: 'Ana', to, password: PASSWORD, language: 'de' })
  const shown = await (await browser.submit(path('/sign-in'), { name: 'Ana', to, password: PASSWORD })).text()
  for (const text of Object.values(form)) expect(shown).toContain(`value="${text}"`)
  expect(await shop.balance(customer)).toBe(before)
  for (let sent = 0; sent < 2; sent += 1) await browser.post(at, form)
  expect(await shop.balance(customer)).toBe(before + 5)
})

it('gives rules with as many rows as there can be back after signing in again', async () => {
  const office = await openService()
  const { signedIn, path } = office
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
  const rows = numbers.flatMap((number): [string, string][] => [
    [`group-${String(number)}-name`, `Ομάδα ειδών του καταστήματος ${String(number)}`],
    [`group-${String(number)}-factor`, `1,${String(number)}`],
    [`bonus-${String(number)}-name`, `Απόγευμα της εβδομάδας ${String(number)}`],
    [`bonus-${String(number)}-factor`, `2,${String(number)}`],
    [`bonus-${String(number)}-from`, `${String(number).padStart(2, '0')}:15`],
    [`bonus-${String(number)}-firstDay`, `2026-12-${String(number).padStart(2, '0')}`],
    ...[1, 2, 3, 4, 5, 6, 7].map((day): [string, string] => [
      `bonus-${String(number)}-day${String(day)}`,
      '1'
    ])
  ])
  const typed: Readonly<Record<string, string>> = { rate: '3,5', ...Object.fromEntries(rows) }
  const browser = await signedIn('owner')
  await browser.post(path('/sign-out'))
  const location = afterSigningIn(await browser.post(path('/rules'), typed))
  await signInAs(office, browser, 'owner')
  await expectGivenBack(browser, location, { typed }, /signed out before this was sent/)
})

it('keeps a form that is too long for a cookie as one that was not done, and asks a stranger only to sign in', async () => {
  const office = await openService()
  const { signedIn, path, visitor, customer } = office
  const at = path(`/customers/${customer}/adjust`)
  const stranger = visitor()
  expect(afterSigningIn(await stranger.post(at, { reason: 'Goodwill' }))).toBe(path(`/customers/${customer}`))
  expect(stranger.received).toEqual([])
  const browser = await signedIn('owner')
  await browser.post(path('/sign-out'))
  const location = afterSigningIn(await browser.post(at, { reason: randomBytes(4000).toString('hex') }))
  await signInAs(office, browser, 'owner')
  await expectGivenBack(browser, location, {}, /signed out before this was sent/)
})
