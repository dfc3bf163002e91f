import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type {
  FindInput,
  PartialSearchResult,
  SearchBox,
  SearchResult
} from '../../../../electron/contract/customer-search.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Customer } from '../../../../electron/contract/loyalty.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import {
  CustomerList,
  CustomerSearch,
  PARTIAL_RESULT_DELAY_MS,
  TYPING_DEBOUNCE_MS
} from '../../../../renderer/src/state/customer-search.svelte.ts'
import { bridgeWith, deferredCalls, customer } from '../support/bridge.ts'

const found = (customers: Customer[], change: { page?: number; hasMore?: boolean } = {}): SearchResult => ({
  kind: 'customers',
  customers,
  page: 1,
  hasMore: false,
  phone: null,
  ...change
})

const createSearch = () => {
  const { requests, call } = deferredCalls<FindInput, SearchResult>()
  const bridge = bridgeWith({ customers: { find: call } })
  return { requests, bridge, search: new CustomerSearch(bridge, new IpcClient(), 'till') }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('typing in CustomerSearch', () => {
  test('sends one request after the debounce', () => {
    const { requests, search } = createSearch()
    for (const text of ['m', 'ma', 'mar']) {
      search.type(text)
      vi.advanceTimersByTime(TYPING_DEBOUNCE_MS - 1)
    }
    expect(requests).toHaveLength(0)
    vi.advanceTimersByTime(1)
    expect(requests.map(({ input }) => input)).toEqual([{ box: 'till', text: 'mar', page: 1 }])
  })

  test('ignores the result of an earlier text', async () => {
    const { requests, search } = createSearch()
    search.type('ma')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    search.type('ni')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    requests[1]?.resolve(ok(found([customer('nikos')])))
    await vi.advanceTimersByTimeAsync(0)
    requests[0]?.resolve(ok(found([customer('maria')])))
    await vi.advanceTimersByTimeAsync(0)
    expect(search.result?.customers.map(({ id }) => id)).toEqual(['nikos'])
    expect(search.complete).toBe(true)
  })

  test('clearing the text drops the result and the pending request', async () => {
    const { requests, search } = createSearch()
    search.type('ma')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    search.type(' ')
    requests[0]?.resolve(ok(found([customer('maria')])))
    await vi.advanceTimersByTimeAsync(0)
    expect(search.result).toBeNull()
    expect(search.active).toBe(false)
    expect(search.request.running).toBe(false)
  })

  test('clearing the text aborts the request in the main process', () => {
    const { requests, search } = createSearch()
    search.type('ma')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    search.type('')
    expect(requests.map(({ input }) => input.text)).toEqual(['ma', ''])
  })

  test('an aborted request is no failure', async () => {
    const { requests, search } = createSearch()
    search.type('ma')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    requests[0]?.resolve(err({ kind: 'aborted' }))
    await vi.advanceTimersByTimeAsync(0)
    expect(search.request.failure).toBeNull()
    expect(search.request.running).toBe(false)
  })

  test('a failure keeps the text', async () => {
    const { requests, search } = createSearch()
    search.type('ma')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    requests[0]?.resolve(err({ kind: 'offline' }))
    await vi.advanceTimersByTimeAsync(0)
    expect(search.text).toBe('ma')
    expect(search.request.failure).toEqual({ kind: 'offline' })
  })
})

describe('Enter in CustomerSearch', () => {
  test('searches at once, and not again for the same text', async () => {
    const { requests, search } = createSearch()
    search.type('+30 690 123 4567')
    const [first, second] = [search.searchNow(), search.searchNow()]
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    requests[0]?.resolve(ok(found([customer('maria')])))
    await Promise.all([first, second])
    await search.searchNow()
    expect(requests).toHaveLength(1)
    expect(search.onlyMatch?.id).toBe('maria')
  })

  test('has no match while the text has changed', async () => {
    const { requests, search } = createSearch()
    search.type('ma')
    const first = search.searchNow()
    search.type('ni')
    const second = search.searchNow()
    requests[0]?.resolve(err({ kind: 'aborted' }))
    await first
    expect(search.onlyMatch).toBeNull()
    requests[1]?.resolve(ok(found([customer('nikos')])))
    await second
    expect(search.onlyMatch?.id).toBe('nikos')
  })

  test('has no match when several customers are found', async () => {
    const { requests, search } = createSearch()
    search.type('ma')
    const request = search.searchNow()
    requests[0]?.resolve(ok(found([customer('maria'), customer('marios')])))
    await request
    expect(search.onlyMatch).toBeNull()
  })
})

describe('onlyMatch among several customers', () => {
  const phone = { e164: '+306901234567', display: '+30 690 123 4567' }
  const searchAndMatch = async (text: string, customers: Customer[], change: Partial<SearchResult> = {}) => {
    const { requests, search } = createSearch()
    search.type(text)
    const request = search.searchNow()
    requests[0]?.resolve(ok({ ...found(customers), ...change } as SearchResult))
    await request
    return search.onlyMatch?.id ?? null
  }

  test.each([
    ['the customer with this phone number', '690 123 4567', ['+30 690 123 4567', '+49 690 1234567'], '1'],
    [
      'null when two customers have this number',
      '690 123 4567',
      ['+30 690 123 4567', '+30 690 123 4567'],
      null
    ]
  ])('is %s', async (_, text, phones, expected) => {
    const customers = phones.map((one, index) => customer(String(index + 1), { phone: one }))
    expect(await searchAndMatch(text, customers, { phone })).toBe(expected)
  })

  test('is the customer with this e-mail address, in upper or lower case', async () => {
    const customers = [
      customer('1', { email: 'maria@example.com' }),
      customer('2', { email: 'a.maria@example.com' })
    ]
    expect(await searchAndMatch('Maria@Example.com', customers)).toBe('1')
  })
})

describe('the next page of results', () => {
  test('is appended without duplicates', async () => {
    const { requests, search } = createSearch()
    search.type('ma')
    const first = search.searchNow()
    requests[0]?.resolve(ok(found([customer('1'), customer('2')], { hasMore: true })))
    await first
    const second = search.more()
    expect(requests[1]?.input).toEqual({ box: 'till', text: 'ma', page: 2 })
    requests[1]?.resolve(ok(found([customer('2'), customer('3')], { page: 2 })))
    await second
    expect(search.result?.customers.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(search.result?.hasMore).toBe(false)
  })

  test.each([
    ['is empty', []],
    ['repeats the first', ['1', '2']]
  ])('ends with a page that %s, although the service sends that there is more', async (_, ids) => {
    const { requests, search } = createSearch()
    search.type('ma')
    const first = search.searchNow()
    requests[0]?.resolve(ok(found([customer('1'), customer('2')], { hasMore: true })))
    await first
    const second = search.more()
    requests[1]?.resolve(
      ok(
        found(
          ids.map((id) => customer(id)),
          { page: 2, hasMore: true }
        )
      )
    )
    await second
    expect(search.result?.customers.map(({ id }) => id)).toEqual(['1', '2'])
    expect(search.result?.hasMore).toBe(false)
  })
})

describe('partial results', () => {
  const partial = (text: string, ids: readonly string[], box: SearchBox = 'till'): PartialSearchResult => ({
    box,
    text,
    found: found(ids.map((id) => customer(id)))
  })
  const ids = (search: CustomerSearch) => search.result?.customers.map(({ id }) => id)

  test('are shown at once and keep their order when the complete result arrives', async () => {
    const { requests, bridge, search } = createSearch()
    search.start()
    search.type('6901234567')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    bridge.sendPartialSearchResult(partial('6901234567', ['2', '3']))
    expect(ids(search)).toEqual(['2', '3'])
    expect(search.complete).toBe(false)
    requests[0]?.resolve(ok(found([customer('1'), customer('2'), customer('3')])))
    await vi.advanceTimersByTimeAsync(0)
    expect(ids(search)).toEqual(['2', '3', '1'])
    expect(search.complete).toBe(true)
  })

  test('are delayed after Enter and skipped when the complete result arrives in time', async () => {
    const { requests, bridge, search } = createSearch()
    search.start()
    search.type('6901234567')
    const all = search.searchNow()
    bridge.sendPartialSearchResult(partial('6901234567', ['2']))
    vi.advanceTimersByTime(PARTIAL_RESULT_DELAY_MS - 1)
    expect(search.result).toBeNull()
    requests[0]?.resolve(ok(found([customer('1'), customer('2')])))
    await all
    vi.advanceTimersByTime(PARTIAL_RESULT_DELAY_MS)
    expect(ids(search)).toEqual(['1', '2'])
  })

  test('are shown after the delay when the complete result takes longer', () => {
    const { bridge, search } = createSearch()
    search.start()
    search.type('6901234567')
    void search.searchNow()
    bridge.sendPartialSearchResult(partial('6901234567', ['2']))
    vi.advanceTimersByTime(PARTIAL_RESULT_DELAY_MS)
    expect(ids(search)).toEqual(['2'])
    expect(search.complete).toBe(false)
  })

  test('for another text or another search field are ignored', () => {
    const { bridge, search } = createSearch()
    search.start()
    search.type('6901234567')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    bridge.sendPartialSearchResult(partial('690', ['1']))
    bridge.sendPartialSearchResult(partial('6901234567', ['1'], 'customers'))
    expect(search.result).toBeNull()
  })

  test('are ignored after the subscription ends', () => {
    const { bridge, search } = createSearch()
    search.start()()
    search.type('6901234567')
    vi.advanceTimersByTime(TYPING_DEBOUNCE_MS)
    bridge.sendPartialSearchResult(partial('6901234567', ['1']))
    expect(search.result).toBeNull()
  })
})

test('details that are read again do not come back for a customer who was left', async () => {
  const { requests, call } = deferredCalls<{ id: string }, Customer>()
  const list = new CustomerList(bridgeWith({ customers: { read: call } }), new IpcClient())
  list.chosen = customer('maria')
  const first = list.readChosen()
  requests[0]?.resolve(ok({ ...customer('maria'), balance: -40 }))
  await first
  expect(list.chosen).toMatchObject({ id: 'maria', balance: -40 })

  const second = list.readChosen()
  list.chosen = customer('nikos')
  requests[1]?.resolve(ok({ ...customer('maria'), balance: 7 }))
  await second
  expect(list.chosen).toMatchObject({ id: 'nikos' })
})
