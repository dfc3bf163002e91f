import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { LANGUAGES } from '../../../electron/contract/language.ts'
import { DatabaseUnavailableError, type Database } from '../../../electron/service/store/database.ts'
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
