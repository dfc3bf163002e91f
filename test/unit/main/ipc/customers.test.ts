import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { PartialSearchResult } from '../../../../electron/contract/customers.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { Images } from '../../../../electron/main/images/images.ts'
import { createTakeLatest } from '../../../../electron/main/ipc/customers.ts'
import { createCheckCode, createToRenderer, customersAnswers } from '../../../../electron/main/ipc/index.ts'
import { createLoyaltyClient, type LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import { RecentCustomers } from '../../../../electron/main/session/recent-customers.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import {
  KNOWN_CUSTOMERS,
  LoyaltyPointsService,
  SEEDED_CODES,
  TRAINING_BASE_URL,
  TRAINING_PUBLIC_URL,
  TRAINING_TOKEN
} from '../../../../electron/service/index.ts'

const [known] = KNOWN_CUSTOMERS
let training: LoyaltyPointsService
let requests: string[]
let told: PartialSearchResult[]
/** ids of the customers on their way to the page */
let seen: string[]
/** holds back the answers to the paths it names until it is let go */
let held: { readonly paths: RegExp; readonly until: Promise<unknown> } | null
let signals: AbortSignal[]
let answers: ReturnType<typeof customersAnswers>

beforeEach(() => {
  requests = []
  told = []
  seen = []
  held = null
  signals = []
  training = new LoyaltyPointsService({
    file: ':memory:',
    tokens: [TRAINING_TOKEN],
    publicUrl: TRAINING_PUBLIC_URL
  })
  const connect = (): LoyaltyClient =>
    createLoyaltyClient({
      baseUrl: TRAINING_BASE_URL,
      token: TRAINING_TOKEN,
      language: () => 'en',
      qrImageParameter: () => null,
      fetch: async (request) => {
        const path = request.url.replace(TRAINING_BASE_URL, '')
        requests.push(path)
        signals.push(request.signal)
        if (held?.paths.test(path)) await held.until
        return training.fetch(request)
      }
    })
  const session = new Session<LoyaltyClient>({
    memory: () => ({ mode: 'training', baseUrl: null, business: null }),
    remember: () => undefined,
    connect,
    openTraining: () => Promise.resolve(connect()),
    onChange: () => undefined
  })
  const images = new Images(() => Promise.reject(new Error('no picture is fetched here')))
  answers = customersAnswers(
    session,
    () => 'GR',
    createCheckCode(session, () => Promise.resolve(null)),
    createToRenderer(
      images,
      () => 'GR',
      (customer) => seen.push(customer.id)
    ),
    { recent: new RecentCustomers(() => 'training'), sendPartialSearchResult: (soFar) => told.push(soFar) }
  )
})

afterEach(() => {
  training.close()
})

