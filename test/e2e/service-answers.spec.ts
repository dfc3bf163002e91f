/** Responses that the service's interface allows, on the screens where a cashier sees them. */
import {
  startRecordingServer,
  type Recorded,
  type RecordingServer,
  type Reply
} from '../support/recording-server.ts'
import { FULL } from '../support/size.ts'
import { Scanner } from './page-objects/input-devices.ts'
import { CashierPage } from './page-objects/cashier.ts'
import { ManagerPage } from './page-objects/manager.ts'
import { slipsOf } from './support/bridge.ts'
import { attachPage } from './support/failure-attachments.ts'
import { expect, reset, test as base, type Counter } from './support/fixtures.ts'
import { suspendAndResume } from './support/main-process.ts'
import { newUserData, openTill, removeUserData } from './support/till.ts'
import { shown } from './support/shown.ts'

/** A response to each method and path, without the query; the response to any other request is a 404. */
type Routes = Readonly<Record<string, Reply | ((request: Recorded) => Reply)>>

const ACCOUNT = { body: { id: 'b-1', name: 'Corner Shop', timeZone: 'Europe/Athens', address: {} } }
const EMPTY_PAGE: Reply = { body: { hasMore: false, data: [] } }

const routed =
  (routes: Routes) =>
  (request: Recorded): Reply => {
    const path = new URL(request.target, 'http://service.invalid').pathname.replace('/api', '')
    const all: Routes = { 'GET /account': ACCOUNT, 'GET /customers/': EMPTY_PAGE, ...routes }
    const reply = all[`${request.method} ${path}`] ?? { status: 404, body: {} }
    return typeof reply === 'function' ? reply(request) : reply
  }

interface Fixtures {
  readonly server: RecordingServer
  /** Opens a till that is connected to a service with these responses. */
  readonly openWith: (routes: Routes) => Promise<Counter>
  /** Makes the service of the shared till give these responses, and loads its page. */
  readonly answerWith: (routes: Routes) => Promise<Counter & { readonly server: RecordingServer }>
}

interface WorkerFixtures {
  readonly answering: { readonly server: RecordingServer; readonly till: Counter }
}

const environmentOf = ({ baseUrl }: RecordingServer) => ({
  TILLPOINTS_BASE_URL: baseUrl,
  TILLPOINTS_TOKEN: 'token'
})

const test = base.extend<Fixtures, WorkerFixtures>({
  answering: [
    async ({}, use) => {
      const server = await startRecordingServer()
      server.answerBy(routed({}))
      const userData = await newUserData()
      const till = await openTill({ userData, env: environmentOf(server) })
      await use({
        server,
        till: { ...till, cashier: new CashierPage(till.page), manager: new ManagerPage(till.page) }
      })
      await till.close()
      await server.close()
      await removeUserData(userData)
    },
    { scope: 'worker' }
  ],
  answerWith: async ({ answering: { server, till } }, use, testInfo) => {
    await use(async (routes) => {
      server.answerBy(routed(routes))
      await till.page.evaluate(() => window.tillpoints?.connection.refresh())
      await reset(till)
      await expect(till.page.getByText('Corner Shop').first()).toBeVisible()
      return { ...till, server }
    })
    if (testInfo.status !== testInfo.expectedStatus) await attachPage(till.page, testInfo)
  },
  server: async ({}, use) => {
    const server = await startRecordingServer()
    await use(server)
    await server.close()
  },
  openWith: async ({ open, server }, use) => {
    await use(async (routes) => {
      server.answerBy(routed(routes))
      const till = await open({ env: environmentOf(server) })
      await expect(till.page.getByText('Corner Shop').first()).toBeVisible()
      return till
    })
  }
})

const refusal = (message: string): Reply => ({ status: 406, body: { message, error: 'Not Acceptable' } })
const posts = (server: RecordingServer): number =>
  server.requests.filter(({ method }) => method === 'POST').length

test('a refused code shows the message of the service', async ({ answerWith }) => {
  const { cashier, server } = await answerWith({
    'POST /qr': refusal('Your plan allows 100 points per code')
  })
  await cashier.print(500)
  await expect(cashier.alert).toContainText('Your plan allows 100 points per code')
  await expect(cashier.alert).not.toContainText('9,999,999')
  await expect(cashier.points).toHaveValue('500')
  expect(posts(server)).toBe(1)
})

test('a refused registration shows the message of the service unless a customer has the phone', async ({
  answerWith
}) => {
  const refused = { 'POST /customers': refusal('Names may have no digits') }
  const { cashier, page, server } = await answerWith(refused)
  await cashier.searchFor('+30 694 000 0001')
  await cashier.register('Nikos 2')
  await expect(cashier.alert).toContainText('Names may have no digits')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Nikos 2')
  await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('+30 694 000 0001')
  server.answerBy(
    routed({
      ...refused,
      'GET /customers/%2B306940000001': { body: { id: 'c-1', name: 'Eleni', balance: 5 } }
    })
  )
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(cashier.customer).toContainText('Eleni')
  await expect(cashier.customer).toContainText('already')
})

