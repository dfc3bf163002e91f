/** Every form of the shop and of its customers, by its route, and a shop with something of everything. */
import { onTestFinished } from 'vitest'
import type { Database } from '../../../electron/service/store/database.ts'
import { addUnusual, locationOf, openFull, PASSWORD } from './manage/shop-office.ts'
import type { Visitor } from './pages/visitor.ts'
import { addRefused } from '../../support/offline-till.ts'
import { createEmptyDatabase, Shop } from './store/shop.ts'

export type Office = Awaited<ReturnType<typeof openService>>

export interface Form {
  /** what is typed into its fields */
  readonly typed?: Readonly<Record<string, string>>
  /** what is typed and not kept */
  readonly secret?: Readonly<Record<string, string>>
  /** what attempts at it are counted by */
  readonly counted?: (office: Office, browser: Visitor) => readonly string[]
}

const ofAddress = ({ shop }: Office): readonly string[] => ['form', shop.address]
const PASSWORDS = { password: 'tea with lemon', repeated: 'tea with lemon' }
/** The phone and name of a person who is no customer of the shop. */
export const IDENTITY = { phone: '690 123 9876', name: 'Ζωή' }

/** What is typed of rules, with a row of each kind. */
const RULES = {
  ...{
    'level-1-name': 'Χρυσή',
    'level-1-points': '500',
    'level-1-factor': '1.5',
    welcome: '50',
    months: '12'
  },
  ...{ rate: '2', minimum: '5', currency: 'EUR', 'group-1-name': 'Καφές', 'group-1-factor': '0,5' },
  ...{ 'bonus-1-name': 'Goodwill', 'bonus-1-factor': '3', 'bonus-1-day2': '1', 'bonus-1-from': '17:00' }
}

/** What the forms hold and no address may. Shorter digits stand by chance in an address with random ids. */
export const TYPED = /690[ +]?123|Ζωή|Καφές|Goodwill/

/** Every form, by its route. */
export const FORMS: Readonly<Record<string, Form>> = {
  '/q/:code': {
    typed: IDENTITY,
    counted: ({ code }) => ['code', code, '']
  },
  '/join/:business': { typed: IDENTITY, counted: ofAddress },
  '/me/:business/link': { counted: ofAddress },
  '/me/:business/unlink': { counted: ofAddress },
  '/me/:business/relink': { counted: ofAddress },
  '/me/:business/delete': { counted: ofAddress },
  '/me/:business/birthday': { counted: ofAddress },
  '/welcome/:secret': { typed: { name: 'Νίκος' }, secret: PASSWORDS },
  '/manage/:business/sign-in': {
    typed: { name: 'Ana', to: '' },
    secret: { password: PASSWORD },
    counted: ({ business }) => ['sign-in', business, 'ana']
  },
  '/manage/:business/sign-out': {},
  '/manage/:business/me': {
    secret: { current: PASSWORD, ...PASSWORDS },
    counted: ({ business }, browser) => ['browser', browser.cookie(`staff-${business}`) ?? '']
  },
  '/manage/:business/customers/:customer/adjust': { typed: { points: '-5', reason: 'Goodwill' } },
  '/manage/:business/customers/:customer/redeem': {},
  '/manage/:business/customers/:customer/merge': {},
  '/manage/:business/customers/:customer/link': { typed: { digits: '123 456' } },
  '/manage/:business/customers/:customer/unlink': {},
  '/manage/:business/customers/:customer/erase': {},
  '/manage/:business/customers/:customer/correct': { typed: { ...IDENTITY, email: 'zoe@example.org' } },
  '/manage/:business/customers/:customer/reverse': { typed: { reason: 'Wrong bill' } },
  '/manage/:business/codes/:code/cancel': {},
  '/manage/:business/activity/:pattern/explain': { typed: { note: 'Goodwill' } },
  '/manage/:business/rewards': { typed: { name: 'Καφές', cost: '70' } },
  '/manage/:business/rewards/:reward': { typed: { name: 'Καφές', cost: '70' } },
  '/manage/:business/rewards/:reward/up': {},
  '/manage/:business/rewards/:reward/down': {},
  '/manage/:business/rewards/:reward/enable': {},
  '/manage/:business/rewards/:reward/disable': {},
  '/manage/:business/rules': { typed: RULES },
  '/manage/:business/rules/preview': { typed: RULES },
  '/manage/:business/rules/off': {},
  '/manage/:business/tills': { typed: { name: 'Till 3' } },
  '/manage/:business/tills/:till': { typed: { name: 'Till 3', branch: 'Αγορά' } },
  '/manage/:business/tills/:till/revoke': {},
  '/manage/:business/offline': { typed: { pointsOfCode: '300', pointsOfDay: '4000', days: '2' } },
  '/manage/:business/offline/tills/:till/stop': {},
  '/manage/:business/offline/tills/:till/resume': {},
  '/manage/:business/offline/codes/:refused/allow': {},
  '/manage/:business/profile': { typed: { name: 'Kafeneio', street: 'Ermou 7', codeDays: '20' } },
  '/manage/:business/profile/logo': {},
  '/manage/:business/profile/logo/remove': {},
  '/manage/:business/staff': { typed: { name: 'Eva' } },
  '/manage/:business/staff/:member/link': {},
  '/manage/:business/staff/:member/sign-out': {},
  '/manage/:business/staff/:member/remove': {},
  '/manage/:business/data/backup': {},
  '/manage/:business/data/backup/cancel': {},
  '/manage/:business/data/imports': { typed: {} },
  '/manage/:business/data/imports/:import/columns': {},
  '/manage/:business/data/imports/:import/start': {},
  '/manage/:business/data/imports/:import/stop': {},
  '/manage/:business/data/imports/:import/discard': {}
}

