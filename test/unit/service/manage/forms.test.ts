/** Every form of the shop's pages: its answer can be loaded again and returned to, in any language, and says at the field what is wrong. */
import { expect, it } from 'vitest'
import { MANAGE_STYLE } from '../../../../electron/service/manage/style.ts'
import { textOf, type Visitor } from '../pages/visitor.ts'
import { locationOf, openFull, PASSWORD } from './shop-office.ts'

type Office = Awaited<ReturnType<typeof openFull>>

/** A form with something wrong: where it is sent and its page, what is typed, the field that is wrong, and what the page says. */
interface WrongForm {
  readonly to: (office: Office) => string
  readonly typed: Readonly<Record<string, string>>
  readonly secret?: Readonly<Record<string, string>>
  readonly wrong: string | null
  readonly says: { readonly en: string; readonly de: string }
}

const points = { en: 'must be a whole number', de: 'eine ganze Zahl' }
const nameMissing = { en: 'The name is missing', de: 'Der Name fehlt' }

const WRONG: Readonly<Record<string, WrongForm>> = {
  'points to adjust': {
    to: ({ path, customer }) => path(`/customers/${customer}/adjust`),
    typed: { points: '1.5', reason: 'Goodwill' },
    wrong: 'points',
    says: points
  },
  'a reason': {
    to: ({ path, customer }) => path(`/customers/${customer}/adjust`),
    typed: { points: '-5', reason: ' ' },
    wrong: 'reason',
    says: { en: 'Write a reason.', de: 'Schreiben Sie einen Grund' }
  },
  'six digits': {
    to: ({ path, customer }) => path(`/customers/${customer}/link`),
    typed: { digits: '000 000' },
    wrong: 'digits',
    says: { en: 'No phone shows these digits', de: 'Kein Telefon zeigt diese Ziffern' }
  },
  'a phone': {
    to: ({ path, customer }) => path(`/customers/${customer}/correct`),
    typed: { name: 'Ζωή', phone: '690', email: 'zoe@example.org' },
    wrong: 'phone',
    says: { en: 'That is no phone number', de: 'keine Telefonnummer' }
  },
  'an e-mail': {
    to: ({ path, customer }) => path(`/customers/${customer}/correct`),
    typed: { name: 'Ζωή', phone: '690 123 4567', email: 'zoe' },
    wrong: 'email',
    says: { en: 'That is no e-mail address', de: 'keine E-Mail-Adresse' }
  },
  'an entry that is gone': {
    to: ({ path, customer }) => path(`/customers/${customer}/redeem`),
    typed: { reward: 'rew_x', cost: '5' },
    wrong: null,
    says: { en: 'There is no such reward any more', de: 'Diese Prämie gibt es nicht mehr' }
  },
  'the cost of a reward': {
    to: ({ path }) => path('/rewards'),
    typed: { name: 'Kaffee', cost: '0' },
    wrong: 'cost',
    says: points
  },
  'the name of a reward': {
    to: ({ path, reward }) => path(`/rewards/${reward}`),
    typed: { name: ' ', cost: '70' },
    wrong: 'name',
    says: nameMissing
  },
  'the name of a till': {
    to: ({ path }) => path('/tills'),
    typed: { name: ' ' },
    wrong: 'name',
    says: nameMissing
  },
  'the name of the shop': {
    to: ({ path }) => path('/profile'),
    typed: { name: ' ', street: 'Ermou 7', codeDays: '31', place: 'GR Europe/Athens' },
    wrong: 'name',
    says: nameMissing
  },
  'the country of the shop': {
    to: ({ path }) => path('/profile'),
    typed: { name: 'Kafeneio', street: 'Ermou 7', place: '' },
    wrong: 'place',
    says: { en: 'Choose a country', de: 'Land' }
  },
  'a name that is taken': {
    to: ({ path }) => path('/staff'),
    typed: { name: 'Ben', role: 'owner' },
    wrong: 'name',
    says: { en: 'Somebody has this name already', de: 'Diesen Namen hat schon jemand' }
  },
  'no file': {
    to: ({ path }) => path('/data/imports'),
    typed: { kind: 'rewards', file: '' },
    wrong: 'file',
    says: { en: 'Choose a file.', de: 'Wählen Sie eine Datei' }
  },
  'a present password': {
    to: ({ path }) => path('/me'),
    typed: {},
    secret: { current: 'not this one', password: 'tea with lemon', repeated: 'tea with lemon' },
    wrong: 'current',
    says: { en: 'The present password is not right', de: 'Das jetzige Passwort' }
  },
  'a password typed twice': {
    to: ({ welcome }) => welcome,
    typed: { name: 'Νίκος' },
    secret: { password: 'tea with lemon', repeated: 'tea with milk' },
    wrong: 'repeated',
    says: { en: 'The two passwords differ', de: 'Die beiden Passwörter' }
  },
  'signing in': {
    to: ({ path }) => path('/sign-in'),
    typed: { name: 'Ana', to: '' },
    secret: { password: 'not this one' },
    wrong: 'password',
    says: { en: 'Name or password is not right', de: 'Name oder Passwort' }
  }
}

