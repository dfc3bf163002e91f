/**
 * Every form of the shop and of its customers that is pressed twice and sent again: the store has what it has after the form is
 * sent once, and each press has the answer of the first.
 */
import { expect, it } from 'vitest'
import { FIRST_RULES } from '../../../electron/contract/earning-rules.ts'
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { RulesStore } from '../../../electron/service/store/rules.ts'
import { FORMS, openService, type Office } from './all-forms.ts'
import { textOf, type Visitor } from './pages/visitor.ts'

/** What forms change. Each press makes a link, a session or a device of its own, which are not compared. */
const STORED: readonly string[] = [
  'name, street, code_validity_days, logo FROM businesses',
  'fields FROM corrections',
  'note FROM explanations',
  'name, phone, balance, birthday, erased_at, merged_into IS NULL AS single FROM customers',
  'points, cancelled_at FROM codes',
  'count(*) AS linked FROM devices WHERE customer IS NOT NULL',
  'kind, points, reason FROM entries',
  'state FROM imports',
  'till_name FROM pairings',
  'cost, name, position, enabled FROM rewards',
  'version, rules FROM earning_rules',
  'name, role, name_key FROM staff_members',
  'name, branch, revoked_at, offline_stopped_at FROM tokens',
  'offline_days FROM businesses',
  'allowed_at FROM offline_refusals'
]

/** Forms whose page is made first: of a file that is read or imported, and of what another program does. */
const ELSEWHERE = /\/(?:logo|imports|imports\/:import\/stop|data\/backup|data\/backup\/cancel)$/
/** Forms that change none of what is compared: see `STORED`, and the columns of a preview. */
const CHANGES_NOTHING = /\/(?:sign-in|sign-out|me|:member\/link|me\/:business\/link|columns|rules\/preview)$/

const DIGITS = '123456'

/** Adds a device of the shop that shows `DIGITS`. */
const addDevice = async ({ shop }: Office) => {
  const devices = new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  const device = devices.create(shop.business)
  await devices.add(device)
  await devices.offerLink({ id: device.id, business: shop.business, customer: null })
  await shop.database.write('UPDATE link_codes SET digits = $1 WHERE device = $2', [DIGITS, device.id])
  return { devices, device }
}

/** Makes a browser that of a customer's linked phone. */
const linkPhone = async (office: Office, browser: Visitor) => {
  const { devices, device } = await addDevice(office)
  await devices.link(office.shop.business, office.customer, DIGITS)
  browser.setCookie(`device-${office.business}`, device.cookie)
  return { devices, device }
}

/** Rules with points for a birthday. */
const setRules = ({ shop }: Office) =>
  new RulesStore(shop.database).save(shop.business, {
    rules: { ...FIRST_RULES, birthdayPoints: 30 },
    ...{ request: 'first', at: shop.now.toISOString(), by: 'test' }
  })

/** What a form needs beside the shop of `openService`, before its page is opened. */
const PREPARED: Readonly<Record<string, (office: Office, browser: Visitor) => Promise<unknown>>> = {
  '/me/:business/unlink': linkPhone,
  '/me/:business/delete': linkPhone,
  '/me/:business/birthday': async (office, browser) => {
    await linkPhone(office, browser)
    await setRules(office)
  },
  '/me/:business/relink': async (office, browser) => {
    const { devices, device } = await linkPhone(office, browser)
    await devices.unlinkOwn(office.shop.business, office.customer, device.id)
  },
  '/manage/:business/customers/:customer/link': addDevice,
  '/manage/:business/rewards/:reward/up': ({ shop, reward }) =>
    shop.database.write('UPDATE rewards SET position = 9 WHERE id = $1', [reward]),
  '/manage/:business/rewards/:reward/enable': ({ shop }) =>
    shop.database.write('UPDATE rewards SET enabled = 0', []),
  '/manage/:business/offline/tills/:till/resume': ({ shop }) =>
    shop.database.write("UPDATE tokens SET offline_stopped_at = 'then'", []),
  '/manage/:business/rules/off': setRules,
  '/manage/:business/profile/logo/remove': ({ shop }) =>
    shop.database.write("UPDATE businesses SET logo = 'x.png'", [])
}

