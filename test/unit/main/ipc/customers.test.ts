import { afterEach, beforeEach, describe, expect, it, onTestFinished, test } from 'vitest'
import type { PartialSearchResult } from '../../../../electron/contract/customer-search.ts'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { Standing } from '../../../../electron/contract/earning-rules.ts'
import type { CustomerReference } from '../../../../electron/contract/privacy.ts'
import { Images } from '../../../../electron/main/images/images.ts'
import { createTakeLatest, CustomersHandlers } from '../../../../electron/main/ipc/customers.ts'
import { createCheckCode } from '../../../../electron/main/ipc/check-code.ts'
import { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import { RecentCustomers } from '../../../../electron/main/session/recent-customers.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import { connectorOf, MemorySettings } from '../../../support/session.ts'
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
let partialResults: PartialSearchResult[]
/** ids of the customers sent to the page */
let sent: string[]
/** what the customer display was told */
let shown: (readonly [id: string, standing: Standing | null])[]
/** what the service knows */
let standings: Map<string, Standing>
/** delays the responses of matching paths */
let held: { readonly paths: RegExp; readonly until: Promise<unknown> } | null
let signals: AbortSignal[]
let journal: Result<{ queries: { served: () => readonly CustomerReference[] } }>
/** whether the service cannot be reached */
let isCut: boolean
/** whether the service refuses a customer without a name */
let needsName: boolean
/** whether what is at the address of the extension answers 401 */
let refusesExtension: boolean
let handlers: CustomersHandlers

const connect = (): LoyaltyClient =>
  new LoyaltyClient({
    baseUrl: TRAINING_BASE_URL,
    token: TRAINING_TOKEN,
    languages: { screen: 'en' },
    fetch: async (request) => {
      const path = request.url.replace(TRAINING_BASE_URL, '')
      requests.push(path)
      signals.push(request.signal)
      if (isCut) throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' })
      if (held?.paths.test(path)) await held.until
      if (refusesExtension && path.includes('/ext/')) return Response.json({}, { status: 401 })
      if (needsName && (await request.clone().text()).includes('"name":""')) {
        return Response.json({ message: 'name should not be empty' }, { status: 400 })
      }
      return training.fetch(request)
    }
  })

const sessionOf = (settings: MemorySettings, onChange: () => void = () => undefined): Session =>
  new Session({ settings, connector: connectorOf(connect), onChange })

const handlersOf = (session: Session): CustomersHandlers =>
  new CustomersHandlers({
    session,
    country: { code: 'GR' },
    images: new Images(
      () => Promise.reject(new Error('no image is fetched here')),
      () => null
    ),
    checkCode: createCheckCode(session, {
      get: () => Promise.resolve(err({ kind: 'not-saved', what: 'journal' }))
    }),
    recent: new RecentCustomers(session),
    standings: { read: (id) => Promise.resolve(standings.get(id) ?? null) },
    slips: { get: () => Promise.resolve(journal) },
    display: { addCustomer: ({ id }) => sent.push(id), setStanding: (...told) => shown.push(told) },
    sendPartialSearchResult: (result) => partialResults.push(result)
  })

beforeEach(async () => {
  requests = []
  partialResults = []
  sent = []
  shown = []
  standings = new Map()
  held = null
  signals = []
  isCut = false
  needsName = false
  refusesExtension = false
  journal = err({ kind: 'not-saved', what: 'journal' })
  training = await LoyaltyPointsService.open({
    file: ':memory:',
    tokens: [TRAINING_TOKEN],
    publicUrl: TRAINING_PUBLIC_URL
  })
  handlers = handlersOf(sessionOf(new MemorySettings({ mode: 'training' })))
})

afterEach(async () => {
  await training.close()
})

test.each([
  [
    'a scanned code of a phone',
    (): Promise<Result<unknown>> =>
      handlers.find({ box: 'till', text: `HTTPS://POINTS.EXAMPLE/C/${'A'.repeat(26)}`, page: 1 })
  ],
  ['the digits of a phone', () => handlers.linkPhone({ id: 'cus_1', digits: '123456' })]
])(
  'a 401 to %s is no rejected token: a gateway before the extension may have sent it',
  async (_name, ask) => {
    const settings = new MemorySettings({ mode: 'business', baseUrl: TRAINING_BASE_URL })
    const session = sessionOf(settings)
    session.use({ baseUrl: TRAINING_BASE_URL, token: TRAINING_TOKEN })
    const read = await session.refresh()
    if (!read.ok) throw new Error('no profile')
    settings.update({ business: { ...read.value, extensions: ['customer-codes/1', 'devices/1'] } })
    handlers = handlersOf(session)
    refusesExtension = true
    expect(await ask()).toEqual(err({ kind: 'unauthorised' }))
    expect(session.accepted).toBe(true)
  }
)

describe('the customers served last', () => {
  it('come from the journal after a start, without a request, and with what was seen of them since', async () => {
    const found = await handlers.find({ box: 'till', text: known.phone, page: 1 })
    if (!found.ok || found.value.kind !== 'customers') throw new Error('no customers')
    const [seen] = found.value.customers
    if (!seen) throw new Error('no customer')
    const other = { id: 'other', name: 'Other' }
    journal = ok({ queries: { served: () => [other, { id: seen.id, name: 'Former name' }] } })
    requests = []
    const unknown = { phone: '', email: null, avatar: null, balance: null, lifetimePoints: null }
    expect(await handlers.recent()).toEqual(ok([{ ...other, ...unknown }, seen]))
    expect(requests).toEqual([])
  })

  it('are none while the journal cannot be opened', async () => {
    expect(await handlers.recent()).toEqual(ok([]))
  })
})

describe('a service that refuses a customer without a name', () => {
  const customer = { name: '', phone: '690 000 0125' }
  const failure = { kind: 'invalid-input', field: 'name', fault: 'required-by-service' } as const
  const credentials = { baseUrl: 'https://shop.example/api', token: 'token' }

  it('is asked once, also after a restart, and again at another address', async () => {
    needsName = true
    const settings = new MemorySettings({ mode: 'business', baseUrl: credentials.baseUrl })
    let changes = 0
    const start = (): Session => {
      const session = sessionOf(settings, () => {
        changes++
      })
      session.use(credentials)
      return session
    }
    const session = start()
    const first = handlersOf(session)
    expect(await first.register(customer)).toEqual(err(failure))
    expect(await first.register(customer)).toEqual(err(failure))
    expect(requests).toEqual(['/customers'])
    expect(session.isNameRequired).toBe(true)
    expect(changes).toBe(1)
    session.close()

    const again = start()
    expect(await handlersOf(again).register(customer)).toEqual(err(failure))
    expect(requests).toEqual(['/customers'])
    settings.update({ baseUrl: 'https://other.example/api' })
    expect(again.isNameRequired).toBe(false)
    expect(await handlersOf(again).register(customer)).toEqual(err(failure))
    expect(requests).toEqual(['/customers', '/customers'])
    again.close()
  })

  it('is not remembered for the one that the till was connected to meanwhile', async () => {
    needsName = true
    const until = Promise.withResolvers<undefined>()
    held = { paths: /customers/, until: until.promise }
    const settings = new MemorySettings({ mode: 'business', baseUrl: credentials.baseUrl })
    const session = sessionOf(settings)
    session.use(credentials)
    const registered = handlersOf(session).register(customer)
    await expect.poll(() => requests).toEqual(['/customers'])
    settings.update({ baseUrl: 'https://other.example/api' })
    session.use({ ...credentials, baseUrl: 'https://other.example/api' })
    until.resolve(undefined)
    await registered
    expect(session.isNameRequired).toBe(false)
    session.close()
  })
})

describe('finding customers', () => {
  it('finds a customer, with a phone spaced for reading and a picture path in place of the remote avatar', async () => {
    const found = await handlers.find({ box: 'till', text: known.phone, page: 1 })
    if (!found.ok || found.value.kind !== 'customers') throw new Error('no customers')
    const [first] = found.value.customers
    expect(first?.name).toBe(known.name)
    expect(first?.phone).toBe('+30 694 123 4567')
    expect(first?.avatar).toMatch(/^\/image\//)
  })

  it('reports each customer that it sends to the page', async () => {
    const found = await handlers.find({ box: 'till', text: known.phone, page: 1 })
    if (!found.ok || found.value.kind !== 'customers') throw new Error('no customers')
    expect([...new Set(sent)]).toEqual(found.value.customers.map(({ id }) => id))
  })

  it('checks the code of a scanned URL instead of searching', async () => {
    const found = await handlers.find({
      box: 'till',
      text: `${TRAINING_PUBLIC_URL}/q/${SEEDED_CODES.used[0]}`,
      page: 1
    })
    expect(found).toMatchObject(ok({ kind: 'code', code: { used: true, slip: null } }))
    expect(requests).toEqual([`/qr/${SEEDED_CODES.used[0]}`])
  })

  it.each(['https://wa.me/306941234567', 'MECARD:N:Papadaki;TEL:+306941234567;;'])(
    'searches the phone in %s, which is no code',
    async (text) => {
      const found = await handlers.find({ box: 'till', text, page: 1 })
      expect(found).toMatchObject(ok({ kind: 'customers', customers: [{ name: known.name }] }))
      expect(requests.filter((path) => path.startsWith('/qr'))).toEqual([])
    }
  )

  it('checks a typed code if no customer has that name', async () => {
    const found = await handlers.find({ box: 'till', text: SEEDED_CODES.unused[0], page: 1 })
    expect(found).toMatchObject(ok({ kind: 'code', code: { used: false } }))
  })

  it('returns no customers, without failing, for a word that is not a code either', async () => {
    const found = await handlers.find({ box: 'till', text: 'NOSUCHCODE1', page: 1 })
    expect(found).toMatchObject(ok({ kind: 'customers', customers: [], phone: null }))
  })

  it('does not check an unknown phone number as a code', async () => {
    await handlers.find({ box: 'till', text: '690 000 0999', page: 1 })
    expect(requests.filter((path) => path.startsWith('/qr'))).toEqual([])
  })
})

describe('a search that a newer one replaces', () => {
  it('aborts its request and fails with aborted', async () => {
    held = { paths: /name=mar/, until: new Promise(() => undefined) }
    const older = handlers.find({ box: 'till', text: 'mar', page: 1 })
    await expect.poll(() => signals.length).toBe(1)
    const newer = handlers.find({ box: 'till', text: known.phone, page: 1 })
    expect(await older).toEqual(err({ kind: 'aborted' }))
    expect(signals[0]?.aborted).toBe(true)
    expect(await newer).toMatchObject({ ok: true, value: { customers: [{ name: known.name }] } })
  })

  it('continues if the newer one is from another search box', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    held = { paths: /name=/, until: promise }
    const both = [
      handlers.find({ box: 'till', text: known.name, page: 1 }),
      handlers.find({ box: 'customers', text: known.name, page: 1 })
    ]
    resolve(undefined)
    expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, true])
  })

  it('is aborted by an empty search text', async () => {
    held = { paths: /name=mar/, until: new Promise(() => undefined) }
    const older = handlers.find({ box: 'till', text: 'mar', page: 1 })
    await expect.poll(() => signals.length).toBe(1)
    expect(await handlers.find({ box: 'till', text: '', page: 1 })).toMatchObject({ ok: true })
    expect(await older).toEqual(err({ kind: 'aborted' }))
  })
})

