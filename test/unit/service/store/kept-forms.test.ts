import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { KeptFormStore } from '../../../../electron/service/store/kept-forms.ts'
import { openShop } from './shop.ts'

it('keeps a form for half an hour, and for the browser that has sent its cookie', async () => {
  const shop = await openShop()
  const store = new KeptFormStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  const form = { page: '/join/x', outcome: 'phone', texts: { phone: '12', name: 'x'.repeat(2000) } }
  const secret = await store.keep(form, 'cookie', false)
  const kept = { ...form, texts: { phone: '12', name: 'x'.repeat(1000) } }
  expect(await store.find(secret, undefined)).toEqual(kept)
  expect(await store.find(secret, 'cookie')).toEqual(kept)
  for (const browser of [undefined, 'another']) expect(await store.find(secret, browser)).toBeNull()
  expect(await store.find('unknown', 'cookie')).toBeNull()
  shop.now = new Date(shop.now.getTime() + 30 * 60_000)
  expect(await store.find(secret, 'cookie')).toBeNull()
  await store.clean()
  expect(await shop.database.read('SELECT hash FROM kept_forms')).toEqual([])
})
