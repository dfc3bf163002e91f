import { describe, expect, it } from 'vitest'
import { PASSWORD_COST, SESSION_IDLE_MS } from '../../../../electron/service/domain/staff.ts'
import { ORIGIN, textOf } from '../pages/visitor.ts'
import { locationOf, openOffice, PASSWORD } from './shop-office.ts'

it('signs in by name and password, and goes on where it was asked to', async () => {
  const { visitor, path, members } = await openOffice()
  const browser = visitor()
  expect(locationOf(await browser.get(path('/tills')))).toBe(
    `${path('/sign-in')}?to=${encodeURIComponent(path('/tills'))}`
  )
  const wrong = await browser.submit(path('/sign-in'), { name: 'Ana', password: 'coffee with cream' })
  expect(await textOf(wrong)).toContain('Name or password is not right.')
  const unknown = await browser.submit(path('/sign-in'), { name: 'Eva', password: PASSWORD })
  expect(await textOf(unknown)).toContain('Name or password is not right.')
  expect(browser.received.filter((cookie) => !cookie.startsWith('form='))).toEqual([])

  const right = { name: ' ana ', password: PASSWORD, to: path('/tills') }
  expect(locationOf(await browser.post(path('/sign-in'), right))).toBe(path('/tills?done=signed-in'))
  expect(browser.received[1]).toMatch(
    new RegExp(
      `^staff-[^=]+=${members.owner.id}\\.[\\w-]{43}; Path=${path('')}; HttpOnly; Secure; SameSite=Lax$`
    )
  )
  expect((await browser.get(path('/tills'))).status).toBe(200)
})

/** Whether an answer says that there were too many attempts, so that nothing was compared. */
const isLimited = (answer: Response): boolean => locationOf(answer)?.includes('wait=') === true

/** Where a page of signing in leads. */
const toOf = async (page: Response): Promise<string> =>
  (/name="to" value="([^"]*)"/.exec(await page.text())?.[1] ?? '').replaceAll('&amp;', '&')

it('leads back to the page with its query, also in another language and after a wrong password', async () => {
  const { visitor, path } = await openOffice()
  const asked = path('/customers?name=%CE%9C%CE%B1&page=3')
  const browser = visitor()
  const signIn = locationOf(await browser.get(`${asked}&done=saved&lang=de`)) ?? ''
  const form = { name: 'Ana', password: PASSWORD, to: await toOf(await browser.get(signIn)) }
  const french = await browser.submit(path('/sign-in'), { ...form, language: 'fr' })
  expect(french.headers.get('content-language')).toBe('fr')
  const refused = await browser.submit(path('/sign-in'), {
    ...form,
    to: await toOf(french),
    password: 'x'
  })
  const to = await toOf(refused)
  expect(locationOf(await browser.post(path('/sign-in'), { ...form, to }))).toBe(`${asked}&done=signed-in`)
})

it('leads back to the page of a form that was sent after the session had ended', async () => {
  const { shop, visitor, path } = await openOffice()
  const at = path(`/customers/${await shop.register('+306901234567', 'Μαρία')}`)
  const browser = visitor()
  const signIn = locationOf(await browser.post(`${at}/adjust`, { points: '5' })) ?? ''
  const form = { name: 'Ana', password: PASSWORD, to: await toOf(await browser.get(signIn)) }
  expect(locationOf(await browser.post(path('/sign-in'), form))).toBe(`${at}?done=signed-in`)
})

it.each(['https://elsewhere.example/', '//elsewhere.example/', '/me/x', ''])(
  'does not leave the pages of the shop for %j',
  async (to) => {
    const { visitor, path } = await openOffice()
    const signedIn = await visitor().post(path('/sign-in'), { name: 'Ana', password: PASSWORD, to })
    expect(locationOf(signedIn)).toBe(path('/today?done=signed-in'))
  }
)