test('a service that refuses an empty name is asked once, also after a restart, and another one again', async ({
  open,
  openWith,
  server
}) => {
  const eleni = { id: 'c-1', name: 'Eleni', balance: 0 }
  const routes: Routes = {
    'POST /customers': ({ body }) =>
      body.includes('"name":""')
        ? { status: 400, body: { message: 'name should not be empty' } }
        : { body: eleni }
  }
  const nameOf = ({ page }: Counter) => page.getByRole('textbox', { name: 'Name' })
  const register = ({ page }: Counter) => page.getByRole('button', { name: 'Register', exact: true }).click()
  const openForm = async ({ cashier, page }: Counter): Promise<void> => {
    await cashier.searchFor('+30 694 000 0001')
    await page.getByRole('button', { name: 'Register customer' }).click()
  }
  const asksForName = async (till: Counter): Promise<void> => {
    await expect(till.cashier.alert).toHaveText('The points service needs a name.')
    await expect(nameOf(till)).toBeFocused()
    await expect(till.page.getByRole('textbox', { name: 'Phone' })).toHaveValue('+30 694 000 0001')
  }

  const first = await openWith(routes)
  await openForm(first)
  await expect(nameOf(first)).toHaveAccessibleDescription('Optional')
  await register(first)
  await asksForName(first)
  await register(first)
  await asksForName(first)
  expect(posts(server)).toBe(1)
  await first.close()

  const again = await open({ env: { TILLPOINTS_BASE_URL: server.baseUrl, TILLPOINTS_TOKEN: 'token' } })
  await openForm(again)
  await expect(nameOf(again)).toHaveAccessibleDescription('The points service needs a name.')
  await register(again)
  await asksForName(again)
  expect(posts(server)).toBe(1)
  await nameOf(again).fill('Eleni')
  await register(again)
  await expect(again.cashier.customer).toContainText('Eleni')

  const elsewhere = await startRecordingServer()
  try {
    elsewhere.answerBy(routed(routes))
    await again.page.evaluate(async (baseUrl) => {
      await window.tillpoints?.connection.check({ baseUrl, token: 'token' })
      await window.tillpoints?.connection.save({ acceptUnencrypted: true })
    }, elsewhere.baseUrl)
    await openForm(again)
    await expect(nameOf(again)).toHaveAccessibleDescription('Optional')
    await register(again)
    await asksForName(again)
    expect(posts(elsewhere)).toBe(1)
  } finally {
    await elsewhere.close()
  }
})

const urlForms: readonly (readonly [string, (code: string) => string])[] = [
  ['a parameter', (code) => `https://points.example/collect?view=${code}&lang=en`],
  ['a short link', (code) => `https://sho.example/${Buffer.from(code).toString('hex')}`],
  ['a path after #', (code) => `https://points.example/#/q/${code}/collect`]
]

// Every form is in `test/unit/main/loyalty/points-code.test.ts`; here one whose code is found, and one that has none.
for (const [form, urlOf] of FULL ? urlForms : urlForms.slice(0, 2)) {
  test(`a scanned address with the code in ${form} is checked by the code`, async ({ openWith, server }) => {
    const qrOf = ({ target }: Recorded): Reply => {
      const code = target.slice('/api/qr/'.length)
      return { body: { code, rewardPoints: 40, status: 'unused' } }
    }
    const { cashier, page } = await openWith({
      'POST /qr': { body: { code: 'WXYZ', rewardPoints: 40, qrURL: urlOf('WXYZ') } },
      'GET /qr/WXYZ': qrOf,
      'GET /qr/OTHR': qrOf
    })
    const scanner = new Scanner(page)
    await cashier.print(40)
    await expect(cashier.lastSlip).toBeVisible()
    await expect(cashier.search).toBeFocused()
    await scanner.scan(urlOf('WXYZ'))
    await expect(cashier.checkedCode).toBeVisible()
    await expect(shown(page, 'Issued by this till')).toBeVisible()
    await cashier.goTo('Slips')
    await cashier.codeField.fill(urlOf('WXYZ'))
    await cashier.codeField.press('Enter')
    await expect(cashier.checkedCode).toBeVisible()
    // A slip of another till has an address of the same form.
    await cashier.codeField.fill(urlOf('OTHR'))
    await cashier.codeField.press('Enter')
    if (form === 'a short link')
      await expect(cashier.alert).toContainText('cannot find the code in the scanned address')
    else await expect(shown(page, 'Not issued by this till')).toBeVisible()
    expect(server.requests.filter(({ target }) => target === '/api/qr/WXYZ')).toHaveLength(2)
  })
}

