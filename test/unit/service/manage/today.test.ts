/** *Today*: its numbers lead to the rows that make them up, and a new shop sees what comes first. */
import { expect, it } from 'vitest'
import { textOf } from '../pages/visitor.ts'
import { importText } from '../store/import-text.ts'
import { CashierStore } from '../../../../electron/service/store/cashiers.ts'
import { locationOf, openOffice } from './shop-office.ts'

it('leads from the number of new customers to them, and counts none whom an import brought', async () => {
  const { shop, path, signedIn } = await openOffice()
  for (let index = 10; index < 45; index += 1)
    await shop.register(`+3069012345${String(index)}`, `Early ${String(index)}`)
  shop.now = new Date(shop.now.getTime() + 86_400_000)
  const owner = await signedIn('owner')
  await importText(
    shop,
    'customers',
    'name,phone,balance\nFromFile,+306940000001,5\nNoPoints,+306940000002,0\n'
  )
  expect(await textOf(await owner.get(path('/entries?kind=joined')))).toContain(
    'No customer has joined today.'
  )
  await shop.register('+306940000003', 'Eva')
  await shop.register('+306940000004', '')
  await shop.identities.erase(shop.business, await shop.register('+306940000005', 'Erased'))
  const today = await (await owner.get(path('/today'))).text()
  const [, href = '', count] = /Customers joined<\/dt>\s*<dd>\s*<a href="([^"]+)"\s*>(\d+)</.exec(today) ?? []
  expect(count).toBe('3')
  const rows = await textOf(await owner.get(href.replaceAll('&amp;', '&')))
  expect(rows).toMatch(/an erased customer .* \+30 694 000 0004 .* Eva /)
  expect(rows).not.toMatch(/Early|FromFile|NoPoints/)
  expect((await owner.get(path('/entries?kind=other'))).status).toBe(404)
})

it('leads a new shop to its first till, reward and customers, until it has them', async () => {
  const { shop, path, signedIn } = await openOffice()
  const owner = await signedIn('owner')
  const steps = async () => {
    const page = await (await owner.get(path('/today'))).text()
    const list = /First steps.*?<\/ul>/s.exec(page)?.[0] ?? ''
    const links = [...list.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.slice(path('').length))
    return { links, done: list.split('Done').length - 1 }
  }
  expect(await steps()).toEqual({ links: ['/tills', '/rewards', '/data#import'], done: 0 })
  expect(await (await owner.get(path('/data'))).text()).toContain('id="import"')
  const reward = await shop.offer(10, 1, false)
  expect((await steps()).done).toBe(0)
  await owner.post(path(`/rewards/${reward}/enable`))
  expect(await steps()).toEqual({ links: ['/tills', '/data#import'], done: 1 })
  await shop.register('+306940000001')
  await shop.database.write(
    "INSERT INTO tokens (id, business, hash, name, created_at) VALUES ('till_1', $1, 'x', 'Till 1', '2026-11-21T10:00:00.000Z')",
    [shop.business]
  )
  expect(await steps()).toEqual({ links: [], done: 0 })
})

it('leads the owner to what is unusual, and says when nothing is', async () => {
  const { shop, path, signedIn } = await openOffice()
  const owner = await signedIn('owner')
  expect(await textOf(await owner.get(path('/activity')))).toContain(
    'Nothing unusual in the last seven days.'
  )
  expect(await (await owner.get(path('/today'))).text()).not.toContain(path('/activity'))
  await shop.database.write(
    "INSERT INTO tokens (id, business, hash, name, created_at) VALUES ('till_1', $1, 'x', 'Till 1', '2026-11-21T10:00:00.000Z')",
    [shop.business]
  )
  shop.by = 'till:till_1'
  const [friend, erased] = [
    await shop.register('+306940000001', 'Eva'),
    await shop.register('+306940000002', 'Zoe')
  ]
  for (let credit = 0; credit < 12; credit += 1) await shop.credit(friend, 100)
  for (let credit = 0; credit < 3; credit += 1) await shop.credit(erased, 100)
  await shop.identities.erase(shop.business, erased)
  // What was found before is shown for ten minutes.
  expect(await (await owner.get(path('/today'))).text()).not.toContain(path('/activity'))
  shop.now = new Date(shop.now.getTime() + 600_000)
  const today = await (await owner.get(path('/today'))).text()
  expect(/Unusual activity<\/dt>\s*<dd>\s*<a href="([^"]+)"\s*>(\d+)</.exec(today)?.slice(1)).toEqual([
    path('/activity'),
    '2'
  ])
  const page = await (await owner.get(path('/activity'))).text()
  expect(page).toContain(`<a href="${path(`/customers/${friend}`)}"`)
  const text = await textOf(await owner.get(path('/activity')))
  expect(text).toContain(
    'One customer gets many points from one cashier by Till 1 · 12 slips or credits · 1,200 points Eva'
  )
  expect(text).toContain('few customers by Till 1 · 15 slips or credits Eva an erased customer')
  expect((await (await signedIn('staff')).get(path('/activity'))).status).toBe(403)
})

