import { describe, expect, it } from 'vitest'
import { MAXIMUM_PAGE_SIZE, pageRequestOf } from '../../../electron/service/paging.ts'
import { bodyOf, errorOf, exactly, openInProcess } from './ways.ts'

const read = (query: Record<string, string>) => pageRequestOf((name) => query[name])

describe('a page request', () => {
  it('has the defaults of the interface document, part 8', () => {
    expect(read({})).toEqual({ pageNumber: 1, pageSize: 20 })
  })

  it('reads numbers from texts', () => {
    expect(read({ pageNumber: '3', pageSize: '50' })).toEqual({ pageNumber: 3, pageSize: 50 })
    expect(read({ pageNumber: '999999999', pageSize: '1' })).toEqual({ pageNumber: 999_999_999, pageSize: 1 })
  })

  it('is given the largest page when it asks for a larger one', () => {
    expect(read({ pageSize: '100' }).pageSize).toBe(100)
    expect(read({ pageSize: '101' }).pageSize).toBe(MAXIMUM_PAGE_SIZE)
  })
})

describe('a page request that cannot be read', () => {
  it.each(['0', '-1', '1.5', '1e2', ' 2', 'two', '', '٢', '0x10', '10000000000', 'NaN'])(
    'is refused by every list: %j',
    async (text) => {
      const caller = await openInProcess({ seed: { customers: 0, rewards: 0 } })
      for (const path of ['/customers', '/customers/', '/rewards']) {
        for (const parameter of ['pageNumber', 'pageSize']) {
          const reply = await caller.call(`${path}?${parameter}=${encodeURIComponent(text)}`)
          expect(reply.status).toBe(400)
          expect(errorOf(reply).message).toBe(`${parameter} must be a whole number, 1 or more`)
        }
      }
      await caller.close()
    }
  )
})

describe('a page of a large shop', () => {
  it('says which size it was cut to', async () => {
    const caller = await openInProcess({ seed: { customers: 101 } })
    const page = bodyOf(await caller.call('/customers?pageSize=5000'), exactly.customerPage)
    expect(page).toMatchObject({ hasMore: true, pageSize: 100, noCustomers: 100 })
    await caller.close()
  })
})
