/** Exports of a shop, and the import of what was exported. */
import { expect, it } from 'vitest'
import { PROGRAM_CSV, spreadsheetCsv } from '../../../../electron/contract/text.ts'
import { decodeCsv, readRows } from '../../../../electron/service/domain/csv.ts'
import { BusinessStore } from '../../../../electron/service/store/businesses.ts'
import { ExportStore } from '../../../../electron/service/store/exports.ts'
import { importText } from './import-text.ts'
import { openShop, Shop } from './shop.ts'

const textOf = async (chunks: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

const openExports = async (shop: Shop, separator: ',' | ';' = ';'): Promise<ExportStore> =>
  new ExportStore(
    shop.database,
    await new BusinessStore(shop.database).get(shop.business),
    spreadsheetCsv(separator)
  )

const linesOf = (text: string) => {
  const [head, ...rows] = readRows(decodeCsv(new TextEncoder().encode(text)), ';').map(({ cells }) => cells)
  return rows.map((cells) =>
    Object.fromEntries((head ?? []).map((name, index) => [name.toLowerCase(), cells[index]]))
  )
}

it('has each cell as it is, with commas, for a program', async () => {
  const shop = await openShop()
  const id = await shop.register('+306940000001', '=1+1, "Anna"')
  const business = await new BusinessStore(shop.database).get(shop.business)
  const text = await textOf(new ExportStore(shop.database, business, PROGRAM_CSV).customers())
  expect(text).toBe(
    'name,phone,email,balance,lifetimePoints,joined,id\r\n' +
      `"=1+1, ""Anna""",+306940000001,${id}@example.com,0,0,2026-11-21 12:00:00,${id}\r\n`
  )
})

it('has customers without a formula, and not those of another shop, merged or erased', async () => {
  const shop = await openShop()
  const other = await Shop.addTo(shop.database)
  const [one, two, three] = [
    await shop.register('+306940000001', '=HYPERLINK("http://x.example";"x")'),
    await shop.register('+306940000002'),
    await shop.register('+306940000003')
  ]
  await other.register('+306940000001')
  await shop.adjust(one, 40)
  await shop.adjust(two, 2)
  await shop.identities.merge(shop.business, one, two)
  await shop.identities.erase(shop.business, three)
  const text = await textOf((await openExports(shop)).customers())
  expect(text).toBe(
    '\ufeffname;phone;email;balance;lifetimePoints;joined;id\r\n' +
      `"'=HYPERLINK(""http://x.example"";""x"")";'+306940000001;${one}@example.com;42;42;2026-11-21 12:00:00;${one}\r\n`
  )
  expect(linesOf(text)).toMatchObject([
    { name: '=HYPERLINK("http://x.example";"x")', phone: '+306940000001' }
  ])
})

it('has entries of several pages in their order, with names', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306940000001', 'Zoé')
  const reward = await shop.offer(10, 1)
  await shop.database.transaction(async (queries) => {
    for (let entry = 0; entry < 2500; entry += 1) {
      await queries.write(
        `INSERT INTO entries (business, customer, id, kind, points, lifetime_points, at, made_by, reason)
         SELECT $1, customer, $2, 'adjusted', 1, 1, $3, 'staff:stf_a', $4 FROM customers WHERE id = $5`,
        // Many at one time.
        [
          ...[shop.business, `ent_${String(entry)}`, `2026-11-2${String(entry % 2)}T00:00:00.000Z`],
          ...[`=1+${String(entry)}`, customer]
        ]
      )
    }
    await queries.write('UPDATE customers SET balance = 2500, lifetime_points = 2500')
  })
  shop.by = 'till:till_1'
  await shop.redeem(customer, reward)
  const makers = new Map([
    ['stf_a', 'Ana'],
    ['till_1', 'Till 1']
  ])
  const text = await textOf((await openExports(shop)).entries(makers))
  const lines = linesOf(text)
  expect(lines).toHaveLength(2501)
  expect(lines[0]).toMatchObject({
    time: '2026-11-20 02:00:00',
    reason: '=1+0',
    by: 'Ana',
    customer,
    name: 'Zoé'
  })
  expect(lines.at(-1)).toMatchObject({ kind: 'redeemed', points: '-10', reward: 'Reward 1', by: 'Till 1' })
  expect(new Set(lines.slice(0, -1).map(({ reason }) => reason)).size).toBe(2500)
  expect(text).not.toMatch(/^=|;=/m)
})

it.each([',', ';'] as const)(
  'with %j changes nothing when it is imported again, and brings another shop all',
  async (separator) => {
    const shop = await openShop()
    // A till registers customers by their phone alone.
    const names = ['Zoé', '=1+1', 'Анна, "A"', 'علي', '-अन्ना', "'安娜", '']
    const ids: string[] = []
    for (const [index, name] of names.entries()) {
      const id = await shop.register(`+30694000000${String(index)}`, name)
      ids.push(id)
      if (index > 0) await shop.adjust(id, index * 10)
    }
    await shop.offer(10, 1)
    await shop.offer(20, 2, false)
    const exports = await openExports(shop, separator)
    const [customers, rewards] = [await textOf(exports.customers()), await textOf(exports.rewards())]
    await shop.identities.erase(shop.business, ids[5] ?? '')
    const before = [
      await textOf(exports.customers()),
      await textOf(exports.rewards()),
      await textOf(exports.entries(new Map()))
    ]
    expect(await importText(shop, 'customers', customers)).toEqual({
      added: 0,
      known: 7,
      credited: 0,
      points: 0
    })
    expect(await importText(shop, 'rewards', rewards)).toEqual({ added: 0, known: 2, credited: 0, points: 0 })
    expect([
      await textOf(exports.customers()),
      await textOf(exports.rewards()),
      await textOf(exports.entries(new Map()))
    ]).toEqual(before)

    const other = await Shop.addTo(shop.database)
    expect(await importText(other, 'customers', customers)).toEqual({
      added: 7,
      known: 0,
      credited: 0,
      points: 210
    })
    const brought = linesOf(await textOf((await openExports(other)).customers()))
    expect(brought.map(({ name }) => name)).toEqual(names)
    expect(brought.map(({ balance }) => balance)).toEqual(['0', '10', '20', '30', '40', '50', '60'])
    expect(await importText(other, 'rewards', rewards)).toEqual({
      added: 2,
      known: 0,
      credited: 0,
      points: 0
    })
    expect(linesOf(await textOf((await openExports(other)).rewards()))).toMatchObject([
      { name: 'Reward 1', points: '10', enabled: '1' },
      { name: 'Reward 2', points: '20', enabled: '0' }
    ])
  }
)
