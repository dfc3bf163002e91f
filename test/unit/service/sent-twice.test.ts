/** Every form of the shop's pages that is pressed twice and sent again: the store has what it has after the form is sent once. */
import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { FORMS, openService, type Office } from './all-forms.ts'
import type { Visitor } from './pages/visitor.ts'

/** What forms change. Each press makes a link or a session of its own, which are not compared. */
const STORED: readonly string[] = [
  'name, street, code_validity_days, logo FROM businesses',
  'fields FROM corrections',
  'name, phone, balance, erased_at, merged_into IS NULL AS single FROM customers',
  'points, cancelled_at FROM codes',
  'customer IS NULL AS free FROM devices',
  'kind, points, reason FROM entries',
  'state FROM imports',
  'till_name FROM pairings',
  'cost, name, position, enabled FROM rewards',
  'name, role, name_key FROM staff_members',
  'name, branch, revoked_at FROM tokens'
]

/** Forms whose page is made first: of a file that is read or imported, and of what another program does. */
const ELSEWHERE = /\/(?:logo|imports|imports\/:import\/stop|data\/backup|data\/backup\/cancel)$/
/** Forms that change none of what is compared: see `STORED`, and the columns of a preview. */
const CHANGES_NOTHING = /\/(?:sign-in|sign-out|me|:member\/link|columns)$/

const DIGITS = '123456'

/** What a form needs beside the shop of `openService`, before its page is opened. */
const PREPARED: Readonly<Record<string, (office: Office) => Promise<unknown>>> = {
  link: async ({ shop }) => {
    const devices = new DeviceStore({
      database: shop.database,
      now: () => shop.now,
      random: systemRandomBytes
    })
    const device = devices.create(shop.business)
    await devices.add(device)
    await devices.offerLink({ id: device.id, business: shop.business, customer: null })
    await shop.database.write('UPDATE link_codes SET digits = $1 WHERE device = $2', [DIGITS, device.id])
  },
  up: ({ shop, reward }) => shop.database.write('UPDATE rewards SET position = 9 WHERE id = $1', [reward]),
  enable: ({ shop }) => shop.database.write('UPDATE rewards SET enabled = 0', []),
  remove: ({ shop }) => shop.database.write("UPDATE businesses SET logo = 'x.png'", [])
}

/** The fields that a page's form sends, as they are. */
const fieldsOf = (page: string, action: string): Record<string, string> => {
  const [form = ''] = new RegExp(`<form[^>]*action="${action}"(?:(?!</form>)[^])*`).exec(page) ?? []
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
  return path.replace(/(\/imports\/[^/]+)\/\w+$/, '$1')
}

/** Resolves when no file is read or imported. */
const importsEnd = async ({ shop }: Office): Promise<void> =>
  expect
    .poll(() => shop.database.read("SELECT id FROM imports WHERE state IN ('reading', 'running')"))
    .toEqual([])

/** Sends a form of a new shop, and returns what the shop had before and has afterwards. */
const sendTimes = async (route: string, send: (sent: () => Promise<Response>) => Promise<unknown>) => {
  const office = await openService()
  await office.shop.offer(30, 3)
  const path = office.pathOf(route)
  await importsEnd(office)
  await PREPARED[route.split('/').at(-1) ?? '']?.(office)
  const stored = async () => {
    const tables = await Promise.all(STORED.map((what) => office.shop.database.read(`SELECT ${what}`)))
    return tables.map((rows) => rows.map((row) => JSON.stringify(row)).toSorted())
  }
  const browser: Visitor = await office.browser(route)
  const page = await (await browser.follow(await browser.get(await pageOf(route, office, path)))).text()
  const { typed = {}, secret = {} } = FORMS[route] ?? {}
  const form = { ...fieldsOf(page, path), ...typed, ...secret }
  if (route.endsWith('/link')) form['digits'] = DIGITS
  const before = await stored()
  await send(() => browser.post(path, form))
  await importsEnd(office)
  return { before, after: await stored() }
}

it.each(Object.keys(FORMS).filter((route) => /^\/(?:manage|welcome)/.test(route) && !ELSEWHERE.test(route)))(
  'does what %s does once',
  async (route) => {
    const once = await sendTimes(route, (send) => send())
    if (!CHANGES_NOTHING.test(route)) expect(once.after).not.toEqual(once.before)
    const often = await sendTimes(route, async (send) => {
      await Promise.all([send(), send()])
      await send()
    })
    expect(often.after).toEqual(once.after)
  }
)
