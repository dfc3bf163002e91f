import { beforeEach, describe, expect, test, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import {
  PagedList,
  type BlockRequest,
  type RowPage
} from '../../../../renderer/src/state/paged-list.svelte.ts'
import { deferredCalls, flushPromises } from '../support/bridge.ts'

const SIZE = 100

let requests: BlockRequest[]
let answer: (block: BlockRequest) => Result<RowPage<number>>

/** Returns a page function for the numbers below `count`, in blocks of 100. */
const numbers =
  (count: number) =>
  ({ number }: BlockRequest): Result<RowPage<number>> => {
    const start = (number - 1) * SIZE
    const length = Math.max(0, Math.min(SIZE, count - start))
    return ok({
      rows: Array.from({ length }, (_, index) => start + index),
      hasMore: start + length < count
    })
  }

const createList = () =>
  new PagedList<number>(
    new IpcClient(),
    (block) => {
      requests.push(block)
      return Promise.resolve(answer(block))
    },
    String
  )

beforeEach(() => {
  requests = []
  answer = numbers(100_000)
})

const setVisible = async (list: PagedList<number>, first: number, active = first) => {
  list.setVisibleRange({ first, last: first + 9, active })
  await flushPromises()
}
/** Scrolls to a row in steps that load the blocks on the way. */
const scrollTo = async (list: PagedList<number>, row: number) => {
  for (let at = 0; at < row; at += 90) await setVisible(list, at)
  await setVisible(list, row)
}
const blocks = () => requests.map(({ number }) => number)

describe('PagedList without a known end', () => {
  test.each([
    ['is empty', (): number[] => []],
    ['repeats the first', (): number[] => Array.from({ length: SIZE }, (_, index) => index)]
  ])('ends with a page that %s, although the service sends that there is more', async (_, second) => {
    answer = (block) => {
      const read = numbers(100_000)(block)
      return read.ok && block.number > 1 ? ok({ rows: second(), hasMore: true }) : read
    }
    const list = createList()
    await list.refresh()
    expect(blocks()).toEqual([1, 2])
    expect(list.length).toBe(SIZE)
    expect(list.hasMore).toBe(false)
  })

  test('replaces a page that is read again by the same rows', async () => {
    const list = createList()
    await list.refresh()
    await list.refresh()
    expect(list.length).toBe(203)
    expect(list.at(199)).toBe(199)
  })

  test('loads the visible rows and some rows ahead, and has more', async () => {
    const list = createList()
    expect(list.isRead).toBe(false)
    expect(list.length).toBe(0)
    await list.refresh()
    expect(blocks()).toEqual([1, 2])
    expect(list.length).toBe(203)
    expect(list.at(0)).toBe(0)
    expect(list.at(199)).toBe(199)
    expect(list.at(200)).toBeUndefined()
    expect(list.at(202)).toBeUndefined()
    expect(list.hasMore).toBe(true)
  })

  test('loads the next block near the end', async () => {
    const list = createList()
    await list.refresh()
    await setVisible(list, 85)
    expect(blocks()).toEqual([1, 2])
    await setVisible(list, 100)
    expect(blocks()).toEqual([1, 2, 3])
    expect(list.length).toBe(303)
  })

  test('ends where the service says so', async () => {
    answer = numbers(130)
    const list = createList()
    await list.refresh()
    await setVisible(list, 120)
    expect(list.length).toBe(130)
    expect(list.hasMore).toBe(false)
    expect(list.at(129)).toBe(129)
    expect(list.at(130)).toBeUndefined()
  })

  test('ends at an empty block even if the service reports more', async () => {
    answer = ({ number }) => ok({ rows: number === 1 ? [1] : [], hasMore: true })
    const list = createList()
    await list.refresh()
    expect(list.length).toBe(1)
    expect(list.hasMore).toBe(false)
    expect(requests).toHaveLength(2)
  })

  test('is empty after the first block is empty', async () => {
    answer = numbers(0)
    const list = createList()
    await list.refresh()
    expect(list.isRead).toBe(true)
    expect(list.length).toBe(0)
  })

  test('finds rows in blocks of different lengths', async () => {
    const parts = [[0, 1, 2], [3], [4, 5, 6, 7]]
    answer = ({ number }) => ok({ rows: parts[number - 1] ?? [], hasMore: number < 3 })
    const list = createList()
    await list.refresh()
    expect(Array.from({ length: 8 }, (_, index) => list.at(index))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(requests.map(({ offset }) => offset)).toEqual([0, 3, 4])
  })
})

describe('memory of PagedList', () => {
  test('keeps only rows around the visible ones, however far it scrolls', async () => {
    const list = createList()
    await list.refresh()
    let maxLoaded = 0
    for (let at = 0; at < 20_000; at += 90) {
      await setVisible(list, at)
      maxLoaded = Math.max(maxLoaded, list.loadedRows.length)
    }
    expect(list.length).toBeGreaterThan(20_000)
    expect(maxLoaded).toBeLessThanOrEqual(1_300)
  })

  test('reloads dropped rows when they become visible', async () => {
    const list = createList()
    await list.refresh()
    await scrollTo(list, 3_000)
    expect(list.at(0)).toBeUndefined()
    requests = []
    await setVisible(list, 0)
    expect(list.at(0)).toBe(0)
    expect(blocks()[0]).toBe(1)
    expect(list.length).toBeGreaterThan(3_000)
  })

  test('keeps the row that has the keyboard focus', async () => {
    const list = createList()
    await list.refresh()
    await scrollTo(list, 900)
    await setVisible(list, 2_000, 905)
    expect(list.at(905)).toBe(905)
    expect(list.at(1_205)).toBeUndefined()
  })
})

describe('refresh and restart of PagedList', () => {
  test('refresh replaces the visible rows first and keeps the old ones until then', async () => {
    const list = createList()
    await list.refresh()
    await scrollTo(list, 250)
    requests = []
    answer = (block) => {
      const read = numbers(100_000)(block)
      return read.ok ? ok({ ...read.value, rows: read.value.rows.map((row) => -row) }) : read
    }
    const again = list.refresh()
    expect(list.at(250)).toBe(250)
    await again
    expect(list.at(250)).toBe(-250)
    expect(blocks()).toEqual([3])
  })

  test('refresh shortens the list when it became shorter', async () => {
    const list = createList()
    await list.refresh()
    await scrollTo(list, 250)
    answer = numbers(255)
    await list.refresh()
    expect(list.length).toBe(255)
    expect(list.hasMore).toBe(false)
  })

  test('restart ignores the result of the pending request', async () => {
    const { requests: open, call } = deferredCalls<BlockRequest, RowPage<string>>()
    const list = new PagedList<string>(new IpcClient(), call)
    void list.restart()
    void list.restart()
    open[1]?.resolve(ok({ rows: ['new'], hasMore: false }))
    await flushPromises()
    open[0]?.resolve(ok({ rows: ['old'], hasMore: false }))
    await flushPromises()
    expect(list.loadedRows).toEqual(['new'])
    expect(open).toHaveLength(2)
  })

  test('refresh during a pending request reads again', async () => {
    const { requests: open, call } = deferredCalls<BlockRequest, RowPage<string>>()
    const list = new PagedList<string>(new IpcClient(), call)
    void list.refresh()
    void list.refresh()
    open[0]?.resolve(ok({ rows: ['dropped'], hasMore: false }))
    await flushPromises()
    open[1]?.resolve(ok({ rows: ['read'], hasMore: false }))
    await vi.waitFor(() => {
      expect(list.loadedRows).toEqual(['read'])
    })
  })
})

describe('a failed request of PagedList', () => {
  test('keeps the loaded rows and is not repeated until retry', async () => {
    const list = createList()
    await list.refresh()
    answer = () => err({ kind: 'offline' })
    await setVisible(list, 150)
    await setVisible(list, 160)
    expect(list.failure?.kind).toBe('offline')
    expect(list.at(150)).toBe(150)
    expect(blocks()).toEqual([1, 2, 3])
    answer = numbers(100_000)
    await list.retry()
    expect(list.failure).toBeNull()
    expect(list.at(250)).toBe(250)
    expect(blocks()).toEqual([1, 2, 3, 3])
  })
})

describe('a restart of PagedList', () => {
  const negative = (block: BlockRequest) => {
    const read = numbers(100_000)(block)
    return read.ok ? ok({ ...read.value, rows: read.value.rows.map((row) => -row) }) : read
  }

  test.each(['retry', 'refresh'] as const)('that failed is repeated by %s', async (method) => {
    const list = createList()
    await list.refresh()
    answer = () => err({ kind: 'offline' })
    await list.restart()
    expect(list.at(150)).toBe(150)
    answer = negative
    await list[method]()
    expect(list.failure).toBeNull()
    expect(list.at(1)).toBe(-1)
    expect(list.at(150)).toBe(-150)
  })

  test('is not replaced by reading another page when the list is scrolled meanwhile', async () => {
    const list = createList()
    await list.refresh()
    answer = negative
    const restart = list.restart()
    list.setVisibleRange({ first: 190, last: 199, active: 190 })
    await restart
    expect(list.at(1)).toBe(-1)
    expect(list.at(150)).toBe(-150)
  })

  test('that is answered while an older read is pending reads on to the end of what is visible', async () => {
    const { requests: open, call } = deferredCalls<BlockRequest, RowPage<string>>()
    const list = new PagedList<string>(new IpcClient(), call)
    void list.restart()
    open[0]?.resolve(ok({ rows: ['old'], hasMore: true }))
    await flushPromises()
    void list.restart()
    open[2]?.resolve(ok({ rows: ['new'], hasMore: true }))
    await flushPromises()
    expect(open.map(({ input }) => input.number)).toEqual([1, 2, 1, 2])
    open[1]?.resolve(ok({ rows: ['older'], hasMore: false }))
    open[3]?.resolve(ok({ rows: ['newer'], hasMore: false }))
    await flushPromises()
    expect(list.loadedRows).toEqual(['new', 'newer'])
    expect(list.length).toBe(2)
  })
})

describe('rows that are added at the top while others are dropped or read', () => {
  /** A list of the numbers below `count()`, the greatest first, in blocks of 100 by offset. */
  const newestFirst = (count: () => number) =>
    new PagedList<number>(new IpcClient(), ({ offset }) => {
      const length = Math.max(0, Math.min(SIZE, count() - offset))
      const rows = Array.from({ length }, (_, index) => count() - 1 - offset - index)
      return Promise.resolve(ok({ rows, hasMore: offset + length < count() }))
    })

  /** Scrolls through the list from `from` to the top, and returns what is visible on the way. */
  const scrollBack = async (list: PagedList<number>, from: number): Promise<readonly number[]> => {
    const seen = new Set<number>()
    for (let first = from; first >= 0; first -= 5) {
      await setVisible(list, first)
      for (let index = first; index < first + 10; index++) seen.add(list.at(index) ?? -1)
    }
    return [...seen].sort((one, other) => one - other)
  }

  test.each([
    ['before scrolling', 0],
    ['while its top is dropped', 800]
  ])('none is skipped when scrolling back: added %s', async (_, at) => {
    let count = 3000
    const list = newestFirst(() => count)
    await list.refresh()
    await scrollTo(list, at)
    for (const row of [3000, 3001]) {
      count++
      list.prepend(row)
    }
    await scrollTo(list, 800)
    const seen = await scrollBack(list, 800)
    expect(seen.slice(-810)).toEqual(Array.from({ length: 810 }, (__, index) => 2192 + index))
  })

  test('none is skipped when the list does not know which were added', async () => {
    let count = 3000
    const list = newestFirst(() => count)
    await list.refresh()
    await scrollTo(list, 800)
    count += 2
    void list.invalidate()
    const seen = await scrollBack(list, 800)
    expect(seen.slice(-800)).toEqual(Array.from({ length: 800 }, (_, index) => 2202 + index))
  })

  test('none is skipped when one is added while a block is read', async () => {
    const { requests: open, call } = deferredCalls<BlockRequest, RowPage<number>>()
    const list = new PagedList<number>(new IpcClient(), call)
    void list.restart()
    open[0]?.resolve(ok({ rows: [3, 2], hasMore: true }))
    await flushPromises()
    list.prepend(4)
    // The journal had the new row when it was read.
    open[1]?.resolve(ok({ rows: [2, 1], hasMore: true }))
    await flushPromises()
    expect(open[2]?.input.offset).toBe(3)
    open[2]?.resolve(ok({ rows: [1, 0], hasMore: false }))
    await flushPromises()
    expect(list.loadedRows).toEqual([4, 3, 2, 1, 0])
  })
})

describe('changed rows of PagedList', () => {
  test('updateRows replaces a row in place and prepend adds one at the top', async () => {
    answer = numbers(3)
    const list = createList()
    await list.refresh()
    list.updateRows((row) => (row === 1 ? 11 : row))
    list.prepend(99)
    expect(list.loadedRows).toEqual([99, 0, 11, 2])
    expect(list.length).toBe(4)
  })

  test('prepend keeps a bounded number of rows, and older ones are read again when visible', async () => {
    const list = createList()
    await list.refresh()
    for (let row = 1; row <= 1000; row++) list.prepend(-row)
    expect(list.loadedRows.length).toBeLessThanOrEqual(500)
    expect(list.at(0)).toBe(-1000)
    requests = []
    await setVisible(list, list.length - 5)
    expect(requests[0]).toEqual({ number: 2, offset: 500 })
  })
})
