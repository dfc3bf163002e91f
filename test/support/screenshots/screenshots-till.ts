import type { Page } from 'playwright-core'
import { shopRule, slips, standing } from './sample-data.ts'
import { choose, find, points, press, print } from './steps.ts'
import type { Screenshot } from './screenshot.ts'

const rule = { pointsPerUnit: '10', rounding: 'down', minimum: '5', currency: 'EUR' } as const
const bill = (page: Page, text: string) => page.getByRole('textbox', { name: 'Amount' }).fill(text)

/** Rewards with names of the length that a card has to shorten. */
const longRewards = [300, 500].map((cost, index) => ({
  id: `long-${String(index)}`,
  name: `Παραδοσιακό πρωινό για ${index === 0 ? 'δύο' : 'τέσσερα'} άτομα με χειροποίητη μαρμελάδα και φρέσκο χυμό`,
  cost,
  index,
  isEnable: true
}))

const linkedBill = {
  amount: { value: '12.50', currency: 'EUR' },
  points: null,
  reference: 'R-1042',
  phone: '+30 690 123 4567'
}
const receiveBill = (page: Page) => page.evaluate(() => void dispatchEvent(new Event('bill')))

/** Bills of another program. */
const BILL_LINK_SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'till-bill-link',
    case: { bill: linkedBill, settings: { pointsRule: rule } },
    steps: receiveBill
  },
  {
    name: 'till-bill-link-no-rule',
    case: { bill: linkedBill },
    steps: receiveBill
  },
  {
    name: 'till-bill-link-nobody',
    case: { bill: { ...linkedBill, phone: '+30 690 000 9999' }, settings: { pointsRule: rule } },
    steps: receiveBill
  },
  {
    name: 'till-bill-link-question',
    case: { bill: linkedBill, settings: { pointsRule: rule } },
    steps: async (page) => {
      await choose(page, 'Eleni')
      await points(page, '200')
      await receiveBill(page)
    }
  },
  {
    name: 'till-bill-link-issued',
    case: { bill: linkedBill, ...(slips[0] && { billIssued: slips[0] }), settings: { pointsRule: rule } },
    steps: receiveBill
  },
  {
    name: 'till-bill-link-refused',
    case: { state: { notices: [{ kind: 'bill-link-refused', fault: 'other-currency' }] } }
  }
]

/** What a balance buys, in each state of the card. */
const AFFORDABLE_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'till-rewards-some', steps: (page) => choose(page, 'Eleni') },
  { name: 'till-rewards-none-yet', steps: (page) => choose(page, 'Søren') },
  { name: 'till-rewards-all', steps: (page) => choose(page, 'Nikolaos') },
  {
    name: 'till-rewards-unknown',
    case: { catalogue: { complete: false, failure: { kind: 'service-down', status: 503 } } },
    steps: (page) => choose(page, 'Eleni')
  },
  {
    name: 'till-rewards-long',
    case: { catalogue: { rewards: longRewards } },
    steps: (page) => choose(page, 'Eleni')
  },
  {
    name: 'till-rewards-points',
    steps: async (page) => {
      await choose(page, 'Eleni')
      await points(page, '200')
    }
  },
  {
    name: 'till-rewards-pad',
    case: { settings: { numberPad: 'shown' } },
    steps: async (page) => {
      await choose(page, 'Eleni')
      await points(page, '200')
    }
  }
]

/** Customers who were here before. */
const LAST_VISIT_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'till-last-visit', steps: (page) => choose(page, 'Nikos') },
  { name: 'till-last-visit-points', steps: (page) => choose(page, 'ليلى') },
  { name: 'till-last-visit-long', steps: (page) => choose(page, 'Nikolaos') },
  {
    name: 'till-last-visit-pad',
    case: { settings: { numberPad: 'shown' } },
    steps: (page) => choose(page, 'Nikolaos')
  },
  {
    name: 'till-last-visit-opened',
    small: true,
    steps: async (page) => {
      await choose(page, 'Nikolaos')
      await page.getByRole('region', { name: 'Customer' }).getByRole('button').first().click()
    }
  }
]

/** The quick keys of the points. */
const QUICK_KEYS_SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'till-quick-keys-pressed',
    steps: async (page) => {
      await choose(page, 'Eleni')
      await page.keyboard.press('Alt+2')
      await page.keyboard.press('Alt+1')
    }
  },
  {
    name: 'till-quick-keys-maximum',
    steps: async (page) => {
      await points(page, '9999990')
      await page.keyboard.press('Alt+2')
    }
  },
  {
    name: 'till-quick-keys-long',
    case: { settings: { quickPoints: [1250, 5000, 9999], numberPad: 'shown' } },
    steps: (page) => points(page, '12500')
  },
  { name: 'till-quick-keys-none', case: { empty: true, settings: { quickPoints: [] } } }
]

