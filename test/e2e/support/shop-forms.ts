/** The forms of the shop's own pages, for `shop-forms.spec.ts`, which works each in every way a browser has. */
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { fullCustomer, join, open, staffOf } from '../../support/screenshots/manage-scenes.ts'
import type { ServiceScene } from '../../support/screenshots/service-runner.ts'
import { counting } from './service-forms.ts'

/** A form of the shop's pages. */
export interface ShopForm {
  /** as the service has it */
  readonly route: string
  /** the forms that are answered in the same way, which `sent-twice.test.ts` sends without a browser */
  readonly standsFor: readonly string[]
  /** Prepares the shop and opens the page of the form, signed in where it asks for it. */
  readonly open: (scene: ServiceScene) => Promise<void>
  /** what is typed, by the names of the fields */
  readonly typed?: Readonly<Record<string, string>>
  /** what is typed and not given back: secrets, and a second form of the page in another language */
  readonly typedLast?: Readonly<Record<string, string>>
  /** what the page says afterwards */
  readonly says: string
  /** Counts what the form changes. */
  readonly count: (scene: ServiceScene) => Promise<number>
  /** what is counted when it is done once */
  readonly done: number
}

export const PASSWORD = 'coffee with milk'
const CSV = 'Name,Phone,Points\nΆννα,+306901234560,250\nΧαρά,+306901234561,40\n'

/** A page of the owner's. @param prepare returns what the path has in place of `:id` */
const page =
  (below: string, prepare: (scene: ServiceScene) => Promise<string> = () => Promise.resolve('')) =>
  async (scene: ServiceScene): Promise<void> =>
    open(scene, below.replace(':id', await prepare(scene)))

const customer = ({ shop }: ServiceScene): Promise<string> => fullCustomer(shop)

/** A customer, and the digits that another phone shows. */
const TYPED_DIGITS = '012345'
const withDigits = async (scene: ServiceScene): Promise<string> => {
  const { shop } = scene
  const devices = new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })
  const device = devices.create(shop.business)
  await devices.add(device)
  await devices.offerLink({ ...device, customer: null })
  await shop.database.write('UPDATE link_codes SET digits = $2 WHERE device = $1', [device.id, TYPED_DIGITS])
  return customer(scene)
}

/** Reads a file, and opens its page. */
const preview = async (scene: ServiceScene): Promise<void> => {
  await open(scene, '/data')
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }
  await scene.page.locator('#file').setInputFiles(file)
  await scene.page.locator('main form[action$="/imports"] button').click()
  await scene.page.locator('dl.figures').waitFor()
}

const entries = (kind: string) =>
  counting(`(SELECT count(*) FROM entries WHERE business = $1 AND kind = '${kind}')`)
const inShop = (table: string, condition = 'TRUE') =>
  counting(`(SELECT count(*) FROM ${table} WHERE business = $1 AND ${condition})`)
const sessions = counting(
  '(SELECT count(DISTINCT member) FROM sessions WHERE member IN (SELECT id FROM staff_members WHERE business = $1))'
)