it('answers 20 of 1,000 guesses an hour for one name, from however many addresses, and lets others in', async () => {
  const { shop, visitor, path } = await openOffice()
  let compared = 0
  let limited = 0
  for (let guess = 0; guess < 1000; guess += 1) {
    shop.address = `198.51.100.${String(guess % 250)}`
    const name = guess % 2 === 0 ? 'Ana' : 'ANA'
    const answer = await visitor().post(path('/sign-in'), { name, password: `guess ${String(guess)}` })
    if (isLimited(answer)) limited += 1
    else compared += 1
  }
  expect([compared, limited]).toEqual([20, 980])
  shop.address = '203.0.113.8'
  const own = await visitor().submit(path('/sign-in'), { name: 'Ana', password: PASSWORD })
  expect(await textOf(own)).toContain('Try again in 60 minutes.')
  const other = await visitor().post(path('/sign-in'), { name: 'Ben', password: PASSWORD })
  expect(locationOf(other)).toBe(path('/customers?done=signed-in'))
  shop.now = new Date(shop.now.getTime() + 60 * 60_000)
  const later = await visitor().post(path('/sign-in'), { name: 'Ana', password: PASSWORD })
  expect(locationOf(later)).toBe(path('/today?done=signed-in'))
})

it('lets in who has signed in with a browser before, while strangers try the name, and says how long others wait', async () => {
  const { shop, visitor, members, path } = await openOffice()
  const own = visitor()
  const right = { name: 'Ana', password: PASSWORD }
  await own.post(path('/sign-in'), right)
  await own.post(path('/sign-out'))
  const guess = (browser: ReturnType<typeof visitor>) =>
    browser.post(path('/sign-in'), { name: 'Ana', password: 'x' })
  for (let tried = 0; tried < 21; tried += 1) {
    shop.address = `198.51.100.${String(tried)}`
    await guess(visitor())
  }
  shop.now = new Date(shop.now.getTime() + 59 * 60_000)
  const stranger = visitor()
  expect(await textOf(await stranger.follow(await guess(stranger)))).toContain('Try again in 1 minute.')
  expect(locationOf(await own.post(path('/sign-in'), right))).toBe(path('/today?done=signed-in'))
  const changed = { current: PASSWORD, password: 'tea with lemon', repeated: 'tea with lemon' }
  expect(locationOf(await own.post(path('/me'), changed))).toContain('done=password-changed')

  // A forged cookie makes no browser known, and a known one guesses no more than others.
  const forged = visitor()
  const cookie = `known-${members.owner.id}`
  forged.setCookie(
    cookie,
    (own.cookie(cookie) ?? '').replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
  )
  shop.now = new Date(shop.now.getTime() - 59 * 60_000)
  expect(isLimited(await guess(forged))).toBe(true)
  const guesses: Response[] = []
  for (let tried = 0; tried < 22; tried += 1) guesses.push(await guess(own))
  expect(guesses.filter((answer) => !isLimited(answer))).toHaveLength(20)
})

it('compares the password of a known browser at once, and those of strangers in turns', async () => {
  const { visitor, path } = await openOffice(undefined, undefined, PASSWORD_COST)
  const own = visitor()
  const right = { name: 'Ana', password: PASSWORD }
  await own.post(path('/sign-in'), right)
  await own.post(path('/sign-out'))
  let answered = 0
  const strangers = Array.from({ length: 8 }, async (_, tried) => {
    await visitor().post(path('/sign-in'), { name: `Name ${String(tried)}`, password: 'x' })
    answered += 1
  })
  expect(locationOf(await own.post(path('/sign-in'), right))).toBe(path('/today?done=signed-in'))
  // Two of eight on a machine that does nothing else.
  expect(answered).toBeLessThan(8)
  await Promise.all(strangers)
})

it('leads to no address that a header cannot have', async () => {
  const { visitor, path } = await openOffice()
  for (const to of [path('/codes\r\nx: y'), path('/\u0001'), path('/é')]) {
    const answer = await visitor().post(path('/sign-in'), { name: 'Ana', password: PASSWORD, to })
    expect([answer.status, locationOf(answer)]).toEqual([303, path('/today?done=signed-in')])
  }
})

it('says that a password was tried too often, instead of that it is wrong, and keeps what is counted to the session', async () => {
  const { signedIn, path } = await openOffice()
  const [thief, owner] = [await signedIn('owner'), await signedIn('owner')]
  const form = { current: 'x', password: 'tea with lemon', repeated: 'tea with lemon' }
  for (let tried = 0; tried < 20; tried += 1) await thief.post(path('/me'), form)
  const refused = await thief.submit(path('/me'), { ...form, current: PASSWORD })
  expect(await textOf(refused)).toContain('There were too many attempts. Try again in 60 minutes.')
  expect(locationOf(await owner.post(path('/me'), { ...form, current: PASSWORD }))).toContain('done=')
})

