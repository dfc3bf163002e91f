import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, errorOf, everyWay, exactly, type Caller } from '../ways.ts'

describe.each(everyWay)('rewards, $way', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open()
  })
  afterAll(() => caller.close())

  const list = async (query = '') => bodyOf(await caller.call(`/rewards${query}`), exactly.rewardPage)

  it('lists the catalogue in its order, twenty by default', async () => {
    const first = await list()
    expect(first).toMatchObject({ hasMore: true, currentPage: 1, pageSize: 20, noRewards: 20 })
    const second = await list('?pageNumber=2')
    expect(second).toMatchObject({ hasMore: false, currentPage: 2, pageSize: 20, noRewards: 4 })
    const indexes = [...first.data, ...second.data].map(({ index }) => index)
    expect(indexes).toEqual(Array.from({ length: 24 }, (_, place) => place + 1))
  })

  it('reads each reward of the list in detail, some of them disabled', async () => {
    const { data } = await list('?pageSize=100')
    const details = await Promise.all(
      data.map(async ({ id }) => bodyOf(await caller.call(`/rewards/${id}`), exactly.rewardDetail))
    )
    expect(details.map(({ id, name, cost, index }) => ({ id, name, cost, index }))).toEqual(data)
    expect(details.filter(({ isEnable }) => !isEnable)).toHaveLength(3)
    for (const { createdAt, updatedAt } of details) expect(createdAt <= updatedAt).toBe(true)
  })

  it.each(['/rewards/none', '/rewards/%2B'])('answers 404 for %s', async (path) => {
    const reply = await caller.call(path)
    expect(reply.status).toBe(404)
    expect(errorOf(reply).message).toBe('No such reward')
  })
})