/** The fields that a page's form sends, as they are. */
const fieldsOf = (page: string, action: string): Record<string, string> => {
  const [form = ''] =
    new RegExp(`<form[^>]*action="${action}(?:\\?[^"]*)?"(?:(?!</form>)[^])*`).exec(page) ?? []
  const inputs = Array.from(form.matchAll(/<input\b[^>]*\bname="([^"]+)"[^>]*\bvalue="([^"]*)"/g))
  const choices = Array.from(
    form.matchAll(/<select\b[^>]*\bname="([^"]+)"[^]*?<option value="([^"]+)" selected/g)
  )
  return Object.fromEntries([...inputs, ...choices].map(([, name = '', value = '']) => [name, value]))
}

/** The address of the page of a form, with what it asks for in its address. */
const pageOf = async (route: string, office: Office, path: string): Promise<string> => {
  if (route.endsWith('/reverse')) return `${path}?entry=${office.entry}`
  if (route.endsWith('/merge')) return `${path}?with=${await office.shop.register('+306901111111', 'Zoe')}`
  return path.replace(/(\/imports\/[^/]+|\/me\/[^/]+(?=\/(?:re)?link$))\/\w+$/, '$1')
}

/** Resolves when no file is read or imported. */
const importsEnd = async ({ shop }: Office): Promise<void> =>
  expect
    .poll(() => shop.database.read("SELECT id FROM imports WHERE state IN ('reading', 'running')"))
    .toEqual([])

/** Opens a new shop with a form that is filled in. */
const openForm = async (route: string, options?: { readonly keepsCookies: boolean }) => {
  const office = await openService()
  await office.shop.offer(30, 3)
  const path = office.pathOf(route)
  await importsEnd(office)
  const browser: Visitor = await office.browser(route, options)
  await PREPARED[route]?.(office, browser)
  const stored = async () => {
    const tables = await Promise.all(STORED.map((what) => office.shop.database.read(`SELECT ${what}`)))
    return tables.map((rows) => rows.map((row) => JSON.stringify(row)).toSorted())
  }
  const page = await (await browser.follow(await browser.get(await pageOf(route, office, path)))).text()
  const { typed = {}, secret = {} } = FORMS[route] ?? {}
  const form = { ...fieldsOf(page, path), ...typed, ...secret }
  if (route.endsWith('/customers/:customer/link')) form['digits'] = DIGITS
  if (route.endsWith('/birthday')) Object.assign(form, { day: '29', month: '2' })
  // Of customers with points, it is asked once more.
  if (/\/rules(?:\/off)?$/.test(route)) {
    const asked = await (await browser.submit(path, form)).text()
    form['agreed'] = /name="agreed"\s+value="(\w+)"/.exec(asked)?.[1] ?? ''
  }
  return { office, browser, stored, send: (from = browser) => from.post(path, form) }
}

/** Sends a form of a new shop, and returns what the shop had before and has afterwards. */
const sendTimes = async (
  route: string,
  send: (sent: () => Promise<Response>) => Promise<unknown>,
  options?: { readonly keepsCookies: boolean }
) => {
  const opened = await openForm(route, options)
  const before = await opened.stored()
  await send(() => opened.send())
  await importsEnd(opened.office)
  return { before, after: await opened.stored() }
}

const ROUTES = Object.keys(FORMS).filter((route) => !ELSEWHERE.test(route))
const COOKIES = /^\/(?:manage|me|welcome)/

it.each(ROUTES)('does what %s does once', async (route) => {
  const once = await sendTimes(route, (send) => send())
  if (!CHANGES_NOTHING.test(route)) expect(once.after).not.toEqual(once.before)
  const often = (send: () => Promise<Response>) => Promise.all([send(), send()]).then(() => send())
  expect((await sendTimes(route, often)).after).toEqual(once.after)
  if (COOKIES.test(route)) return
  expect((await sendTimes(route, often, { keepsCookies: false })).after).toEqual(once.after)
})

it.each(ROUTES)(
  'answers another press of %s as the first, whichever cookies came with that',
  async (route) => {
    const { office, browser, send } = await openForm(route)
    const other = browser.copy()
    const late = browser.copy()
    const presses = await Promise.all([send(), send(other)])
    // The page of an import that runs says how far it is.
    await importsEnd(office)
    // Six digits are of a browser.
    const shownTo = async (to: Visitor, answer: Response): Promise<string> =>
      (await textOf(await to.follow(answer))).replace(/\b\d{3} +\d{3}\b/, '')
    const [first, second] = [await shownTo(browser, presses[0]), await shownTo(other, presses[1])]
    expect(second).toBe(first)
    expect(await shownTo(late, await send(late))).toBe(first)
    expect(await shownTo(browser, await send())).toBe(first)
  }
)