/** The element with an id, with its attributes. */
const elementOf = (page: string, id: string): string =>
  new RegExp(`<(?:input|select|p)[^>]*\\sid="${id}"[^>]*>`).exec(page)?.[0] ?? ''

it.each(Object.entries(WRONG))(
  'says what is wrong with %s where it was typed, also after a reload and in another language',
  async (_what, { to, typed, secret = {}, wrong, says }) => {
    const office = await openFull()
    const browser = await office.signedIn('owner')
    const answer = await browser.post(to(office), { ...typed, ...secret })
    const location = locationOf(answer) ?? ''
    expect([answer.status, location.includes('kept=')]).toEqual([303, true])
    for (const [query, sentence] of [
      ['', says.en],
      ['', says.en],
      ['&lang=de', says.de]
    ] as const) {
      const answered = await browser.get(location + query)
      const page = await answered.text()
      expect([answered.status, page]).toEqual([200, expect.stringContaining(sentence)])
      for (const [field, text] of Object.entries(typed)) {
        const control = elementOf(page, field)
        if (control.startsWith('<input') && !control.includes('type="file"'))
          expect(control).toContain(`value="${text}"`)
      }
      for (const text of Object.values(secret)) expect(page).not.toContain(text)
      if (wrong === null) expect(page).toMatch(/<p class="fault" role="alert" tabindex="-1" autofocus/)
      else {
        expect(elementOf(page, wrong)).toMatch(
          new RegExp(`aria-describedby="${wrong}-fault[^"]*" aria-invalid="true" autofocus`)
        )
        expect(page).toMatch(new RegExp(`<p class="fault" id="${wrong}-fault"\\s*>`))
      }
      expect(page.match(/autofocus/g)).toHaveLength(1)
    }
    expect(JSON.stringify(await office.shop.database.read('SELECT * FROM kept_forms'))).not.toMatch(
      /Ζωή|Goodwill|not this one|tea with/
    )
  }
)

it.each(
  Object.entries(WRONG).filter(([, { typed, wrong }]) => wrong !== null && Object.keys(typed).length > 0)
)(
  'has what was typed into the form of %s in the language that is chosen before it is sent',
  async (_what, { to, typed }) => {
    const office = await openFull()
    const browser = await office.signedIn('owner')
    const before = await office.shop.database.read('SELECT * FROM entries')
    const shown = await browser.submit(to(office), { ...typed, language: 'de' })
    const page = await shown.text()
    expect(shown.headers.get('content-language')).toBe('de')
    expect(page).not.toContain('aria-invalid="true"')
    for (const [field, text] of Object.entries(typed)) {
      const control = elementOf(page, field)
      if (control.startsWith('<input') && !control.includes('type="file"'))
        expect(control).toContain(`value="${text}"`)
    }
    expect(await office.shop.database.read('SELECT * FROM entries')).toEqual(before)
  }
)

it('answers every form by a page that is loaded by its address', async () => {
  const office = await openFull()
  const { routes, signedIn } = office
  const forms = routes().filter(({ method, path }) => method === 'POST' && /^\/(manage|welcome)/.test(path))
  expect(forms.length).toBeGreaterThan(25)
  for (const { path } of forms) {
    const values: Readonly<Record<string, string>> = {
      ...{
        business: office.business,
        customer: office.customer,
        reward: office.reward,
        member: office.member
      },
      ...{
        code: await office.shop.issue(5),
        till: 'till_2',
        import: 'imp_x',
        refused: 'x',
        pattern: 'x',
        name: 'x',
        secret: 'x'
      }
    }
    const browser = await signedIn('owner')
    const answer = await browser.post(path.replaceAll(/:(\w+)/g, (_all, name: string) => values[name] ?? ''))
    expect([path, answer.status]).toEqual([path, 303])
  }
})

