/** *Earning rules* in every state, for screenshots. */
import { FIRST_RULES, type EarningRules } from '../../../electron/contract/earning-rules.ts'
import { newCode, systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { CodeStore } from '../../../electron/service/store/codes.ts'
import { RulesStore } from '../../../electron/service/store/rules.ts'
import type { Shop } from '../service-shop.ts'
import { daysAgo, fillToday, join, offerRewards, open, plain } from './manage-scenes.ts'
import type { ServiceScene, ServiceScreenshot } from './service-runner.ts'
import { LEVELS_RULES, setLevels } from './standing-scenes.ts'

const RULES: EarningRules = {
  ...FIRST_RULES,
  ...{ pointsPerUnit: '1', rounding: 'down', minimum: '2.5', currency: 'EUR', maximum: 5000 },
  groups: [
    { name: 'Καπνικά και εφημερίδες', factor: '0' },
    { name: 'Βιβλία', factor: '2.5' }
  ],
  bonusTimes: [
    {
      ...{ name: 'Τρίτη απόγευμα', factor: '2', weekdays: [2], from: '17:00', to: '19:00' },
      ...{ firstDay: null, lastDay: null }
    },
    {
      ...{ name: 'Χριστουγεννιάτικες νύχτες', factor: '1.5', weekdays: [1, 2, 3, 4, 5, 6, 7] },
      ...{ from: '20:00', to: '02:00', firstDay: '2026-12-01', lastDay: '2026-12-24' }
    }
  ]
}

/** Rules that were set, switched off and set again. */
const setRules = async (shop: Shop): Promise<void> => {
  const store = new RulesStore(shop.database)
  const by = `staff:${(await join(shop, 'Ελένη', 'owner')).id}`
  for (const [index, rules] of [FIRST_RULES, null, RULES].entries()) {
    await daysAgo(shop, 60 - 20 * index, () =>
      store.save(shop.business, { rules, request: String(index), at: shop.now.toISOString(), by })
    )
  }
}

/** Bills of a month, a slip without one, and rewards for the points that customers have. */
const addBills = async (shop: Shop): Promise<void> => {
  await setRules(shop)
  await offerRewards(shop)
  await fillToday(shop)
  const codes = new CodeStore(shop.database)
  for (let day = 1; day < 20; day += 1) {
    await daysAgo(shop, day, async () => {
      const at = shop.now.toISOString()
      const bill = JSON.stringify({ amount: `${String(9 * day)}.20` })
      const code = { code: newCode(systemRandomBytes), points: 9 * day, image: false, rules: 3, bill }
      await codes.add(shop.business, { ...code, createdAt: at, updatedAt: at, expiresAt: at })
    })
  }
}

/** Customers with points, in each level. */
const addBuyers = async (shop: Shop): Promise<void> => {
  await setLevels(shop, { ...LEVELS_RULES, expiry: null })
  for (const [index, points] of [1250, 100, 99].entries())
    await shop.credit(await shop.register(`+30690123456${String(index)}`), points)
}

/** Presses the button of the form with this text's place: the first one is *Preview*, the last one saves. */
const press = ({ page }: ServiceScene, which: 'first' | 'last'): Promise<void> =>
  page.locator('#typed button')[which]().click()

export const RULES_SCREENSHOTS: readonly ServiceScreenshot[] = [
  plain('rules-empty', '/rules'),
  plain('rules', '/rules?done=saved', setRules),
  {
    name: 'manage-rules-preview',
    steps: async (scene) => {
      await addBills(scene.shop)
      await open(scene, '/rules')
      await scene.page.locator('#rate').fill('1.5')
      await press(scene, 'first')
      await scene.page.locator('dl.figures').waitFor()
    }
  },
  {
    name: 'manage-rules-no-day',
    steps: async (scene) => {
      await setRules(scene.shop)
      await open(scene, '/rules')
      const { page } = scene
      await page.locator('#bonus-3-name').fill('Κυριακή')
      await page.locator('#bonus-3-factor').fill('2')
      await press(scene, 'last')
      await page.locator('#bonus-3-days-fault').waitFor()
    }
  },
  plain('rules-levels', '/rules', setLevels),
  {
    name: 'manage-rules-wrong-level',
    steps: async (scene) => {
      await setLevels(scene.shop)
      await open(scene, '/rules')
      await scene.page.locator('#level-2-points').fill('100')
      await press(scene, 'last')
      await scene.page.locator('#level-2-points-fault').waitFor()
    }
  },
  {
    name: 'manage-rules-asked',
    steps: async (scene) => {
      await addBuyers(scene.shop)
      await open(scene, '/rules')
      for (const part of ['name', 'points', 'factor']) await scene.page.locator(`#level-2-${part}`).fill('')
      await scene.page.locator('#months').fill('6')
      await press(scene, 'last')
      await scene.page.locator('.asked').waitFor()
    }
  },
  {
    name: 'manage-rules-changed',
    steps: async (scene) => {
      await setRules(scene.shop)
      await open(scene, '/rules')
      await setLevels(scene.shop)
      await scene.page.locator('#maximum').fill('500')
      await press(scene, 'last')
      await scene.page.locator('.asked').waitFor()
    }
  },
  {
    name: 'manage-rules-off-asked',
    steps: async (scene) => {
      await addBuyers(scene.shop)
      await open(scene, '/rules')
      await scene.page.locator('form[action$="/off"] button').click()
      await scene.page.locator('.asked').waitFor()
    }
  },
  {
    name: 'manage-rules-wrong-factor',
    steps: async (scene) => {
      await setRules(scene.shop)
      await open(scene, '/rules')
      const { page } = scene
      await page.locator('#group-3-name').fill('Ποτά')
      await page.locator('#group-3-factor').fill('viel')
      await press(scene, 'last')
      await page.locator('#group-3-factor-fault').waitFor()
    }
  }
]