describe('what Find customer answers', () => {
  it('finds a customer, with a phone spaced for reading and a picture path in place of the remote avatar', async () => {
    const found = await answers.find({ box: 'till', text: known.phone, page: 1 })
    if (!found.ok || found.value.kind !== 'customers') throw new Error('no customers')
    const [first] = found.value.customers
    expect(first?.name).toBe(known.name)
    expect(first?.phone).toBe('+30 694 123 4567')
    expect(first?.avatar).toMatch(/^\/image\//)
  })

  it('tells of each customer on the way to the page', async () => {
    const found = await answers.find({ box: 'till', text: known.phone, page: 1 })
    if (!found.ok || found.value.kind !== 'customers') throw new Error('no customers')
    expect([...new Set(seen)]).toEqual(found.value.customers.map(({ id }) => id))
  })

  it('checks the code in a scanned address, and searches nobody', async () => {
    const found = await answers.find({
      box: 'till',
      text: `${TRAINING_PUBLIC_URL}/q/${SEEDED_CODES.used[0]}`,
      page: 1
    })
    expect(found).toMatchObject(ok({ kind: 'code', code: { used: true, slip: null } }))
    expect(requests).toEqual([`/qr/${SEEDED_CODES.used[0]}`])
  })

  it('checks a typed code when nobody is called that', async () => {
    const found = await answers.find({ box: 'till', text: SEEDED_CODES.unused[0], page: 1 })
    expect(found).toMatchObject(ok({ kind: 'code', code: { used: false } }))
  })

  it('finds nobody, rather than failing, when a word is no code either', async () => {
    const found = await answers.find({ box: 'till', text: 'NOSUCHCODE1', page: 1 })
    expect(found).toMatchObject(ok({ kind: 'customers', customers: [], phone: null }))
  })

  it('never takes a phone that nobody has for a code', async () => {
    await answers.find({ box: 'till', text: '690 000 0999', page: 1 })
    expect(requests.filter((path) => path.startsWith('/qr'))).toEqual([])
  })
})

describe('a find that is not the newest', () => {
  it('is aborted down to its request, and answers aborted', async () => {
    held = { paths: /name=mar/, until: new Promise(() => undefined) }
    const older = answers.find({ box: 'till', text: 'mar', page: 1 })
    await expect.poll(() => signals.length).toBe(1)
    const newer = answers.find({ box: 'till', text: known.phone, page: 1 })
    expect(await older).toEqual(err({ kind: 'aborted' }))
    expect(signals[0]?.aborted).toBe(true)
    expect(await newer).toMatchObject({ ok: true, value: { customers: [{ name: known.name }] } })
  })

  it('from another box is left alone', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    held = { paths: /name=/, until: promise }
    const both = [
      answers.find({ box: 'till', text: known.name, page: 1 }),
      answers.find({ box: 'customers', text: known.name, page: 1 })
    ]
    resolve(undefined)
    expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, true])
  })

  it('is ended by an empty text', async () => {
    held = { paths: /name=mar/, until: new Promise(() => undefined) }
    const older = answers.find({ box: 'till', text: 'mar', page: 1 })
    await expect.poll(() => signals.length).toBe(1)
    expect(await answers.find({ box: 'till', text: '', page: 1 })).toMatchObject({ ok: true })
    expect(await older).toEqual(err({ kind: 'aborted' }))
  })
})

describe('a phone', () => {
  it.each([
    ['the customer with this phone', /name=/, [known.name]],
    ['the search', /type=phone/, [known.name]]
  ])('is told as soon as %s is there, and once in the end', async (_, slow, names) => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    held = { paths: slow, until: promise }
    const finding = answers.find({ box: 'till', text: known.phone, page: 1 })
    await expect.poll(() => told).toHaveLength(1)
    expect(told[0]).toMatchObject({
      box: 'till',
      text: known.phone,
      found: { customers: names.map((name) => ({ name })) }
    })
    resolve(undefined)
    const found = await finding
    if (!found.ok || found.value.kind !== 'customers') throw new Error('no customers')
    expect(found.value.customers.map(({ name }) => name)).toEqual(names)
    expect(told).toHaveLength(1)
  })
})

/** A question that answers when it is told to, and keeps its signal. */
const question = (value: string) => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const asked = { signal: null as AbortSignal | null, end: () => resolve(undefined) }
  const ask = async (signal: AbortSignal) => {
    asked.signal = signal
    await promise
    return ok(value)
  }
  return { asked, ask }
}

test('a newer question aborts the older one, which answers aborted whenever it ends', async () => {
  const askLatest = createTakeLatest()
  const [first, second] = [question('first'), question('second')]
  const older = askLatest('box', first.ask)
  const newer = askLatest('box', second.ask)
  expect([first.asked.signal?.aborted, second.asked.signal?.aborted]).toEqual([true, false])
  second.asked.end()
  first.asked.end()
  expect([await older, await newer]).toEqual([err({ kind: 'aborted' }), ok('second')])
})

test('questions with other keys do not meet', async () => {
  const askLatest = createTakeLatest()
  const [first, second] = [question('first'), question('second')]
  const answers = [askLatest('till', first.ask), askLatest('customers', second.ask)]
  first.asked.end()
  second.asked.end()
  expect(await Promise.all(answers)).toEqual([ok('first'), ok('second')])
})
