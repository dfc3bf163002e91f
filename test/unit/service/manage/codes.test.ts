/** *Codes*: the list of a till and of a cashier. */
import { expect, it } from 'vitest'
import { groupedCode } from '../../../../electron/contract/code-groups.ts'
import { textOf } from '../pages/visitor.ts'
import { locationOf, openOffice } from './shop-office.ts'

const ANA = { number: 3, name: 'Ana' }
const BEN = { number: 4, name: 'Ben' }

const openTills = async () => {
  const office = await openOffice()
  const { shop, path, signedIn } = office
  for (const [id, name, branch] of [
    ['till_10', 'Till 10', null],
    ['till_2', 'Till 2', 'Harbour']
  ])
    await shop.database.write(
      `INSERT INTO tokens (id, business, hash, name, branch, created_at)
       VALUES ($1, $2, $1, $3, $4, '2026-11-21T10:00:00.000Z')`,
      [id ?? '', shop.business, name ?? '', branch ?? null]
    )
  const issued = {
    anaAt2: await shop.issueAt('till_2', 1, ANA),
    benAt2: await shop.issueAt('till_2', 2, BEN),
    anaAt10: await shop.issueAt('till_10', 3, ANA),
    at10: await shop.issueAt('till_10', 4, null)
  }
  const staff = await signedIn('staff')
  const read = async (query: string): Promise<string> => (await staff.get(path(`/codes${query}`))).text()
  const page = await read('')
  /** the value of an option by its text */
  const valueOf = (text: string): string =>
    new RegExp(`<option value="([^"]+)"\\s*>${text}<`).exec(page)?.[1] ?? ''
  return { ...office, staff, read, page, valueOf, issued }
}

it('are narrowed by till, by cashier, and by both', async () => {
  const { read, page, valueOf, issued } = await openTills()
  const shown = async (query: string): Promise<readonly string[]> => {
    const text = await read(query)
    return Object.entries(issued).flatMap(([name, code]) => (text.includes(groupedCode(code)) ? [name] : []))
  }
  expect([...page.matchAll(/<option[^>]*>([^<]+)</g)].map(([, text]) => text)).toEqual([
    ...['All tills', 'Till 2, Harbour', 'Till 10'],
    ...['All cashiers', '3 Ana', '4 Ben']
  ])
  const [till, ana, ben] = [valueOf('Till 10'), valueOf('3 Ana'), valueOf('4 Ben')]
  expect(await shown('')).toEqual(['anaAt2', 'benAt2', 'anaAt10', 'at10'])
  expect(await shown(`?till=${till}`)).toEqual(['anaAt10', 'at10'])
  expect(await shown(`?cashier=${ana}`)).toEqual(['anaAt2', 'anaAt10'])
  expect(await shown(`?till=${till}&cashier=${ana}`)).toEqual(['anaAt10'])
  expect(await shown(`?till=${till}&cashier=${ben}`)).toEqual([])
  expect(await read(`?till=${till}&cashier=${ben}`)).toContain('No codes of this till or cashier.')
  // What is no till and no cashier of the shop narrows nothing.
  expect(await shown('?till=till_9&cashier=x')).toEqual(['anaAt2', 'benAt2', 'anaAt10', 'at10'])
})

it('stay narrowed on the next page and in another language, and a typed code is found', async () => {
  const { shop, path, staff, read, valueOf, issued } = await openTills()
  shop.now = new Date(shop.now.getTime() + 1000)
  for (let index = 0; index < 30; index += 1) await shop.issueAt('till_10', 5, ANA)
  const first = await read(`?till=till_10&cashier=${valueOf('3 Ana')}`)
  const older = /href="([^"]+\?after=[^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await (await staff.get(older)).text()
  expect(second).toContain(groupedCode(issued.anaAt10))
  expect(second).not.toContain(groupedCode(issued.at10))
  expect(second).toMatch(/<option value="till_10" selected/)
  const german = await staff.follow(
    await staff.get(path(`/codes?code=&till=till_10&cashier=${valueOf('3 Ana')}&language=de`))
  )
  expect(await german.text()).toMatch(/<option value="till_10" selected/)
  const typed = await staff.get(path(`/codes?till=till_10&cashier=&code=${issued.benAt2}`))
  expect(locationOf(typed)).toBe(path(`/codes/${issued.benAt2}`))
})

it('offer no choice in a shop without tills and cashiers', async () => {
  const { path, signedIn } = await openOffice()
  const page = await (await signedIn('staff')).get(path('/codes'))
  const text = await textOf(page)
  expect(text).toContain('No codes yet.')
  expect(text).not.toContain('All tills')
})

it('do not send who reads them to an entry that cannot be taken back, nor does the customer whose points have ended', async () => {
  const { shop, path, signedIn } = await openOffice()
  await shop.saveRules({ expiry: { months: 1, since: 'earned', onSlips: false } })
  const customer = await shop.register('+306901234567', 'Maria')
  const code = await shop.issue(150)
  await shop.collect(customer, code)
  const hint = 'open the customer and take the entry back'
  const staff = await signedIn('staff')
  expect(await textOf(await staff.get(path(`/codes/${code}`)))).toContain(hint)
  await shop.giveBack({ by: 'code', name: code }, { points: 50 }, 'key of a return', 'Wrong size')
  const page = await textOf(await staff.get(path(`/codes/${code}`)))
  expect(page).toContain('50 points · Wrong size')
  expect(page).not.toContain(hint)
  for (const day of ['2026-11-21', '2026-12-22', '2026-12-23']) {
    shop.now = new Date(`${day}T10:00:00.000Z`)
    await shop.runDaily()
  }
  const later = await signedIn('staff')
  const entries = await textOf(await later.get(path(`/customers/${customer}`)))
  expect(entries).toMatch(/Points expired .*−100 .*Collected .*\+150/)
  expect(entries).not.toContain('Take back')
})