/** Opens a shop with something of everything, whose database fails when it is told to. */
export const openService = async () => {
  const created = await createEmptyDatabase()
  const database = await created.open()
  onTestFinished(async () => {
    await database.close()
    await created.remove()
  })
  const state: { error: Error | null } = { error: null }
  const failing = <Value>(work: () => Promise<Value>): Promise<Value> =>
    state.error === null ? work() : Promise.reject(state.error)
  const watched: Database = {
    dialect: database.dialect,
    read: (...statement) => failing(() => database.read(...statement)),
    write: (...statement) => failing(() => database.write(...statement)),
    transaction: (work) => failing(() => database.transaction(work)),
    deleteReplaced: () => database.deleteReplaced(),
    close: () => database.close()
  }
  const office = await openFull(await Shop.addTo(watched))
  const file = new FormData()
  file.set('kind', 'rewards')
  file.set('file', new File(['name,cost\nCoffee,5\n'], 'rewards.csv'))
  const owner = await office.signedIn('owner')
  const imported = locationOf(await owner.upload(office.path('/data/imports'), file)) ?? ''
  const code = await office.shop.issue(5)
  const pattern = await addUnusual(office.shop, 'till_1', office.customer)
  const values: Readonly<Record<string, string>> = {
    refused: await addRefused(office.shop, 'till_1'),
    ...{ business: office.business, customer: office.customer, reward: office.reward, code },
    ...{ member: office.member, till: 'till_2', secret: office.welcome.replace('/welcome/', '') },
    pattern,
    import: /imports\/([^?]+)/.exec(imported)?.[1] ?? ''
  }
  return {
    ...office,
    code,
    state,
    pathOf: (route: string) => route.replaceAll(/:(\w+)/g, (_all, name: string) => values[name] ?? ''),
    /** fields that the page has in its address, too */
    hidden: (route: string): Readonly<Record<string, string>> =>
      route.endsWith('/reverse') ? { entry: office.entry } : {},
    browser: (route: string, options?: { readonly keepsCookies: boolean }) =>
      route.startsWith('/manage') && !route.endsWith('/sign-in')
        ? office.signedIn('owner')
        : Promise.resolve(office.visitor(options))
  }
}
