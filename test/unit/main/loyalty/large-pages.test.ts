import { describe, expect, it } from 'vitest'
import { err, ok, type Result, type Failure } from '../../../../electron/contract/failure.ts'
import type { Page } from '../../../../electron/contract/loyalty.ts'
import { inLargePages } from '../../../../electron/main/loyalty/index.ts'

const page: Page<string> = { data: ['row'], hasMore: true, currentPage: 1, pageSize: 20 }

const make = (answer: (asked: { page: number; pageSize?: number }) => Result<Page<string>>) => {
  const asked: { page: number; pageSize?: number }[] = []
  return {
    asked,
    read: inLargePages<string>((wanted) => {
      asked.push(wanted)
      return Promise.resolve(answer(wanted))
    })
  }
}

const tooLarge: Failure = { kind: 'rejected', status: 400, message: 'pageSize too large' }

describe('large pages', () => {
  it('are asked for', async () => {
    const { asked, read } = make(() => ok(page))
    await read(1)
    await read(2)
    expect(asked).toEqual([
      { page: 1, pageSize: 100 },
      { page: 2, pageSize: 100 }
    ])
  })

  it('are no longer asked for from a service that refused them', async () => {
    const { asked, read } = make(({ pageSize }) => (pageSize === undefined ? ok(page) : err(tooLarge)))
    expect(await read(1)).toEqual(ok(page))
    await read(2)
    expect(asked).toEqual([{ page: 1, pageSize: 100 }, { page: 1 }, { page: 2 }])
  })

  it('are not given up in the middle: smaller pages would begin elsewhere', async () => {
    const { asked, read } = make(() => err(tooLarge))
    expect(await read(3)).toEqual(err(tooLarge))
    expect(asked).toHaveLength(1)
  })

  it('are not given up for another failure', async () => {
    const { asked, read } = make(() => err({ kind: 'offline' }))
    await read(1)
    expect(asked).toEqual([{ page: 1, pageSize: 100 }])
  })
})