it('keeps a stolen cookie no longer than the session', async () => {
  const { shop, business, addShop, signedIn, visitor, staff, members, path } = await openOffice()
  const name = `staff-${business}`
  const owner = await signedIn('owner')
  const thief = visitor()
  thief.setCookie(name, owner.cookie(name) ?? '')
  expect((await thief.get(path('/today'))).status).toBe(200)
  await owner.post(path('/sign-out'))
  expect(locationOf(await thief.get(path('/today')))).toContain('/sign-in?')

  for (const end of [
    () => staff.endSessions(members.staff.id),
    () => staff.remove(shop.business, members.staff.id)
  ]) {
    const member = await signedIn('staff')
    expect((await member.get(path('/customers'))).status).toBe(200)
    await end()
    expect(locationOf(await member.get(path('/customers')))).toContain('/sign-in?')
  }

  // Of another shop of the same service.
  const again = await signedIn('owner')
  const other = await addShop()
  const { id } = (
    await other.database.read('SELECT id FROM businesses WHERE business = $1', [other.business])
  )[0] as { id: string }
  again.setCookie(`staff-${id}`, again.cookie(name) ?? '')
  expect(locationOf(await again.get(`/manage/${id}/today`))).toContain('/sign-in?')

  shop.now = new Date(shop.now.getTime() + SESSION_IDLE_MS)
  expect(locationOf(await again.get(path('/today')))).toContain('done=session-ended')
})

it('changes nothing for a form of another site', async () => {
  const { signedIn, path, shop } = await openOffice()
  const owner = await signedIn('owner')
  const form = { name: 'Coffee', cost: '50' }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    {}
  ]) {
    const forged = await owner.post(path('/rewards'), form, headers)
    expect(await textOf(await owner.follow(forged))).toContain('Nothing was changed.')
  }
  expect(await shop.database.read('SELECT * FROM rewards')).toEqual([])
  expect((await owner.post(path('/rewards'), form, { origin: ORIGIN })).status).toBe(303)
})

const OWNERS = [
  '/today',
  '/entries',
  '/rewards',
  '/tills',
  '/profile',
  '/staff',
  '/data',
  '/data/customers.csv',
  '/data/rewards.csv',
  '/data/entries.csv',
  '/data/backup',
  '/data/backups/x',
  '/data/imports/x',
  '/data/imports/x/refused.csv'
]
const OWNERS_FORMS = [
  '/rewards',
  '/rewards/x',
  '/rewards/x/up',
  '/rewards/x/disable',
  '/tills',
  '/tills/x/revoke',
  '/profile',
  '/profile/logo',
  '/profile/logo/remove',
  '/staff',
  '/staff/x/link',
  '/staff/x/sign-out',
  '/staff/x/remove',
  '/data/backup',
  '/data/backup/cancel',
  '/data/imports',
  '/data/imports/x/start',
  '/data/imports/x/stop',
  '/data/imports/x/discard'
]

it('keeps staff from what is the owner’s', async () => {
  const { signedIn, path, shop } = await openOffice()
  const member = await signedIn('staff')
  const before = JSON.stringify(await shop.database.read('SELECT * FROM businesses'))
  for (const below of OWNERS) {
    const page = await member.get(path(below))
    expect([below, page.status]).toEqual([below, 403])
    expect(await textOf(page)).toContain('For the owner')
  }
  for (const below of OWNERS_FORMS) {
    const page = await member.post(path(below), { name: 'X', cost: '1', role: 'owner' })
    expect([below, page.status]).toEqual([below, 403])
  }
  expect(JSON.stringify(await shop.database.read('SELECT * FROM businesses'))).toBe(before)
  const customers = await member.get(path('/customers'))
  expect(customers.status).toBe(200)
  expect(await customers.text()).not.toContain('/tills')
  expect((await member.get(path('/codes'))).status).toBe(200)
})

