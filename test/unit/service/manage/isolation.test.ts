/** What holds for every route of the pages: the owner of one shop reads and changes nothing of another, and a form has a page. */
import { expect, it } from 'vitest'
import { FIRST_RULES } from '../../../../electron/contract/earning-rules.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { addRefused } from '../../../support/offline-till.ts'
import { addUnusual, locationOf, openOffice } from './shop-office.ts'

const TABLES = [
  ...['businesses', 'entries', 'codes', 'rewards', 'customers', 'tokens', 'devices', 'staff_members'],
  'imports',
  'explanations',
  'offline_refusals',
  'earning_rules'
]

/** Occur nowhere else. */
const NAME = 'Ξανθίππη'
const POINTS = 7_130_017

/** A shop with something of everything that a path can name. */
const openFull = async () => {
  const office = await openOffice()
  const { shop, staff, members, path, signedIn } = office
  const shared = { database: shop.database, now: () => shop.now, random: systemRandomBytes }
  const customer = await shop.register('+306901234567', NAME)
  const { entry } = await shop.collect(customer, await shop.issue(POINTS))
  const devices = new DeviceStore(shared)
  const device = devices.create(shop.business)
  await devices.add(device)
  const digits = await devices.offerLink({ ...device, customer: null })
  const till = { id: 'till_full', business: shop.business, name: NAME, createdAt: shop.now.toISOString() }
  await new TillStore(shop.database).add(till, 'x')
  const form = new FormData()
  form.set('kind', 'customers')
  form.set('file', new File([`name,phone\n${NAME},+306901234568\n`], 'customers.csv'))
  const owner = await signedIn('owner')
  const location = locationOf(await owner.upload(path('/data/imports'), form)) ?? ''
  const rules = { ...FIRST_RULES, maximum: POINTS, groups: [{ name: NAME, factor: '2' }] }
  const change = { request: 'one', at: shop.now.toISOString(), by: `staff:${members.owner.id}` }
  await new RulesStore(shop.database).save(shop.business, { ...change, rules })
  const code = await shop.issue(POINTS)
  const reward = await shop.offer(POINTS, 1)
  const values: Readonly<Record<string, string>> = {
    ...{ business: office.business, customer, code, reward, till: till.id, member: members.staff.id },
    ...{ import: /imports\/(\w+)/.exec(location)?.[1] ?? '', name: 'tillpoints.db' },
    pattern: await addUnusual(shop, till.id, customer),
    refused: await addRefused(shop, till.id, POINTS),
    secret: await staff.offerLink(members.staff.id)
  }
  const fields = { customer, with: customer, entry: entry.id, reward, digits, device: device.id }
  return { ...office, values, fields }
}

/** Fills the parameters of a route's path. */
const pathOf = (pattern: string, values: Readonly<Record<string, string>>): string =>
  pattern.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the parameter :${name} is new: say what it names`)
    return value
  })

it('has a page where a form is sent, for a browser that asks for it', async () => {
  const { values, routes, signedIn } = await openFull()
  const owner = await signedIn('owner')
  const forms = routes().filter(
    ({ method, path }) => method === 'POST' && /^\/(manage|welcome|me|join|q)\//.test(path)
  )
  expect(forms.length).toBeGreaterThan(30)
  for (const { path: pattern } of forms) {
    const path = pathOf(pattern, values)
    let page = await owner.get(path, { accept: 'text/html' })
    const location = locationOf(page)
    if (location !== null) page = await owner.get(location, { accept: 'text/html' })
    // An entry to take back and a customer to merge are in the query, and this service has no folder of backups.
    const isMissing = /\/(reverse|merge|backup)$/.test(path)
    expect([path, page.status]).toEqual([path, isMissing ? 404 : 200])
    expect([path, page.headers.get('content-type')]).toEqual([path, 'text/html; charset=UTF-8'])
  }
})

it('shows and changes nothing of another shop', async () => {
  const office = await openFull()
  const { values, fields, addShop, shop, staff, routes, visitor, signedIn, business, faults } = office
  const other = await addShop()
  const [row] = await other.database.read('SELECT id FROM businesses WHERE business = $1', [other.business])
  const id = (row as { id: string }).id
  const member = await staff.add(other.business, { name: 'Eva', role: 'owner' })
  const customer = await other.register('+306907654321', 'Own')
  await other.adjust(customer, 9_000_000)
  const rows = () =>
    Promise.all(
      TABLES.map((table) =>
        shop.database.read(`SELECT * FROM ${table} WHERE business = $1 ORDER BY 1, 2`, [shop.business])
      )
    )
  const before = await rows()
  const patterns = routes().filter(({ path }) => path.startsWith('/manage/:business'))
  const owner = await signedIn('owner')
  let read = ''
  for (const { method, path: pattern } of patterns) {
    const fill = (own: Readonly<Record<string, string>>): string => pathOf(pattern, { ...values, ...own })
    if (method === 'GET') read += await (await owner.get(fill({}))).text()
    // In the own shop with what is the other's, beside an own customer, and in the other shop.
    for (const path of new Set([fill({ business: id }), fill({ business: id, customer }), fill({})])) {
      const browser = visitor()
      const session = (await staff.beginSession(member)) ?? ''
      browser.setCookie(`staff-${id}`, session)
      browser.setCookie(`staff-${business}`, session)
      const form = { ...fields, request: 'x', points: '5', reason: 'x', name: 'Mine', cost: '1' }
      const answer = await (method === 'POST' ? browser.post(path, form) : browser.get(path))
      const text = await answer.text()
      for (const secret of [NAME, String(POINTS), POINTS.toLocaleString('en')])
        expect(text.includes(secret), `${method} ${path} shows ${secret}`).toBe(false)
    }
  }
  // Its owner reads them.
  for (const own of [NAME, POINTS.toLocaleString('en')]) expect(read).toContain(own)
  expect(faults).toEqual([])
  expect(await rows()).toEqual(before)
})
