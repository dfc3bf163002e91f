import type { Page } from 'playwright-core'
import { shopRule } from './sample-data.ts'
import { go, press } from './steps.ts'
import type { Screenshot } from './screenshot.ts'
import { DEFAULT_RECEIPT_OPTIONS, DEFAULT_SERIAL_OPTIONS } from '../../../electron/contract/printing.ts'
import { networkPrinter } from '../network-printer.ts'

async function settings(page: Page, part: string): Promise<void> {
  await go(page, 'Settings')
  await page.getByRole('tab', { name: part }).click()
}

const network = {
  printer: {
    destination: networkPrinter({ host: '192.168.1.50', port: 9100 }),
    paperSize: '58mm'
  }
} as const

const serial = {
  printer: {
    destination: {
      kind: 'receipt-printer',
      connection: { kind: 'serial', path: '/dev/ttyUSB0', ...DEFAULT_SERIAL_OPTIONS },
      ...DEFAULT_RECEIPT_OPTIONS
    },
    paperSize: '80mm'
  }
} as const

const find = async (page: Page): Promise<void> => {
  await settings(page, 'Printer')
  await press(page, 'Find printers')
}

/** The settings of printer, slip and points. */
export const PRINTER_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'settings-printer', steps: (page) => settings(page, 'Printer') },
  {
    name: 'settings-printer-none',
    case: {
      empty: true,
      settings: { printer: { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' } }
    },
    steps: (page) => settings(page, 'Printer')
  },
  { name: 'settings-network', case: { settings: network }, steps: (page) => settings(page, 'Printer') },
  {
    name: 'settings-network-wrong',
    steps: async (page) => {
      await settings(page, 'Printer')
      await page.getByRole('radio', { name: 'Receipt printer', exact: true }).click()
      await press(page, 'Use this printer')
    }
  },
  {
    name: 'settings-serial',
    case: { settings: serial },
    steps: async (page) => {
      await settings(page, 'Printer')
      await page.getByRole('heading', { name: 'Receipt printer options' }).scrollIntoViewIfNeeded()
    }
  },
  { name: 'find-printers', case: { settings: network }, steps: find },
  { name: 'find-printers-none', case: { empty: true }, steps: find },
  {
    name: 'find-printers-tested',
    steps: async (page) => {
      await find(page)
      await page
        .getByRole('listitem', { name: 'EPSON' })
        .getByRole('button', { name: 'Print test page' })
        .click()
    }
  },
  {
    name: 'find-printers-failed',
    case: { paper: { kind: 'not-printed', fault: 'printer-offline', mayStillPrint: false } },
    steps: async (page) => {
      await find(page)
      await page
        .getByRole('listitem', { name: 'EPSON' })
        .getByRole('button', { name: 'Print test page' })
        .click()
    }
  },
  { name: 'moved-printer', case: { settings: network, moved: true }, steps: () => Promise.resolve() },
  {
    name: 'settings-display',
    case: {
      state: { customerDisplayOpen: true },
      settings: { customerDisplay: { shown: true, screenId: null }, deliveryMethod: 'both' }
    },
    steps: (page) => settings(page, 'Customer display')
  },
  {
    name: 'settings-display-none',
    case: { screens: [], settings: { deliveryMethod: 'show' } },
    steps: (page) => settings(page, 'Customer display')
  },
  {
    name: 'settings-test-page',
    steps: async (page) => {
      await settings(page, 'Printer')
      await press(page, 'Save test page')
    }
  },
  {
    name: 'settings-test-failed',
    case: { paper: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: true } },
    steps: async (page) => {
      await settings(page, 'Printer')
      await press(page, 'Print test page')
    }
  },
  { name: 'settings-slip', steps: (page) => settings(page, 'Slip') },
  {
    name: 'settings-slip-missing',
    steps: async (page) => {
      await settings(page, 'Slip')
      await page.getByRole('textbox', { name: 'Footer' }).fill('Open daily 𐀀𐀁')
      await page.getByText('58 mm roll').click()
    }
  },
  {
    name: 'settings-slip-a4',
    steps: async (page) => {
      await settings(page, 'Slip')
      await page.getByText('A4 sheet').click()
    }
  },
  {
    name: 'settings-quick-keys',
    steps: async (page) => {
      await settings(page, 'Calculate points')
      await page.getByRole('region', { name: 'Quick keys' }).getByRole('textbox').nth(1).fill('10.5')
      await page.getByRole('region', { name: 'Quick keys' }).getByRole('button', { name: 'Save' }).click()
    }
  },
  { name: 'settings-points', steps: (page) => settings(page, 'Calculate points') },
  {
    name: 'settings-shop-rules',
    case: { state: { shopRule, pointsExpiry: { months: 12, since: 'earned', onSlips: true } } },
    steps: (page) => settings(page, 'Calculate points')
  },
  {
    name: 'settings-points-on',
    steps: async (page) => {
      await settings(page, 'Calculate points')
      await page.getByRole('checkbox').click()
      await page.getByRole('textbox', { name: 'Points per currency unit' }).fill('2,5')
    }
  }
]
