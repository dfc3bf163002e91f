/** The forms that make a secret, sent again: a pairing code and the links by which staff choose a password. */
import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { PairingStore } from '../../../../electron/service/store/pairings.ts'
import { textOf, type Visitor } from '../pages/visitor.ts'
import { openFull, requestOf } from './shop-office.ts'

type Office = Awaited<ReturnType<typeof openFull>>

const CODE = /[B-Z]{4}-[B-Z]{4}/
const LINK = /\/welcome\/[\w-]{43}/
const MINUTE_MS = 60_000

const pairingsOf = ({ shop }: Office): PairingStore =>
  new PairingStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })

const setPassword = async ({ visitor }: Office, link: string): Promise<number> =>
  (await visitor().post(link, { name: 'Zoe', password: 'tea with lemon', repeated: 'tea with lemon' })).status

/** @param page below the shop's, with the form, @param path of the form, @param use Uses the secret up. */
const forms = [
  {
    what: 'a pairing code',
    ...{ page: () => '/tills', path: () => '/tills', secret: CODE, validMinutes: 10 },
    isValid: async (office: Office, code: string) =>
      (await pairingsOf(office).confirm(code, 'another')) === 'other-business',
    use: (office: Office, code: string): Promise<unknown> => pairingsOf(office).trade(code)
  },
  {
    what: 'the link of a new colleague',
    ...{ page: () => '/staff', path: () => '/staff', secret: LINK, validMinutes: 24 * 60 },
    isValid: async ({ visitor }: Office, link: string) => (await visitor().get(link)).status === 200,
    use: setPassword
  },
  {
    what: 'the link of a colleague',
    page: ({ member }: Office) => `/staff/${member}`,
    path: ({ member }: Office) => `/staff/${member}/link`,
    ...{ secret: LINK, validMinutes: 24 * 60 },
    isValid: async ({ visitor }: Office, link: string) => (await visitor().get(link)).status === 200,
    use: setPassword
  }
] as const

type SecretForm = (typeof forms)[number]

/** Opens the page of a form, and returns what sends it. */
const openForm = async (office: Office, browser: Visitor, { page, path }: SecretForm) => {
  const form = { request: await requestOf(browser, office.path(page(office))), name: 'Zoe', role: 'staff' }
  return async (): Promise<string> => textOf(await browser.submit(office.path(path(office)), form))
}

it.each(forms)('makes $what once for a form that is pressed twice', async (form) => {
  const office = await openFull()
  const browser = await office.signedIn('owner')
  const send = await openForm(office, browser, form)
  const secrets = (await Promise.all([send(), send()])).map((text) => form.secret.exec(text)?.[0] ?? '')
  const [secret = ''] = secrets
  expect(secret).toMatch(form.secret)
  expect(secrets).toEqual([secret, secret])
  expect(await form.isValid(office, secret)).toBe(true)
})

const ENDINGS = {
  'it has expired': ({ shop }: Office, { validMinutes }: SecretForm) => {
    shop.now = new Date(shop.now.getTime() + validMinutes * MINUTE_MS)
    return Promise.resolve()
  },
  'a day': ({ shop }: Office) => {
    shop.now = new Date(shop.now.getTime() + 25 * 60 * MINUTE_MS)
    return Promise.resolve()
  },
  'it was used': (office: Office, form: SecretForm, secret: string) => form.use(office, secret)
} as const

for (const [ending, end] of Object.entries(ENDINGS)) {
  it.each(forms)(
    `does not make $what valid again when its form is sent after ${ending}, and offers another one`,
    async (form) => {
      const office = await openFull()
      const browser = await office.signedIn('owner')
      const send = await openForm(office, browser, form)
      const secret = form.secret.exec(await send())?.[0] ?? ''
      expect(await form.isValid(office, secret)).toBe(true)
      await end(office, form, secret)
      // What has ended is cleaned now and then.
      await office.staff.clean()
      browser.setCookie(
        `staff-${office.business}`,
        (await office.staff.beginSession(office.members.owner)) ?? ''
      )
      const text = await send()
      expect(text).toContain('is no longer valid. Press again for a new one.')
      expect(text).not.toMatch(form.secret)
      expect(await form.isValid(office, secret)).toBe(false)
    }
  )
}

it('makes no pairing code again that another program has ended', async () => {
  const office = await openFull()
  const [form] = forms
  const send = await openForm(office, await office.signedIn('owner'), form)
  const code = CODE.exec(await send())?.[0] ?? ''
  expect(await pairingsOf(office).confirm(code, office.business)).toBe('confirmed')
  expect(await send()).toContain('is no longer valid')
  expect(await pairingsOf(office).confirm(code, office.business)).toBe('unknown')
})

it('does not replace a newer link by an older form', async () => {
  const office = await openFull()
  const [, , form] = forms
  const browser = await office.signedIn('owner')
  const older = await openForm(office, browser, form)
  const newer = await openForm(office, browser, form)
  const first = LINK.exec(await older())?.[0] ?? ''
  const second = LINK.exec(await newer())?.[0] ?? ''
  expect([await form.isValid(office, first), await form.isValid(office, second)]).toEqual([false, true])
  expect(await older()).toContain('is no longer valid')
  expect([await form.isValid(office, first), await form.isValid(office, second)]).toEqual([false, true])
})