test('a scanned customer id selects the customer', async ({ answerWith }) => {
  const card = '66f0c3d2a1b4e5f6a7b8c9d0'
  const { cashier, page } = await answerWith({
    [`GET /customers/${card}`]: ({ target }) =>
      target.endsWith('?type=id') ? { body: { id: card, name: 'Eleni', balance: 5 } } : { status: 404 }
  })
  await expect(cashier.search).toBeFocused()
  await new Scanner(page).scan(card)
  await expect(cashier.customer).toContainText('Eleni')
})

test('a row with missing or differently typed fields is shown with what is known', async ({ answerWith }) => {
  const { cashier, page } = await answerWith({
    'GET /customers/': {
      body: {
        data: [
          { id: 7, name: 'Nikos', balance: null, phone: '' },
          { id: 'b', name: 'Maria', balance: '120', phone: 306901234567, lifetimePoints: '300' },
          { name: 'Without an id' },
          { id: 'c', name: 'Zoe', balance: 10 ** 99 }
        ]
      }
    }
  })
  await cashier.searchFor('a name')
  await expect(cashier.result('Nikos')).toContainText(/Not known.*Not known/s)
  await expect(cashier.result('Maria')).toContainText('120 points')
  await expect(cashier.result('Maria')).toContainText('690 123 4567')
  await expect(cashier.result('Zoe')).toContainText('Not known')
  await expect(shown(page, 'Without an id')).toBeHidden()
  await cashier.result('Nikos').click()
  await expect(cashier.customer).toContainText('Not known')
})

test('the use of a code is shown with its date, or as the service sent it', async ({ answerWith }) => {
  const { cashier, page, server } = await answerWith({})
  await cashier.goTo('Slips')
  for (const [status, usedDate, text] of [
    ['Anything', '2026-11-20T10:00:00Z', 'This code has been used on'],
    ['Suspended', null, 'Status in the service: “Suspended”.']
  ] as const) {
    server.answerBy(
      routed({ 'GET /qr/WXYZ': { body: { code: 'WXYZ', rewardPoints: 40, status, usedDate } } })
    )
    await cashier.codeField.fill('')
    await cashier.codeField.fill('WXYZ')
    await cashier.codeField.press('Enter')
    await expect(shown(page, text), status).toBeVisible()
  }
})

test('a changed profile is shown after a sleep', async ({ answerWith }) => {
  const { app, page, server } = await answerWith({})
  server.answerBy(
    routed({ 'GET /account': { body: { id: 'b-1', name: 'New Name', timeZone: 'Europe/Paris' } } })
  )
  await suspendAndResume(app)
  await expect(shown(page, 'New Name').first()).toBeVisible()
})

test('a clock that differs by hours shows a notice, and the slip has the time of the service', async ({
  answerWith
}) => {
  /** Responses of a service whose clock is so far ahead. */
  const ahead = (offsetMs: number) => {
    const now = (): Date => new Date(Date.now() + offsetMs)
    const created = (): Reply => ({
      body: {
        code: `W${offsetMs}`,
        rewardPoints: 40,
        qrURL: `https://points.example/q/W${offsetMs}`,
        createdAt: now().toISOString()
      }
    })
    const respond = routed({ 'POST /qr': created })
    return (request: Recorded): Reply => {
      const reply = respond(request)
      return typeof reply === 'string' ? reply : { ...reply, headers: { date: now().toUTCString() } }
    }
  }
  const { cashier, page, server } = await answerWith({})
  const notice = shown(page, 'The clock of this computer is 3 hours behind the points service.')
  server.answerBy(ahead(180 * 60_000))
  await cashier.print(40)
  await expect(notice).toBeVisible()
  // The notice may come before the slip is on disk.
  await expect(cashier.lastSlip).toContainText(`W${180 * 60_000}`)
  const [slip] = await slipsOf(page)
  expect(Date.parse(slip?.issuedAt ?? '')).toBeGreaterThan(Date.now() + 170 * 60_000)
  server.answerBy(ahead(0))
  await cashier.print(40)
  await expect(notice).toBeHidden()
})

test('a time zone that the service counts otherwise shows a notice with the next step', async ({
  answerWith
}) => {
  // Tokyo has one time all year.
  const at = (offset: string): Routes => ({
    'GET /account': { ...ACCOUNT, headers: { 'local-time': `2026-11-21T18:00:00${offset}[Asia/Tokyo]` } }
  })
  const { page } = await answerWith(at('+08:00'))
  const notice = shown(
    page,
    'The time zone Asia/Tokyo is UTC+09:00 on this computer and UTC+08:00 in the points service.'
  )
  await expect(notice).toBeVisible()
  await expect(shown(page, 'until then choose a time zone with the right time for the shop')).toBeVisible()
  await answerWith(at('+09:00'))
  await expect(notice).toBeHidden()
})
