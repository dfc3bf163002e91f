import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { LANGUAGES } from '../../../electron/contract/language.ts'
import { hashToken } from '../../../electron/service/domain/identifiers.ts'
import { DatabaseUnavailableError, type Database } from '../../../electron/service/store/database.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { createEmptyDatabase, Shop } from './store/shop.ts'
import { openPages, textOf } from './pages/visitor.ts'

let isDown: boolean
let pages: Awaited<ReturnType<typeof openPages>>

beforeEach(async () => {
  isDown = false
  const created = await createEmptyDatabase()
  const database = await created.open()
  onTestFinished(async () => {
    await database.close()
    await created.remove()
  })
  const reject = () => Promise.reject(new DatabaseUnavailableError('No node of the database takes writes.'))
  const failing: Database = {
    dialect: database.dialect,
    read: (...statement) => (isDown ? reject() : database.read(...statement)),
    write: (...statement) => (isDown ? reject() : database.write(...statement)),
    transaction: (work) => (isDown ? reject() : database.transaction(work)),
    deleteReplaced: () => database.deleteReplaced(),
    close: () => database.close()
  }
  pages = await openPages(await Shop.addTo(failing))
  isDown = true
})

it('answers a till with 503, when to ask again, and an error body', async () => {
  const reply = await pages.visitor().get('/api/account', { authorization: 'Bearer till', 'x-lang': 'de' })
  expect(reply.status).toBe(503)
  expect(reply.headers.get('retry-after')).toBe('15')
  expect(await reply.json()).toEqual({
    message: 'Der Dienst ist gerade nicht erreichbar; bitte in einer Minute erneut versuchen',
    error: 'Service Unavailable',
    statusCode: 503
  })
  expect(pages.faults).toHaveLength(1)
})

it.each(LANGUAGES)('tells a customer in %s what to do, with 503', async (language) => {
  const reply = await pages.visitor().get(`/me/${pages.business}?lang=${language}`)
  expect(reply.status).toBe(503)
  expect(reply.headers.get('retry-after')).toBe('15')
  expect(reply.headers.get('content-language')).toBe(language)
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await textOf(reply)
  expect(text).toMatch(/minut|λεπτό|دقيقة/i)
  expect(pages.faults).toHaveLength(1)
})

it('answers 503 while the disk is full, stores nothing of what it refuses, and goes on when there is space', async () => {
  const created = await createEmptyDatabase()
  const database = await created.open()
  onTestFinished(async () => {
    await database.close()
    await created.remove()
  })
  const { shop, fetch, visitor } = await openPages(await Shop.addTo(database))
  const till = { id: 'till_1', business: shop.business, name: 'Till', createdAt: shop.now.toISOString() }
  await new TillStore(database).add(till, hashToken('token'))
  const send = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(path, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body)
    })
  const issue = () => send('/api/qr', { points: 5 })
  const code = await shop.issue(5)
  // No more pages than there are.
  await database.write('PRAGMA max_page_count = 1')
  let issued = 1
  let answer = await issue()
  for (; answer.status === 200; issued += 1) answer = await issue()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '15'])
  expect(await answer.json()).toMatchObject({
    message: 'The disk of the service is full: nothing was stored'
  })
  // Only a till that asks for it is told in a header.
  expect(answer.headers.has('not-stored')).toBe(false)
  for (const [prefer, told] of [
    ['collect-until', 'storage-full'],
    ['not-stored', 'storage-full'],
    ['return=minimal', null]
  ] as const) {
    const { status, headers } = await send('/api/qr', { points: 5 }, { prefer })
    expect([prefer, status, headers.get('not-stored')]).toEqual([prefer, 503, told])
  }
  const collected = await visitor().post(`/q/${code}`, { phone: '690 123 4567', name: 'M'.repeat(200) })
  expect([303, 503]).toContain(collected.status)
  expect(await database.read('SELECT count(*) AS codes FROM codes')).toEqual([{ codes: issued }])
  await database.write('PRAGMA max_page_count = 1000000')
  expect((await issue()).status).toBe(200)
})