/** A customer display with touch, on which the customer types the phone. */
const register = async (page: Page) => {
  await find(page, 'Ioanna Vasileiou')
  await press(page, 'Register customer')
}
const letType = async (page: Page) => {
  await register(page)
  await press(page, 'Let the customer type it')
}
const touch = { customerDisplayOpen: true, customerDisplayTouch: true }
const REGISTER_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'till-register-touch', case: { state: touch }, steps: register },
  {
    name: 'till-register-typing',
    case: { state: touch, typedPhone: { text: '+30 690 12', end: null } },
    steps: letType
  },
  {
    name: 'till-register-typed',
    case: { state: touch, typedPhone: { text: '+30 690 123 4567', end: 'done' } },
    steps: letType
  },
  {
    name: 'till-pad-register-timed-out',
    case: {
      state: touch,
      settings: { numberPad: 'shown' },
      typedPhone: { text: '+30 690 12', end: 'timed-out' }
    },
    steps: letType
  }
]

/** The counter, where printing, copies and bills come in. */
export const TILL_SCREENSHOTS: readonly Screenshot[] = [
  ...AFFORDABLE_SCREENSHOTS,
  ...BILL_LINK_SCREENSHOTS,
  ...LAST_VISIT_SCREENSHOTS,
  ...QUICK_KEYS_SCREENSHOTS,
  {
    name: 'till-bill',
    case: { settings: { pointsRule: rule } },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await bill(page, '12,50')
    }
  },
  {
    name: 'till-bill-factors',
    case: { state: { shopRule } },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await bill(page, '45.20')
    }
  },
  {
    name: 'till-level',
    case: { state: { shopRule }, standing },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await bill(page, '45.20')
    }
  },
  {
    name: 'till-level-offline',
    case: { state: { shopRule, offlineSince: '2026-11-21T11:52:00.000Z' }, standing, remembered: true },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await bill(page, '45.20')
    }
  },
  {
    name: 'till-bill-capped',
    case: { state: { shopRule: { ...shopRule, maximum: 500 } } },
    steps: (page) => bill(page, '1280')
  },
  {
    name: 'till-bill-below',
    case: { settings: { pointsRule: rule } },
    steps: (page) => bill(page, '3.20')
  },
  {
    name: 'till-bill-wrong',
    case: { settings: { pointsRule: rule } },
    steps: (page) => bill(page, '1.250')
  },
  {
    name: 'till-copies',
    case: {
      settings: { copies: 2, printer: { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' } }
    },
    steps: async (page) => {
      await choose(page, 'Ana')
      await points(page, '75')
    }
  },
  {
    name: 'till-printing',
    case: { issue: 'printing' },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await points(page, '250')
      await print(page)
    }
  },
  {
    name: 'till-trouble-next',
    case: { issue: 'print-failed' },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await points(page, '250')
      await print(page)
      await choose(page, 'Eleni')
      await points(page, '40')
    }
  },
  {
    name: 'till-copy-failed',
    case: { issue: 'copy-failed' },
    steps: async (page) => {
      await points(page, '250')
      await print(page)
    }
  },
  {
    name: 'till-show',
    case: { state: { customerDisplayOpen: true }, settings: { deliveryMethod: 'show' } },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await points(page, '250')
    }
  },
  {
    name: 'till-shown',
    case: { state: { customerDisplayOpen: true }, settings: { deliveryMethod: 'show' } },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await points(page, '250')
      await press(page, 'Show code')
    }
  },
  {
    name: 'till-show-both',
    case: { state: { customerDisplayOpen: true }, settings: { deliveryMethod: 'both' } },
    steps: async (page) => {
      await choose(page, 'Ana')
      await points(page, '75')
    }
  },
  {
    name: 'till-show-no-display',
    case: { settings: { deliveryMethod: 'show' } },
    steps: (page) => points(page, '75')
  },
  ...REGISTER_SCREENSHOTS,
  { name: 'till-reprinted', steps: (page) => page.keyboard.press('F9') },
  {
    name: 'till-reprint-failed',
    case: { paper: { kind: 'not-printed', fault: 'printer-offline', mayStillPrint: false } },
    steps: (page) => press(page, 'Reprint last slip')
  },
  { name: 'till-reprint-none', case: { empty: true }, steps: (page) => press(page, 'Save last slip again') },
  { name: 'till-recent', case: { served: 7 } },
  { name: 'till-recent-restarted', case: { served: 7, restarted: true } },
  { name: 'till-pad', case: { served: 7, settings: { numberPad: 'shown' } } },
  {
    name: 'till-pad-points',
    case: { served: 7, settings: { numberPad: 'shown' } },
    steps: async (page) => {
      await choose(page, 'Nikolaos')
      await points(page, '9999999')
    }
  },
  {
    name: 'till-pad-results',
    case: { settings: { numberPad: 'shown' } },
    steps: (page) => find(page, 'ni')
  },
  {
    name: 'till-pad-register',
    case: { settings: { numberPad: 'shown' } },
    steps: async (page) => {
      await find(page, '+30 690 999 0000')
      await press(page, 'Register customer')
    }
  },
  {
    name: 'till-pad-failed',
    case: { issue: 'print-failed', settings: { numberPad: 'shown' } },
    steps: async (page) => {
      await choose(page, 'Nikolaos')
      await points(page, '250')
      await print(page)
    }
  },
  { name: 'till-phone-results', steps: (page) => find(page, '690') },
  {
    name: 'till-left-behind',
    case: { batch: { state: 'stopped', reason: { kind: 'offline' } } },
    steps: (page) => find(page, '')
  }
]