it('does nothing for a member who was removed while the form came', async () => {
  const { fetch, members, path, shop, staff, business } = await openOffice()
  const customer = await shop.register('+306901234567')
  const cookie = `staff-${business}=${(await staff.beginSession(members.staff)) ?? ''}`
  const adjust = async (meanwhile: () => Promise<void>) => {
    // Read when the session has been looked at.
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await meanwhile()
          controller.enqueue(new TextEncoder().encode('points=5&reason=Goodwill'))
          controller.close()
        }
      },
      { highWaterMark: 0 }
    )
    const headers = {
      cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded'
    }
    const init: RequestInit & { readonly duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' }
    return locationOf(await fetch(path(`/customers/${customer}/adjust`), init))
  }
  expect(await adjust(() => Promise.resolve())).toContain('done=points-changed')
  expect(await adjust(() => staff.remove(shop.business, members.staff.id))).toContain('/sign-in?to=')
  expect(await shop.balance(customer)).toBe(5)
})

it('changes a password with the present one, and ends the other sessions', async () => {
  const { signedIn, path, visitor } = await openOffice()
  const [owner, elsewhere] = [await signedIn('owner'), await signedIn('owner')]
  const change = (current: string, password: string, repeated = password) =>
    owner.post(path('/me'), { current, password, repeated })
  const refused = async (...typed: Parameters<typeof change>) =>
    textOf(await owner.follow(await change(...typed)))
  expect(await refused('wrong password', 'tea without sugar')).toContain('not right')
  expect(await refused(PASSWORD, 'short')).toContain('at least 10 characters')
  expect(await refused(PASSWORD, 'tea without sugar', 'tea with sugar')).toContain('differ')
  expect(locationOf(await change(PASSWORD, 'tea without sugar'))).toBe(`${path('/me')}?done=password-changed`)
  expect((await owner.get(path('/today'))).status).toBe(200)
  expect(locationOf(await elsewhere.get(path('/today')))).toContain('/sign-in?')
  const old = await visitor().submit(path('/sign-in'), { name: 'Ana', password: PASSWORD })
  expect(await textOf(old)).toContain('Name or password is not right.')
})

describe('a password that is changed by a form that is sent twice', () => {
  const form = { current: PASSWORD, password: 'tea without sugar', repeated: 'tea without sugar' }

  it.each([
    ['at the same moment', (send: () => Promise<Response>) => Promise.all([send(), send()])],
    ['one after the other', async (send: () => Promise<Response>) => [await send(), await send()]]
  ] as const)('is changed, as both answers say: %s', async (_when, sendTwice) => {
    const { path, signedIn, business } = await openOffice()
    const browser = await signedIn('staff')
    const cookie = browser.cookie(`staff-${business}`) ?? ''
    const answers = await sendTwice(() => {
      // The browser has left before the first answer.
      browser.setCookie(`staff-${business}`, cookie)
      return browser.post(path('/me'), form)
    })
    expect(answers.map(locationOf)).toEqual([1, 2].map(() => `${path('/me')}?done=password-changed`))
    expect((await browser.get(path('/me'))).status).toBe(200)
  })

  it('counts a wrong present password for the browser only', async () => {
    const { path, signedIn, visitor } = await openOffice()
    const browser = await signedIn('staff')
    const wrong = { ...form, current: 'tea without lemon' }
    for (let times = 0; times < 20; times++) {
      expect(locationOf(await browser.post(path('/me'), wrong))).not.toContain('done=')
    }
    const right = { name: 'Ben', password: PASSWORD }
    expect(locationOf(await visitor().post(path('/sign-in'), right))).toContain('done=signed-in')
  })

  it('is not taken from another form after the session has ended', async () => {
    const { path, signedIn, business } = await openOffice()
    const browser = await signedIn('staff')
    const cookie = browser.cookie(`staff-${business}`) ?? ''
    await browser.post(path('/me'), form)
    browser.setCookie(`staff-${business}`, cookie)
    const other = { ...form, password: 'milk with tea', repeated: 'milk with tea' }
    expect(locationOf(await browser.post(path('/me'), other))).toContain('done=session-ended')
  })
})