it('shows no more what the owner has explained, until it happens on a later day', async () => {
  const { shop, path, signedIn } = await openOffice()
  let owner = await signedIn('owner')
  await shop.database.write(
    "INSERT INTO tokens (id, business, hash, name, created_at) VALUES ('till_1', $1, 'x', 'Till 1', '2026-11-21T10:00:00.000Z')",
    [shop.business]
  )
  shop.by = 'till:till_1'
  const eva = await shop.register('+306940000001', 'Eva')
  for (let credit = 0; credit < 12; credit += 1) await shop.credit(eva, 100)
  const listed = async (): Promise<readonly string[]> => {
    const page = await (await owner.get(path('/activity'))).text()
    return [...page.matchAll(/href="([^"]+\/explain)"/g)].map(([, href = '']) => href)
  }
  const [one = '', few = ''] = await listed()
  expect(await textOf(await owner.get(one))).toContain('One customer gets many points')
  const answers = [
    await owner.post(one, { note: 'Our supplier' }),
    await owner.post(one, { note: 'Another' })
  ]
  expect(answers.map(locationOf)).toEqual(Array(2).fill(path('/activity?done=activity-explained')))
  expect(await listed()).toEqual([few])
  expect(await textOf(await owner.get(path('/activity')))).toMatch(
    /Explained One customer gets .* Eva Our supplier · Ana · 21 Nov 2026/
  )
  expect(await (await owner.get(path('/today'))).text()).toMatch(/activity"\s*>1</)
  // Time passes, and nothing else.
  shop.now = new Date(shop.now.getTime() + 86_400_000)
  owner = await signedIn('owner')
  expect(await listed()).toEqual([few])
  await shop.credit(eva, 100)
  shop.now = new Date(shop.now.getTime() + 600_000)
  const again = await listed()
  expect(again).toHaveLength(2)
  expect(again).not.toContain(one)
  expect(locationOf(await owner.post(one))).toContain(one)
  expect(await textOf(await owner.follow(await owner.post(one)))).toContain('This has happened again')
  expect((await (await signedIn('staff')).post(again[0] ?? '')).status).toBe(403)

  const kept = await shop.identities.export(shop.business, eva)
  expect(kept?.explanations).toMatchObject([{ kind: 'one-customer', note: 'Our supplier' }])
  await owner.post(again[1] ?? '', { note: 'Friends of Eva' })
  await shop.identities.erase(shop.business, eva)
  expect(await shop.database.read('SELECT note FROM explanations')).toEqual([])
})

it('forgets what was noted of a cashier with their name, and keeps that it was explained', async () => {
  const { shop, path, signedIn } = await openOffice()
  const owner = await signedIn('owner')
  const ana = { number: 3, name: 'Ana' }
  shop.by = 'till:till_1'
  const customer = await shop.register('+306940000001')
  for (let credit = 0; credit < 9; credit += 1) await shop.credit(customer, 1, null, ana)
  const page = await (await owner.get(path('/activity'))).text()
  const explain = /href="([^"]+\/explain)"/.exec(page)?.[1] ?? ''
  await owner.post(explain, { note: 'Ana works for two' })
  await new CashierStore(shop.database).forget(shop.business, ana)
  expect(await shop.database.read('SELECT maker, note FROM explanations')).toEqual([
    { maker: 'cashier:1', note: null }
  ])
})