describe('a search by phone', () => {
  it.each([
    ['the customer with this phone', /name=/, [known.name]],
    ['the search', /type=phone/, [known.name]]
  ])('sends %s as a partial result, once', async (_, slow, names) => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    held = { paths: slow, until: promise }
    const finding = handlers.find({ box: 'till', text: known.phone, page: 1 })
    await expect.poll(() => partialResults).toHaveLength(1)
    expect(partialResults[0]).toMatchObject({
      box: 'till',
      text: known.phone,
      found: { customers: names.map((name) => ({ name })) }
    })
    resolve(undefined)
    const found = await finding
    if (!found.ok || found.value.kind !== 'customers') throw new Error('no customers')
    expect(found.value.customers.map(({ name }) => name)).toEqual(names)
    expect(partialResults).toHaveLength(1)
  })
})

/** A request that succeeds when `end` is called, and keeps its signal. */
const deferredRequest = (value: string) => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const asked = { signal: null as AbortSignal | null, end: () => resolve(undefined) }
  const ask = async (signal: AbortSignal) => {
    asked.signal = signal
    await promise
    return ok(value)
  }
  return { asked, ask }
}

describe('an answer that comes when the till serves another business', () => {
  it.each<[string, (id: string) => Promise<Result<unknown>>]>([
    ['a search', () => handlers.find({ box: 'till', text: known.name, page: 1 })],
    ['a customer', (id) => handlers.read({ id })],
    ['the list', () => handlers.list({ page: 1 })],
    ['a registration', () => handlers.register({ name: 'Ada', phone: '+306900000001' })]
  ])('of %s is dropped', async (_, ask) => {
    await handlers.find({ box: 'till', text: known.phone, page: 1 })
    const [id = ''] = sent.splice(0)
    requests = []
    partialResults = []
    const release = Promise.withResolvers<null>()
    held = { paths: /customers/u, until: release.promise }
    const settings = new MemorySettings({ mode: 'training' })
    const session = sessionOf(settings)
    handlers = handlersOf(session)
    const answer = ask(id)
    await expect.poll(() => requests).not.toEqual([])
    settings.update({ mode: 'business', baseUrl: 'https://points.example/api/' })
    session.use({ baseUrl: 'https://points.example/api/', token: 'b' })
    release.resolve(null)
    expect(await answer).toEqual(err({ kind: 'aborted' }))
    expect(sent).toEqual([])
    expect(partialResults).toEqual([])
    journal = ok({ queries: { served: () => [{ id, name: '' }] } })
    expect(await handlers.recent()).toMatchObject(ok([{ phone: '', balance: null }]))
  })
})