const links: readonly (readonly [string, (office: Office) => string, RegExp])[] = [
  ['a pairing code', ({ path }) => path('/tills'), /[B-Z]{4}-[B-Z]{4}/],
  ['the link of a new colleague', ({ path }) => path('/staff'), /\/welcome\/[\w-]{43}/],
  ['the link of a colleague', ({ path, member }) => path(`/staff/${member}/link`), /\/welcome\/[\w-]{43}/]
]

it.each(links)(
  'shows %s again after a reload, in the browser that asked for it alone',
  async (_what, to, shown) => {
    const office = await openFull()
    const [browser, other] = [await office.signedIn('owner'), await office.signedIn('owner')]
    const location = locationOf(await browser.post(to(office), { name: 'Zoe', role: 'staff' })) ?? ''
    const secretIn = async (from: Visitor) =>
      shown.exec(await textOf(await from.follow(await from.get(location))))?.[0]
    const first = await secretIn(browser)
    expect([await secretIn(browser), await secretIn(other)]).toEqual([first, undefined])
    expect(first).toBeDefined()
    const kept = await office.shop.database.read('SELECT * FROM kept_forms')
    expect(JSON.stringify(kept)).not.toContain(String(first).slice(-8))
    office.shop.now = new Date(office.shop.now.getTime() + 30 * 60_000)
    expect(await secretIn(browser)).toBeUndefined()
  }
)

it('says to a browser without cookies that it cannot be signed in, and not to another', async () => {
  const { visitor, path, welcome } = await openFull()
  const sentence = 'This browser keeps no cookies'
  const right = { name: 'Ana', password: PASSWORD }
  const without = visitor({ keepsCookies: false })
  const page = await without.submit(path('/sign-in'), right)
  expect(await textOf(page)).toContain(sentence)
  expect(await textOf(await visitor().submit(path('/sign-in'), right))).not.toContain(sentence)
  const chosen = { name: 'Nikos', password: 'tea with lemon', repeated: 'tea with lemon' }
  expect(await textOf(await without.submit(welcome, chosen))).toContain(sentence)
  // A browser that was closed and opens its pages again.
  const back = visitor()
  await back.post(path('/sign-in'), right)
  back.setCookie(path('').replace('/manage/', 'staff-'), '')
  expect(await textOf(await back.follow(await back.get(path('/today?done=signed-in'))))).not.toContain(
    sentence
  )
})

it('names every button of a page by what it acts on', async () => {
  const office = await openFull()
  const browser = await office.signedIn('owner')
  const { customer } = office
  for (const below of [
    `/customers/${customer}`,
    '/rewards',
    '/tills',
    '/staff',
    `/staff/${office.member}`,
    '/codes',
    '/data'
  ]) {
    const page = (await (await browser.get(office.path(below))).text()).replaceAll(
      /<footer>.*<\/footer>/gs,
      ''
    )
    const names = Array.from(
      page.matchAll(/<(button|a)\b([^>]*)>(.*?)<\/\1>/gs),
      ([, tag = '', attributes = '', content = '']) => {
        if (tag === 'a' && !attributes.includes('class="button')) return null
        const label = /aria-label="([^"]*)"/.exec(attributes)?.[1]
        return (
          label ??
          content
            .replaceAll(/<[^>]*>/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim()
        )
      }
    ).filter((name) => name !== null)
    expect([below, names]).toEqual([below, [...new Set(names)]])
  }
})

it('has letters in sizes that follow the browser’s own', () => {
  expect(MANAGE_STYLE.css.match(/font(-size)?:[^;]*\dpx/g)).toBeNull()
})

it('opens the keys for digits where digits are typed', async () => {
  const office = await openFull()
  const browser = await office.signedIn('owner')
  for (const [below, field] of [
    [`/customers/${office.customer}/link`, 'digits'],
    ['/rewards', 'cost'],
    ['/profile', 'codeDays']
  ] as const) {
    expect(elementOf(await (await browser.get(office.path(below))).text(), field)).toContain(
      'inputmode="numeric"'
    )
  }
  const correct = await (await browser.get(office.path(`/customers/${office.customer}/correct`))).text()
  expect(elementOf(correct, 'phone')).toContain('type="tel"')
})
