import { expect, it } from 'vitest'
import { normalizeCode } from '../../../../electron/service/domain/codes.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { openShop, Shop } from './shop.ts'

it('lists the newest codes of a business page by page, also those of one moment, whatever is issued meanwhile', async () => {
  const shop = await openShop()
  const other = await Shop.addTo(shop.database)
  const issued: string[] = []
  for (let index = 0; index < 7; index += 1) {
    if (index % 3 === 0) shop.now = new Date(shop.now.getTime() + 1000)
    issued.push(await shop.issue(index + 1))
    await other.issue(99)
  }
  const codes = new CodeStore(shop.database)
  const listed: string[] = []
  for (;;) {
    const page = await codes.newest(shop.business, { after: listed.at(-1) ?? null, limit: 2 })
    if (page.length === 0) break
    listed.push(...page.map(({ code }) => code))
    shop.now = new Date(shop.now.getTime() + 1000)
    await shop.issue(50)
  }
  expect(listed.toSorted()).toEqual(issued.toSorted())
  const [newest] = await codes.newest(shop.business, { after: null, limit: 1 })
  expect(newest).toMatchObject({ points: 50, usedAt: null, cancelledAt: null })
  expect(await codes.newest(shop.business, { after: 'UNKNOWN', limit: 5 })).toEqual([])
})

it('adds a code once when the statement is repeated after a lost answer, and no other with its name', async () => {
  const shop = await openShop()
  const { database, business } = shop
  const repeating = new CodeStore({
    dialect: database.dialect,
    read: (...statement) => database.read(...statement),
    write: async (...statement) => {
      await database.write(...statement)
      return database.write(...statement)
    }
  })
  const at = shop.now.toISOString()
  const code = { code: '7QK2M0ZC4T9A', points: 5, image: false, createdAt: at, updatedAt: at, expiresAt: at }
  expect(await repeating.add(business, code)).toBe(true)
  expect(await repeating.add(business, code)).toBe(false)
  const other = await Shop.addTo(database)
  expect(await new CodeStore(database).add(other.business, code)).toBe(false)
  expect(await new CodeStore(database).add(business, { ...code, points: 6 })).toBe(false)
  expect(await database.read('SELECT code, points FROM codes')).toEqual([{ code: code.code, points: 5 }])
})

it.each([' 7qk2-m0zc 4t9a ', '7QK2M0ZC4T9A'])('reads the code %j as people write it', (text) => {
  expect(normalizeCode(text)).toBe('7QK2M0ZC4T9A')
})