it('lets a colleague choose a password by a link, once', async () => {
  const { signedIn, path, visitor } = await openOffice()
  const owner = await signedIn('owner')
  const shown = await (await owner.submit(path('/staff'), { name: 'Eva', role: 'staff' })).text()
  const link = /\/welcome\/[\w-]{43}/.exec(shown)?.[0] ?? ''
  const eva = visitor()
  expect(await textOf(await eva.get(link))).toContain('Choose a password')
  const form = { name: 'Eva', password: 'a walk in the park', repeated: 'a walk in the park' }
  expect(await textOf(await eva.submit(link, { ...form, name: 'Ben' }))).toContain(
    'Somebody has this name already.'
  )
  expect(locationOf(await eva.post(link, form))).toBe(path('/customers?done=signed-in'))
  expect((await eva.get(path('/customers'))).status).toBe(200)
  expect((await visitor().get(link)).status).toBe(404)
  const other = { ...form, password: 'a walk in the dark', repeated: 'a walk in the dark' }
  expect(await textOf(await visitor().submit(link, other))).toContain('no longer valid')
  expect(await textOf(await owner.submit(path('/staff'), { name: 'EVA' }))).toContain(
    'Somebody has this name already.'
  )
})

const WELCOME = { name: 'Eva', password: 'a walk in the park', repeated: 'a walk in the park' }

/** A shop that has invited Eva. */
const openInvited = async () => {
  const office = await openOffice()
  const { shop, staff } = office
  const { id } = await staff.add(shop.business, { name: 'Eva', role: 'staff' })
  return { ...office, id, link: `/welcome/${await staff.offerLink(id)}` }
}

it('signs in again when the form of a link is pressed twice, for ten minutes and with the same name and password', async () => {
  const { shop, staff, path, visitor, link } = await openInvited()
  const answers = await Promise.all([visitor().post(link, WELCOME), visitor().post(link, WELCOME)])
  const signedIn = path('/customers?done=signed-in')
  expect(answers.map(locationOf)).toEqual([signedIn, signedIn])
  const { passwordHash } = (await staff.named(shop.business, 'Eva')) ?? {}
  const again = visitor()
  expect(locationOf(await again.post(link, { ...WELCOME, name: ' eva ' }))).toBe(signedIn)
  expect((await again.get(path('/customers'))).status).toBe(200)
  expect((await visitor().get(link)).status).toBe(404)
  for (const changed of [{ name: 'Ben' }, { password: 'a walk in the dark' }, { language: 'de' }]) {
    const refused = visitor()
    expect(await textOf(await refused.submit(link, { ...WELCOME, ...changed }))).toMatch(
      /no longer valid|gilt nicht mehr/
    )
    expect(refused.received.filter((set) => /^(?:staff|known)-/.test(set))).toEqual([])
  }
  expect((await staff.named(shop.business, 'Eva'))?.passwordHash).toBe(passwordHash)
  shop.now = new Date(shop.now.getTime() + 10 * 60_000)
  expect(await textOf(await visitor().submit(link, WELCOME))).toContain('no longer valid')
})

it('tries no more passwords with a link that was used than with the name', async () => {
  const { shop, path, visitor, link } = await openInvited()
  await visitor().post(link, WELCOME)
  const answers: Response[] = []
  for (let tried = 0; tried < 21; tried += 1) {
    shop.address = `198.51.100.${String(tried)}`
    const guess = { name: 'Eva', password: `guess ${String(tried)}` }
    answers.push(
      await (tried % 2 === 0 ? visitor().post(link, guess) : visitor().post(path('/sign-in'), guess))
    )
  }
  expect(answers.filter(isLimited)).toHaveLength(1)
  expect(answers.filter((answer) => locationOf(answer)?.includes('signed-in'))).toEqual([])
  const own = visitor()
  expect(await textOf(await own.submit(link, WELCOME))).toContain('Try again in 60 minutes.')
})

it('ends a link that was used with a newer one, and with its member', async () => {
  for (const end of ['newer', 'removed'] as const) {
    const { shop, staff, visitor, link, id } = await openInvited()
    await visitor().post(link, WELCOME)
    await (end === 'newer' ? staff.offerLink(id) : staff.remove(shop.business, id))
    expect(await textOf(await visitor().submit(link, WELCOME))).toContain('no longer valid')
  }
})