export const SHOP_FORMS: readonly ShopForm[] = [
  {
    route: '/manage/:business/sign-in',
    standsFor: [],
    open: async (scene) => {
      await join(scene.shop, 'Μαρία', 'owner')
      await scene.visit(`/manage/${scene.business}/sign-in`)
    },
    typed: { name: 'Μαρία' },
    typedLast: { password: PASSWORD },
    says: 'First steps',
    count: sessions,
    done: 1
  },
  {
    route: '/manage/:business/sign-out',
    standsFor: [],
    open: page('/today'),
    says: 'You are signed out.',
    count: sessions,
    done: 0
  },
  {
    route: '/welcome/:secret',
    standsFor: [],
    open: async (scene) => {
      const { id } = await staffOf(scene.shop).add(scene.shop.business, { name: 'Νίκος', role: 'owner' })
      await scene.visit(`/welcome/${await staffOf(scene.shop).offerLink(id)}`)
    },
    typed: { name: 'Νίκος Π.' },
    typedLast: { password: PASSWORD, repeated: PASSWORD },
    says: 'First steps',
    count: sessions,
    done: 1
  },
  {
    route: '/manage/:business/customers/:customer/adjust',
    standsFor: [
      '/manage/:business/customers/:customer/redeem',
      '/manage/:business/customers/:customer/reverse'
    ],
    open: page('/customers/:id', customer),
    typed: { points: '-5', reason: 'Goodwill' },
    says: 'The points are adjusted.',
    count: entries('adjusted'),
    done: 2
  },
  {
    route: '/manage/:business/customers/:customer/link',
    standsFor: ['/manage/:business/customers/:customer/unlink', '/manage/:business/profile/logo/remove'],
    open: page('/customers/:id/link', withDigits),
    typed: { digits: TYPED_DIGITS },
    says: 'The phone is linked.',
    count: inShop('devices', 'customer IS NOT NULL'),
    done: 2
  },
  {
    route: '/manage/:business/customers/:customer/correct',
    standsFor: [
      '/manage/:business/rewards/:reward',
      '/manage/:business/activity/:pattern/explain',
      '/manage/:business/tills/:till',
      '/manage/:business/offline',
      '/manage/:business/profile',
      '/manage/:business/profile/logo'
    ],
    open: page('/customers/:id/correct', customer),
    typed: { name: 'Άννα Γ.', phone: '+30 690 123 0000', email: 'anna@example.com' },
    says: 'The data are corrected.',
    count: inShop('customers', "name = 'Άννα Γ.' AND phone = '+306901230000'"),
    done: 1
  },
  {
    route: '/manage/:business/customers/:customer/erase',
    standsFor: [
      '/manage/:business/customers/:customer/merge',
      '/manage/:business/codes/:code/cancel',
      '/manage/:business/tills/:till/revoke',
      '/manage/:business/offline/tills/:till/stop',
      '/manage/:business/staff/:member/remove'
    ],
    open: page('/customers/:id/erase', customer),
    says: 'The customer is erased.',
    count: inShop('customers', 'erased_at IS NULL'),
    done: 0
  },
  {
    route: '/manage/:business/rewards',
    standsFor: [],
    open: page('/rewards'),
    typed: { name: 'Espresso', cost: '60' },
    says: 'The reward is added.',
    count: inShop('rewards'),
    done: 1
  },
  {
    route: '/manage/:business/rewards/:reward/down',
    standsFor: [
      '/manage/:business/rewards/:reward/up',
      '/manage/:business/rewards/:reward/enable',
      '/manage/:business/rewards/:reward/disable',
      '/manage/:business/offline/tills/:till/resume',
      '/manage/:business/offline/codes/:refused/allow',
      '/manage/:business/staff/:member/sign-out'
    ],
    open: page('/rewards', async ({ shop }) => {
      for (const index of [1, 2, 3]) await shop.offer(10 * index, index)
      return ''
    }),
    says: 'Saved.',
    count: inShop('rewards', 'position = 2 AND cost = 10'),
    done: 1
  },
  {
    route: '/manage/:business/rules',
    standsFor: ['/manage/:business/rules/preview', '/manage/:business/rules/off'],
    open: page('/rules'),
    typed: { rate: '2.5', minimum: '5', 'group-1-name': 'Βιβλία', 'group-1-factor': '0' },
    says: 'Version 1 is in use.',
    count: inShop('earning_rules'),
    done: 1
  },
  {
    route: '/manage/:business/staff',
    standsFor: ['/manage/:business/tills', '/manage/:business/staff/:member/link'],
    open: page('/staff'),
    typed: { name: 'Νίκος' },
    says: '/welcome/',
    count: inShop('staff_members', "name = 'Νίκος'"),
    done: 1
  },
  {
    route: '/manage/:business/data/imports/:import/start',
    standsFor: [
      '/manage/:business/data/imports',
      '/manage/:business/data/imports/:import/columns',
      '/manage/:business/data/imports/:import/stop',
      '/manage/:business/data/imports/:import/discard',
      '/manage/:business/data/backup',
      '/manage/:business/data/backup/cancel'
    ],
    open: preview,
    says: 'Import of customers',
    count: inShop('imports'),
    done: 1
  }
]
