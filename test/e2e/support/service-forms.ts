/** The pages and forms of the service, for `service-forms.spec.ts`, which works each in every way a browser has. */
import * as v from 'valibot'
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { OfflineTill } from '../../support/offline-till.ts'
import type { ServiceScene } from '../../support/screenshots/service-runner.ts'

/** A page that a GET opens. */
export interface ServicePage {
  /** as the service has it */
  readonly route: string
  /** Prepares the shop and the browser. Returns where the page is. */
  readonly prepare: (scene: ServiceScene) => Promise<string>
}

/** A form of a page. */
export interface ServiceForm {
  readonly name: string
  /** as the service has it */
  readonly route: string
  /** Prepares the shop and the browser. Returns where the form's page is. */
  readonly prepare: (scene: ServiceScene) => Promise<string>
  /** selects the button */
  readonly button: string
  /** what is typed, by the names of the fields */
  readonly typed?: Readonly<Record<string, string>>
  /** what is typed and refused, by the names of the fields; the first one is wrong */
  readonly refused?: readonly Readonly<Record<string, string>>[]
  /** what the page says afterwards */
  readonly says: string
  /** what it says in a browser without cookies; null where the form's page needs them */
  readonly saysWithoutCookies: string | null
  /** Counts what the form changes. */
  readonly count: (scene: ServiceScene) => Promise<number>
  /** what is counted when it is done once */
  readonly done: number
}

const countRow = v.object({ count: v.number() })

const PHONE = '+30 690 123 4567'

/** Counts rows of the scene's shop. @param sql selects `count`, with the key of the business as `$1` */
export const counting =
  (sql: string): ServiceForm['count'] =>
  async ({ shop }) => {
    const [row] = await shop.database.read(`SELECT CAST(coalesce(${sql}, 0) AS BIGINT) AS count`, [
      shop.business
    ])
    return v.parse(countRow, row).count
  }

const POINTS = counting('(SELECT sum(points) FROM entries WHERE business = $1)')
const CUSTOMERS = counting(
  '(SELECT count(*) FROM customers WHERE business = $1 AND erased_at IS NULL AND merged_into IS NULL)'
)
const DIGITS = counting('(SELECT count(*) FROM link_codes WHERE business = $1)')
const LINKED = counting('(SELECT count(*) FROM devices WHERE business = $1 AND customer IS NOT NULL)')

const devicesOf = ({ shop }: ServiceScene): DeviceStore =>
  new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes })

/** Adds a device that is linked to a customer, and returns its id and cookie. */
const addDevice = async (scene: ServiceScene, customer: string) => {
  const devices = devicesOf(scene)
  const device = devices.create(scene.shop.business)
  await devices.add(device)
  const digits = await devices.offerLink({ ...device, customer: null })
  await devices.link(scene.shop.business, customer, digits)
  return device
}

/** Makes the browser one that is linked to a customer, and returns the device with its customer. */
const beLinked = async (scene: ServiceScene) => {
  const { shop, business, page, visit } = scene
  const customer = await shop.register('+306901234567', 'Maria')
  const { id, cookie } = await addDevice(scene, customer)
  await visit('/')
  const url = new URL('/', page.url()).href
  await page.context().addCookies([{ name: `device-${business}`, value: cookie, url, httpOnly: true }])
  return { id, customer }
}

const codePath = async ({ shop }: ServiceScene): Promise<string> => `/q/${await shop.issue(250)}`
const accountPath = ({ business }: ServiceScene, below = ''): string => `/me/${business}${below}`

/** The customers' pages. */
export const CUSTOMER_PAGES: readonly ServicePage[] = [
  { route: '/', prepare: () => Promise.resolve('/') },
  { route: '/q', prepare: () => Promise.resolve('/q') },
  { route: '/q/:code', prepare: codePath },
  { route: '/me', prepare: () => Promise.resolve('/me') },
  { route: '/join', prepare: () => Promise.resolve('/join') },
  { route: '/join/:business', prepare: ({ business }) => Promise.resolve(`/join/${business}`) },
  { route: '/me/:business', prepare: (scene) => Promise.resolve(accountPath(scene)) },
  ...['', '/link', '/unlink', '/relink', '/birthday', '/delete', '/code'].map((below) => ({
    route: `/me/:business${below}`,
    prepare: async (scene: ServiceScene) => {
      await beLinked(scene)
      return accountPath(scene, below)
    }
  })),
  {
    route: '/me/:business/link',
    prepare: async (scene) => {
      await scene.visit(accountPath(scene))
      await scene.page.locator('main form button').click()
      await scene.page.locator('.digits').waitFor()
      return accountPath(scene, '/link')
    }
  }
]

