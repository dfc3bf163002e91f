/** Erased customers in a file from before: they come back only if the owner says so. */
import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { ImportStore } from '../../../../electron/service/store/import-jobs.ts'
import type { StoredImport } from '../../../../electron/service/store/stored-import.ts'
import { openShop, type Shop } from './shop.ts'

const TEXT = 'name,phone,points\nAnna,+306940000001,120\nZoé,+30 694 000 0002,35\n'

const openImports = async () => {
  const shop = await openShop()
  const store = new ImportStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  return { shop, store }
}

const previewed = async (shop: Shop, store: ImportStore, text: string, withErased = false) => {
  const id = await store.add(shop.business, { kind: 'customers', text, by: 'test' }, { withErased })
  await store.read({ business: shop.business, id })
  const found = await store.find(shop.business, id)
  if (found === null) throw new Error('no import')
  return found
}

const finish = async (shop: Shop, store: ImportStore, { id }: StoredImport): Promise<void> => {
  await store.start(shop.business, id)
  const found = await store.find(shop.business, id)
  const parsed = found === null ? null : await store.parsed(found)
  if (found === null || parsed === null) throw new Error('no import')
  await store.advance(found, parsed)
}

it('refuses the line of an erased customer, and keeps of the phone a salted hash', async () => {
  const { shop, store } = await openImports()
  await shop.identities.erase(shop.business, await shop.register('+306940000001', 'Anna'))
  const found = await previewed(shop, store, TEXT)
  expect(found).toMatchObject({ added: 1, points: 35, refused: 1 })
  expect((await store.refusedLines(found)).lines).toMatchObject([{ line: 2, fault: 'customer-erased' }])
  await finish(shop, store, found)
  expect(await shop.database.read('SELECT phone FROM customers WHERE phone IS NOT NULL')).toEqual([
    { phone: '+306940000002' }
  ])
  const kept = JSON.stringify(await shop.database.read('SELECT * FROM erased_phones'))
  expect(kept).not.toContain('6940000001')
})

it('refuses also those who were merged, and those who had another phone in an export of this shop', async () => {
  const { shop, store } = await openImports()
  const [kept, merged] = [await shop.register('+306940000001'), await shop.register('+306940000002')]
  await shop.identities.merge(shop.business, kept, merged)
  await shop.identities.erase(shop.business, kept)
  const text = `${TEXT.replace('points', 'points,id').replaceAll(/(\d)\n/g, '$1,\n')}Anna,+306940000003,7,${kept}\n`
  const found = await previewed(shop, store, text)
  expect((await store.refusedLines(found)).lines.map(({ line, fault }) => [line, fault])).toEqual([
    [2, 'customer-erased'],
    [3, 'customer-erased'],
    [4, 'customer-erased']
  ])
})

it('imports an erased customer as a new one when the owner says so', async () => {
  const { shop, store } = await openImports()
  const erased = await shop.register('+306940000001')
  await shop.identities.erase(shop.business, erased)
  const text = `name,phone,points,id\nAnna,+306940000001,120,${erased}\n`
  const found = await previewed(shop, store, text)
  expect(found).toMatchObject({ added: 0, refused: 1 })
  await store.choose(shop.business, found.id, { choice: found.choice, withErased: true })
  await store.read(found)
  const again = await store.find(shop.business, found.id)
  if (again === null) throw new Error('no import')
  expect(again).toMatchObject({ added: 1, refused: 0, points: 120, withErased: true })
  await finish(shop, store, again)
  const rows = await shop.database.read('SELECT balance FROM customers WHERE phone IS NOT NULL')
  expect(rows).toEqual([{ balance: 120 }])
})

it('says which points do not come, because they came before', async () => {
  const { shop, store } = await openImports()
  await finish(shop, store, await previewed(shop, store, TEXT))
  expect(await previewed(shop, store, TEXT)).toMatchObject({ added: 0, known: 2, points: 0, filePoints: 155 })
})