test('takeLatest aborts the older request, which fails with aborted', async () => {
  const takeLatest = createTakeLatest()
  const [first, second] = [deferredRequest('first'), deferredRequest('second')]
  const older = takeLatest('box', first.ask)
  const newer = takeLatest('box', second.ask)
  expect(first.asked.signal?.aborted).toBe(true)
  expect(second.asked.signal?.aborted).toBe(false)
  second.asked.end()
  first.asked.end()
  expect(await older).toEqual(err({ kind: 'aborted' }))
  expect(await newer).toEqual(ok('second'))
})

test('takeLatest does not abort requests with other keys', async () => {
  const takeLatest = createTakeLatest()
  const [first, second] = [deferredRequest('first'), deferredRequest('second')]
  const answers = [takeLatest('till', first.ask), takeLatest('customers', second.ask)]
  first.asked.end()
  second.asked.end()
  expect(await Promise.all(answers)).toEqual([ok('first'), ok('second')])
})

describe('while the service cannot be reached', () => {
  const openBusiness = async () => {
    const session = sessionOf(new MemorySettings({ mode: 'business', baseUrl: TRAINING_BASE_URL }))
    session.use({ baseUrl: TRAINING_BASE_URL, token: TRAINING_TOKEN })
    onTestFinished(() => session.close())
    expect((await session.refresh()).ok).toBe(true)
    return handlersOf(session)
  }
  const find = (own: CustomersHandlers, text: string, page = 1) => own.find({ box: 'till', text, page })

  it('finds whom the till saw lately, as it was, and says that this may be old', async () => {
    const own = await openBusiness()
    const before = await find(own, known.phone)
    expect(before).toMatchObject({ ok: true, value: { customers: [{ name: known.name }] } })
    expect(before.ok && before.value).not.toHaveProperty('isOld')
    isCut = true
    sent = []
    shown = []
    standings = new Map()
    const old = await find(own, known.name)
    expect(old).toMatchObject({
      ok: true,
      value: { ...(before.ok && before.value), phone: null, hasMore: false, isOld: true }
    })
    expect(sent).toHaveLength(1)
    expect(await find(own, 'nobody')).toEqual(err({ kind: 'offline' }))
    expect(await find(own, known.name, 2)).toEqual(err({ kind: 'offline' }))
    isCut = false
    expect(await find(own, known.name)).not.toHaveProperty('value.isOld')
  })

  it('finds the names of the journal after a start', async () => {
    journal = ok({ queries: { served: () => [{ id: 'cus_9', name: 'Zoe Xenaki' }] } })
    const own = await openBusiness()
    isCut = true
    expect(await find(own, 'xen')).toMatchObject({
      ok: true,
      value: { customers: [{ id: 'cus_9', name: 'Zoe Xenaki', balance: null }], isOld: true }
    })
  })
})

test('what a customer has by the shop’s rules is told to the page, and to the customer display', async () => {
  const gold: Standing = { level: { name: 'Gold', factor: '1.5' }, next: null, ending: null }
  standings.set('a', gold)
  expect(await handlers.standing({ id: 'a' })).toEqual(ok(gold))
  expect(await handlers.standing({ id: 'b' })).toEqual(ok(null))
  expect(shown).toEqual([
    ['a', gold],
    ['b', null]
  ])
})