/** What the customers' routes send that is no page. */
export const CUSTOMER_FILES: readonly string[] = [
  '/me/:business/data.json',
  '/me/:business/app.webmanifest',
  '/me/:business/icons/192.png',
  '/me/:business/icons/512.png',
  '/images/logos/:name{[0-9a-f]{32}\\.(?:png|jpg)}'
]

/** The customers' forms. */
export const CUSTOMER_FORMS: readonly ServiceForm[] = [
  {
    name: 'collect',
    route: '/q/:code',
    prepare: codePath,
    button: 'main form button',
    typed: { phone: PHONE, name: 'Zoe' },
    refused: [
      { phone: '12', name: 'Zoe' },
      { phone: '', name: 'Zoe' }
    ],
    says: 'They are saved under',
    saysWithoutCookies: 'open this address in your browser',
    count: POINTS,
    done: 250
  },
  {
    name: 'collect with a linked phone',
    route: '/q/:code',
    prepare: async (scene) => {
      await beLinked(scene)
      return codePath(scene)
    },
    button: 'main form button',
    says: 'They are in your account',
    saysWithoutCookies: null,
    count: POINTS,
    done: 250
  },
  {
    name: 'collect with another number',
    route: '/q/:code',
    prepare: async (scene) => {
      await beLinked(scene)
      return `${await codePath(scene)}?other=yes`
    },
    button: 'main form button',
    typed: { phone: '+30 690 765 4321', name: 'Zoe' },
    refused: [{ phone: '12', name: 'Zoe' }],
    says: 'They are saved under',
    saysWithoutCookies: null,
    count: CUSTOMERS,
    done: 2
  },
  {
    name: 'ask for a slip that is not taken',
    route: '/q/:code',
    prepare: async ({ shop }) => {
      const till = await OfflineTill.addTo(shop)
      await till.connect()
      return `/q/${till.make(5001, shop.now.toISOString().slice(0, 10))}`
    },
    button: 'main form button',
    says: 'The shop has been asked',
    saysWithoutCookies: 'The shop has been asked',
    count: counting('(SELECT count(*) FROM offline_refusals WHERE business = $1)'),
    done: 1
  },
  {
    name: 'join',
    route: '/join/:business',
    prepare: ({ business }) => Promise.resolve(`/join/${business}`),
    button: 'main form button',
    typed: { phone: PHONE, name: 'Zoe' },
    refused: [{ phone: '12', name: 'Zoe' }],
    says: 'You collect points with',
    saysWithoutCookies: 'open this address in your browser',
    count: CUSTOMERS,
    done: 1
  },
  {
    name: 'link',
    route: '/me/:business/link',
    prepare: (scene) => Promise.resolve(accountPath(scene)),
    button: 'main form button',
    says: 'Show these digits',
    saysWithoutCookies: 'Open this page in your browser',
    count: DIGITS,
    done: 1
  },
  {
    name: 'unlink this phone',
    route: '/me/:business/unlink',
    prepare: async (scene) => {
      const { id } = await beLinked(scene)
      return accountPath(scene, `/unlink?device=${id}`)
    },
    button: 'main form button',
    says: 'This device is no longer linked',
    saysWithoutCookies: null,
    count: LINKED,
    done: 0
  },
  {
    name: 'unlink another phone',
    route: '/me/:business/unlink',
    prepare: async (scene) => {
      const { customer } = await beLinked(scene)
      const { id } = await addDevice(scene, customer)
      return accountPath(scene, `/unlink?device=${id}`)
    },
    button: 'main form button',
    says: 'The other device is no longer linked',
    saysWithoutCookies: null,
    count: LINKED,
    done: 1
  },
  {
    name: 'take unlinking back',
    route: '/me/:business/relink',
    prepare: async (scene) => {
      const { id, customer } = await beLinked(scene)
      await devicesOf(scene).unlinkOwn(scene.shop.business, customer, id)
      return accountPath(scene)
    },
    button: 'main form[action*="relink"] button',
    says: 'Balance',
    saysWithoutCookies: null,
    count: LINKED,
    done: 1
  },
  {
    name: 'birthday',
    route: '/me/:business/birthday',
    prepare: async (scene) => {
      await scene.shop.saveRules({ birthdayPoints: 50 })
      await beLinked(scene)
      return accountPath(scene)
    },
    button: 'main form[action*="birthday"] button',
    typed: { day: '29', month: '2' },
    refused: [{ day: '31', month: '4' }],
    says: 'Your birthday is saved',
    saysWithoutCookies: null,
    count: counting("(SELECT count(*) FROM customers WHERE business = $1 AND birthday = '02-29')"),
    done: 1
  },
  {
    name: 'delete',
    route: '/me/:business/delete',
    prepare: async (scene) => {
      await beLinked(scene)
      return accountPath(scene, '/delete')
    },
    button: 'main form button',
    says: 'Your account is deleted',
    saysWithoutCookies: null,
    count: CUSTOMERS,
    done: 0
  }
]
