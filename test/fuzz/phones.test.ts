/** Random phones of many countries, read by all that reads phones: each is one customer, however it is written. */
import type { CountryCode } from 'libphonenumber-js/max'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { parsePhone } from '../../electron/contract/phone.ts'
import { customerCommands } from '../../electron/service/cli/customer.ts'
import { Progress } from '../../electron/service/cli/progress.ts'
import { Log } from '../../electron/service/monitoring/log.ts'
import { parseImport } from '../../electron/service/domain/imports.ts'
import { hashToken, newIdentifier, systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { BusinessStore } from '../../electron/service/store/businesses.ts'
import { batchAfter, importBatch } from '../../electron/service/store/imports.ts'
import { TillStore } from '../../electron/service/store/tills.ts'
import { COUNTRIES, randomPhones } from '../support/random-phones.ts'
import { FULL } from '../support/size.ts'
import { openOffice } from '../unit/service/manage/shop-office.ts'
import { SEEDS } from './runs.ts'

const [[, FIXED], [randomSeed, RANDOM]] = SEEDS

it.each(COUNTRIES)(`reads each phone of %s alike in six spellings, with ${randomSeed}`, (country) => {
  const phones = [FIXED, RANDOM].flatMap((seed) => randomPhones(country, FULL ? 2500 : 50, seed))
  expect(phones.length).toBeGreaterThan(10)
  const misread = phones.flatMap(({ e164, spellings }) => {
    const read = parsePhone(e164, '')
    const kept = read?.e164
    const isSame = kept === e164 || read?.former === e164
    const others = spellings.filter((spelling) => parsePhone(spelling, country)?.e164 !== kept)
    return isSame && others.length === 0 ? [] : [{ e164, kept, others }]
  })
  expect(misread).toEqual([])
})

/** Opens a shop in a country, and the ways in which a phone reaches its service. Each answers ids of customers. */
const openWays = async (country: CountryCode) => {
  const office = await openOffice()
  const { shop, fetch, visitor, path, signedIn } = office
  const businesses = new BusinessStore(shop.database)
  const business = await businesses.get(shop.business)
  await businesses.update({ ...business, address: { ...business.address, country } })
  const till = { id: newIdentifier('dev', systemRandomBytes), business: shop.business, name: 'Till' }
  const createdAt = shop.now.toISOString()
  await new TillStore(shop.database).add({ ...till, createdAt }, hashToken('token'))
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
  const staff = await signedIn('staff')
  const show = customerCommands.find(({ name }) => name === 'customer show')
  if (show === undefined || show.opensItself === true) throw new Error('customer show is missing')
  const idsIn = v.object({ data: v.array(v.object({ id: v.string() })) })
  const customerIn = v.object({ customer: v.object({ id: v.string() }) })
  let asked = 0
  return {
    count: async () => (await businesses.get(shop.business)).customers,
    join: async (phone: string) => {
      asked += 1
      shop.address = `2001:db8:${asked.toString(16)}::1`
      const page = await visitor().submit(`/join/${office.business}`, { phone })
      return (await page.text()).includes('You collect points with')
    },
    register: async (phone: string) => {
      const body = JSON.stringify({ phone })
      return [200, 406].includes((await fetch('/api/customers', { method: 'POST', headers, body })).status)
    },
    import: async (phone: string) => {
      const parsed = await parseImport('customers', `name;phone\n;${phone}`, { country, chosen: {} })
      await shop.database.transaction((queries) =>
        importBatch(
          queries,
          shop.business,
          batchAfter(parsed, 0, { now: () => shop.now, random: systemRandomBytes }),
          { at: createdAt, by: 'test' }
        )
      )
      return parsed.rows.length === 1
    },
    found: {
      'the interface': async (phone: string) => {
        const answer = await fetch(`/api/customers/${encodeURIComponent(phone)}?type=phone`, { headers })
        return answer.ok ? [v.parse(v.object({ id: v.string() }), await answer.json()).id] : []
      },
      'the search': async (phone: string) => {
        const answer = await fetch(`/api/customers/?name=${encodeURIComponent(phone)}`, { headers })
        return v.parse(idsIn, await answer.json()).data.map(({ id }) => id)
      },
      'the page of customers': async (phone: string) => {
        const answer = await staff.get(path(`/customers?name=${encodeURIComponent(phone)}`))
        return Array.from((await answer.text()).matchAll(/\/customers\/(cus_\w+)/g), ([, id]) => id)
      },
      'the command line': async (phone: string) => {
        const input = {
          database: shop.database,
          option: () => undefined,
          required: () => phone,
          isGiven: () => false,
          all: () => [],
          now: () => shop.now,
          progress: new Progress({ write: () => true, isTTY: false }, false),
          log: new Log()
        }
        const shown = await show.run(input).catch(() => null)
        return shown === null ? [] : [v.parse(customerIn, shown.json).customer.id]
      }
    }
  }
}

// In the full size all countries, else every fourth.
it.each(COUNTRIES.filter((_country, at) => FULL || at % 4 === 0))(
  'keeps one customer for each phone of %s, whatever it comes by',
  async (country) => {
    const ways = await openWays(country)
    const phones = randomPhones(country, FULL ? 50 : 2, FIXED)
    const lost: unknown[] = []
    for (const [index, { e164, spellings }] of phones.entries()) {
      const before = await ways.count()
      const first = [ways.join, ways.register, ways.import][index % 3]
      if ((await first?.(e164)) !== true) lost.push({ e164, way: index % 3 })
      if (!(await ways.register(e164)) || !(await ways.import(e164))) lost.push({ e164 })
      const ids = new Set<string>()
      for (const spelling of spellings) {
        if (!(await ways.join(spelling)) || !(await ways.import(spelling))) lost.push({ spelling })
        for (const [way, find] of Object.entries(ways.found)) {
          const found = await find(spelling)
          if (found.length !== 1) lost.push({ spelling, way, found })
          for (const id of found) ids.add(String(id))
        }
      }
      if (ids.size !== 1 || (await ways.count()) > before + 1) lost.push({ e164, ids })
    }
    expect(lost).toEqual([])
  }
)

it('refuses what is no phone, whatever it comes by', async () => {
  const ways = await openWays('DE')
  const taken: unknown[] = []
  for (const phone of [
    ...['+49335003603159191', '+491185', '+49 1185', '+999123456789', '+4917', '4917'],
    ...['+0491761234567', '+49', '1185', '335003603159191', '+15550', 'Anna']
  ]) {
    for (const way of ['join', 'register', 'import'] as const)
      if (await ways[way](phone)) taken.push([way, phone])
    for (const [way, find] of Object.entries(ways.found)) {
      if ((await find(phone)).length > 0) taken.push([way, phone])
    }
  }
  expect(taken).toEqual([])
  expect(await ways.count()).toBe(0)
})
