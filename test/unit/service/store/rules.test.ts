import { expect, it } from 'vitest'
import { FIRST_RULES, type EarningRules } from '../../../../electron/contract/earning-rules.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { CodeIssuer } from '../../../../electron/service/store/code-issuer.ts'
import { CreditStore } from '../../../../electron/service/store/credits.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { openShop, Shop } from './shop.ts'

const DOUBLE: EarningRules = { ...FIRST_RULES, pointsPerUnit: '2', groups: [{ name: 'Βιβλία', factor: '0' }] }

const openRules = async () => {
  const shop = await openShop()
  const store = new RulesStore(shop.database)
  const save = (rules: EarningRules | null, request: string, of = shop) =>
    store.save(of.business, { rules, request, at: of.now.toISOString(), by: 'staff:stf_1' })
  return { shop, store, save, current: (of = shop) => store.current(of.business) }
}

it('counts the versions of each shop, and has those of no other', async () => {
  const { shop, store, save, current } = await openRules()
  const other = await Shop.addTo(shop.database)
  expect(await current()).toEqual({ version: 0, timeZone: 'Europe/Athens', rules: null })
  await save(FIRST_RULES, 'one')
  await save(DOUBLE, 'two')
  expect(await current(other)).toEqual({ version: 0, timeZone: 'Europe/Athens', rules: null })
  await save(DOUBLE, 'three', other)
  expect(await current()).toEqual({ version: 2, timeZone: 'Europe/Athens', rules: DOUBLE })
  expect(await current(other)).toMatchObject({ version: 1, rules: DOUBLE })
  await save(null, 'four')
  expect(await current()).toEqual({ version: 3, timeZone: 'Europe/Athens', rules: null })
  const at = shop.now.toISOString()
  expect(await store.newest(shop.business, 2)).toEqual([
    { version: 3, rules: null, at, by: 'staff:stf_1' },
    { version: 2, rules: DOUBLE, at, by: 'staff:stf_1' }
  ])
})

it('makes one version of a form, as often and as late as it is sent, and none where nothing changes', async () => {
  const { save, current } = await openRules()
  await save(null, 'before any')
  expect(await current()).toMatchObject({ version: 0 })
  await Promise.all(Array.from({ length: 5 }, () => save(DOUBLE, 'one')))
  await save(DOUBLE, 'another form')
  expect(await current()).toMatchObject({ version: 1 })
  await save(FIRST_RULES, 'two')
  await save(DOUBLE, 'one')
  expect(await current()).toMatchObject({ version: 2, rules: FIRST_RULES })
  // What the shop had before, of a new form.
  await save(DOUBLE, 'three')
  expect(await current()).toMatchObject({ version: 3, rules: DOUBLE })
})

it('leaves what points do by the newest version when an older form comes again', async () => {
  const { shop, save } = await openRules()
  const older: EarningRules = {
    ...FIRST_RULES,
    ...{ welcomePoints: 50, expiry: { months: 6, since: 'earned', onSlips: false } }
  }
  await save(older, 'one')
  await save({ ...older, welcomePoints: 20, expiry: null }, 'two')
  await save(older, 'one')
  expect(
    await shop.database.read('SELECT expiry, welcome_points AS welcome FROM businesses WHERE business = $1', [
      shop.business
    ])
  ).toEqual([{ expiry: null, welcome: 20 }])
})

it('gives changes that come at once a version each', async () => {
  const { save, store, shop } = await openRules()
  const rates = ['1', '2', '3', '4', '5', '6']
  await Promise.all(rates.map((pointsPerUnit) => save({ ...FIRST_RULES, pointsPerUnit }, pointsPerUnit)))
  const versions = await store.newest(shop.business, 10)
  expect(versions.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1])
  expect(versions.map(({ rules }) => rules?.pointsPerUnit).toSorted()).toEqual(rates)
})

it.each(['UPDATE earning_rules SET rules = NULL', 'DELETE FROM earning_rules'])(
  'changes no version: %s',
  async (statement) => {
    const { shop, save } = await openRules()
    await save(FIRST_RULES, 'one')
    await expect(shop.database.write(statement)).rejects.toThrow('earning_rules never change')
  }
)

it('keeps what a code and a credit were calculated with, which their keys do not stand for', async () => {
  const { shop } = await openRules()
  const { database, business: key } = shop
  const till = { id: 'till_1', business: key, name: 'Till 1', createdAt: shop.now.toISOString() }
  await new TillStore(database).add(till, 'hash')
  const customer = await shop.register('+306901234567')
  const dependencies = { database, now: () => shop.now, random: systemRandomBytes }
  const [codes, credits] = [new CodeIssuer(dependencies), new CreditStore(dependencies)]
  const by = { by: 'till:till_1', till: 'till_1', points: 45 }
  const limits = { creditLimit: null, creditApprovalLimit: null, timeZone: 'Europe/Athens' }
  const business = { key, ...limits, reversalMinutes: 60, welcomePoints: 0, country: 'GR' }
  const plain = { reference: 'R-1', cashier: null }
  const bill = JSON.stringify({ amount: '45.20' })
  for (const sale of [{ ...plain, rules: 3, bill }, plain]) {
    await codes.issueOnce({ ...by, business, codeValidityDays: 90, idempotencyKey: 'of a code', sale })
    await credits.credit({
      ...by,
      business,
      customer,
      isApproved: false,
      idempotencyKey: 'of a credit',
      sale
    })
  }
  await codes.issueOnce({ ...by, business, codeValidityDays: 90, idempotencyKey: 'without', sale: plain })
  const kept = [
    { points: 45, rules: 3, bill },
    { points: 45, rules: null, bill: null }
  ]
  expect(await database.read('SELECT points, rules, bill FROM codes ORDER BY bill IS NULL')).toEqual(kept)
  expect(await database.read('SELECT points, rules, bill FROM entries')).toEqual(kept.slice(0, 1))
  const exported = await shop.identities.export(key, customer)
  expect(exported?.entries).toMatchObject([{ kind: 'credited', rules: 3, bill }])
})
