/** What the monkey can do, how often, and when. */
import type { Page } from '@playwright/test'
import type { TillSettings } from '../../electron/contract/settings.ts'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { Scanner } from '../e2e/page-objects/input-devices.ts'
import { SCREEN_MESSAGES, type ScreenMessages } from '../e2e/page-objects/locales.ts'
import { changeSettings, stateOf } from '../e2e/support/bridge.ts'
import type { Fault } from '../support/faulty-network.ts'
import { networkPrinter } from '../support/network-printer.ts'
import type { ReceiptPrinterBehaviour } from '../support/receipt-printer/index.ts'
import type { Dice } from './dice.ts'
import type { Control, Screen } from './page-probe.ts'
import { DISPLAYS, PIN, TOKENS, type World } from './world.ts'

/** What an action knows and can use. */
export interface Situation {
  readonly world: World
  readonly screen: Screen
  readonly dice: Dice
}

interface Action {
  /** how often, relative to the others */
  readonly weight: number
  /** whether it is possible now; default: always */
  readonly when?: (situation: Situation) => boolean
  /** Does it. Resolves with what exactly was done, for the log. */
  readonly run: (situation: Situation) => Promise<string>
}

const PHONES = KNOWN_CUSTOMERS.map(({ phone }) => phone)
const NAMES = ['Maria', 'Οικ', 'zoé', 'a', 'Nobody Knows', '李', 'محمد']
const POINTS = ['1', '7', '25', '120', '1500', '9999999', '10000000', '0', '1.5', 'abc', '-3']
const TEXTS = ['12', 'x', 'Ελλάδα', 'عربي', '<b>&amp;', 'a long text '.repeat(12)]

const KEYS = [
  ...['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Enter', 'Enter', 'Escape', 'Space', 'Backspace', 'Delete'],
  ...['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageDown', 'PageUp'],
  ...['F1', 'F2', 'F3', 'F4', 'F6', 'F7', 'F8', 'F9', 'F12'],
  ...['Alt+1', 'Alt+3', 'Alt+4', 'Numpad5', 'NumpadDecimal', 'Digit1', 'KeyA', 'Control+KeyA', 'Shift+F9']
]

const SIZES = ['800x480', '800x600', '1024x768', '1280x800', '1366x768']

const FAULTS: Readonly<Record<string, readonly [fault: Fault, method: string, times: number]>> = {
  'loses the answer to the next write': ['lose-answer', 'POST', 1],
  'loses the next write': ['lose-request', 'POST', 1],
  'loses the next three reads': ['lose-request', 'GET', 3],
  'cuts the next answer': ['half-body', '', 1],
  'answers the next write with 500': [{ answer: { status: 500 } }, 'POST', 1],
  'answers the next two reads with 503': [{ answer: { status: 503 } }, 'GET', 2],
  'answers the next write with 429': [{ answer: { status: 429, headers: { 'retry-after': '1' } } }, 'POST', 1]
}

const PRINTER_FAULTS: Readonly<Record<string, ReceiptPrinterBehaviour>> = {
  'is out of paper': { paper: 'out' },
  'has its cover open': { cover: 'open' },
  'runs out of paper during the next slip': {
    changesAfterBytes: [{ bytes: 2_000, state: { paper: 'out' } }]
  }
}

const settingsOf = ({ printer }: World): Readonly<Record<string, Partial<TillSettings>>> => ({
  English: { language: 'en' },
  Arabic: { language: 'ar' },
  'German slips': { slipLanguage: 'de' },
  light: { theme: 'light' },
  dark: { theme: 'dark' },
  'high contrast': { contrast: 'more' },
  'number pad shown': { numberPad: 'shown' },
  'number pad hidden': { numberPad: 'hidden' },
  'folder, 80 mm': { printer: { destination: { kind: 'folder' }, paperSize: '80mm' } },
  'folder, A6': { printer: { destination: { kind: 'folder' }, paperSize: 'A6' } },
  'receipt printer, 58 mm': {
    printer: { destination: networkPrinter(printer, { code: 'native-qr' }), paperSize: '58mm' }
  },
  'receipt printer, 80 mm': {
    printer: { destination: networkPrinter(printer, { code: 'native-qr' }), paperSize: '80mm' }
  },
  'two copies': { copies: 2 },
  'one copy': { copies: 1 },
  'points by bill': {
    pointsRule: { pointsPerUnit: '2', rounding: 'down', minimum: '0', currency: 'EUR' }
  },
  'points typed': { pointsRule: null },
  'customer stays': { clearCustomer: false },
  'customer is cleared': { clearCustomer: true },
  'customer display shown': { customerDisplay: { shown: true, screenId: null }, deliveryMethod: 'both' },
  'code shown only': { customerDisplay: { shown: true, screenId: null }, deliveryMethod: 'show' },
  'customer display hidden': { customerDisplay: { shown: false, screenId: null }, deliveryMethod: 'print' }
})

const nameOf = ({ name }: Control): string => name

const isFree = ({ screen }: Situation): boolean => screen.hasShell && screen.dialogs.length === 0
const fieldsOf = (screen: Screen): readonly Control[] => screen.controls.filter(({ kind }) => kind === 'text')
const isAskedForPin = ({ screen }: Situation): boolean =>
  screen.dialogs.length > 0 &&
  screen.controls.some(({ type, besideAddress }) => type === 'password' && !besideAddress)

/** What somebody might type into a field. */
function textFor({ type, besideAddress }: Control, { dice, world }: Situation): string {
  if (besideAddress) return dice.pick('token', TOKENS)
  if (type === 'password') return PIN
  if (type === 'url') return dice.chance('address', 0.8) ? world.network.url : 'http://127.0.0.1:9/api'
  if (type === 'date') return ''
  const pools = [PHONES, NAMES, POINTS, POINTS, TEXTS]
  const pool = pools[Math.floor(dice.number('pool') * pools.length)] ?? POINTS
  return dice.pick('text', pool)
}

async function typeInto(field: Control, text: string, page: Page): Promise<void> {
  await page.mouse.click(field.x, field.y)
  await page.keyboard.press('Control+KeyA')
  if (text === '') await page.keyboard.press('Delete')
  else await page.keyboard.insertText(text)
}

async function tap(page: Page, { x, y }: Control): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

/** Presses the first button with a label, if it is there. Resolves with whether it was. */
async function pressNamed({ page }: World, label: (words: ScreenMessages) => string): Promise<boolean> {
  const { language } = await stateOf(page)
  const button = page.getByRole('button', { name: label(SCREEN_MESSAGES[language]), disabled: false }).first()
  // Without waiting: another action may have covered it.
  const box = (await button.count()) > 0 ? await button.boundingBox() : null
  if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  return box !== null
}

async function findCustomer(phone: string, page: Page): Promise<void> {
  await page.keyboard.press('F2')
  await page.keyboard.press('Control+KeyA')
  await page.keyboard.insertText(phone)
  await page.keyboard.press('Enter')
}

/** The actions by name. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  click: {
    weight: 30,
    when: ({ screen }) => screen.controls.length > 0,
    async run({ screen, dice, world: { page } }) {
      const control = dice.pick('control', screen.controls, nameOf)
      const clickCount = control.isPrimary && dice.chance('double', 0.25) ? 2 : 1
      await page.mouse.click(control.x, control.y, { clickCount })
      return `${control.name}${clickCount === 2 ? ', twice' : ''}`
    }
  },
  tap: {
    weight: 14,
    when: ({ screen }) => screen.controls.length > 0,
    async run({ screen, dice, world: { page } }) {
      const control = dice.pick('control', screen.controls, nameOf)
      await tap(page, control)
      return control.name
    }
  },
  select: {
    weight: 3,
    when: ({ screen }) => screen.controls.some(({ kind }) => kind === 'select'),
    async run({ screen, dice, world: { page } }) {
      const lists = screen.controls.filter(({ kind }) => kind === 'select')
      const list = dice.pick('list', lists, nameOf)
      const chosen = await page.evaluate(
        ([x, y, share]) => {
          const select = document.elementFromPoint(x, y)?.closest('select')
          if (!select) return 'nothing'
          select.focus()
          select.selectedIndex = Math.floor(share * select.options.length)
          select.dispatchEvent(new Event('change', { bubbles: true }))
          return select.selectedOptions[0]?.text ?? ''
        },
        [list.x, list.y, dice.number('option')] as const
      )
      return `${list.name}: ${chosen}`
    }
  },
  'click beside the controls': {
    weight: 2,
    async run({ dice, world: { page } }) {
      const { width, height } = page.viewportSize() ?? { width: 800, height: 480 }
      const at = [Math.floor(dice.number('x') * width), Math.floor(dice.number('y') * height)] as const
      await page.mouse.click(...at)
      return at.join(', ')
    }
  },
  scroll: {
    weight: 2,
    async run({ dice, world: { page } }) {
      const down = Math.floor(dice.number('down') * 1_600) - 600
      await page.mouse.wheel(0, down)
      return String(down)
    }
  },
  press: {
    weight: 24,
    async run({ dice, world: { page } }) {
      const keys = KEYS.map((key, index) => ({ key, index }))
      const { key } = dice.pick('key', keys, ({ index }) => String(index))
      await page.keyboard.press(key)
      return key
    }
  },
  type: {
    weight: 12,
    when: ({ screen }) => fieldsOf(screen).length > 0,
    async run(situation) {
      const { screen, dice, world } = situation
      const field = dice.pick('field', fieldsOf(screen), nameOf)
      const text = textFor(field, situation)
      await typeInto(field, text, world.page)
      if (dice.chance('enter', 0.4)) await world.page.keyboard.press('Enter')
      return `${field.name}: ${text.slice(0, 20)}`
    }
  },
  scan: {
    weight: 5,
    async run({ dice, world }) {
      const codes = world.slipRows().flatMap(({ code }) => code ?? [])
      const code = codes.at(Math.floor(dice.number('code') * codes.length))
      const texts = [dice.pick('phone', PHONES), '4006381333931', 'tel:+306941234567', code ?? 'NO-CODE-YET']
      const index = Math.floor(dice.number('text') * texts.length)
      await new Scanner(world.page).scan(texts[index] ?? '')
      return ['a phone', 'an article', 'a tel: address', 'a code'][index] ?? ''
    }
  },
  serve: {
    weight: 12,
    when: isFree,
    async run({ dice, world: { page } }) {
      const points = String(1 + Math.floor(dice.number('points') * 300))
      await page.keyboard.press('F4')
      await page.keyboard.insertText(points)
      await page.keyboard.press('Enter')
      return `${points} points`
    }
  },
  'find a customer': {
    weight: 7,
    when: isFree,
    async run({ dice, world: { page } }) {
      const phone = dice.pick('phone', PHONES)
      await findCustomer(phone, page)
      return phone
    }
  },
  redeem: {
    weight: 3,
    when: isFree,
    async run({ world }) {
      // The customers with points.
      await findCustomer(PHONES[0] ?? '', world.page)
      await world.settle()
      return (await pressNamed(world, (words) => words.redeem())) ? '' : 'not offered'
    }
  },
  'start a batch': {
    weight: 2,
    when: isFree,
    async run({ dice, world }) {
      const { page } = world
      const [points, count] = [dice.pick('points', ['5', '50']), dice.pick('count', ['2', '7', '30'])]
      await page.keyboard.press('F7')
      await world.settle()
      if (!(await pressNamed(world, (words) => words.issueMany()))) return 'not offered'
      const form = await world.settle()
      const [each, number] = form.controls.filter(({ type }) => type === 'text')
      if (!each || !number) return 'no form'
      await typeInto(each, points, page)
      await typeInto(number, count, page)
      await page.keyboard.press('Enter')
      await world.settle()
      // The confirmation has the focus.
      await page.keyboard.press('Enter')
      return `${count} of ${points} points`
    }
  },
  'enter a PIN': {
    weight: 60,
    when: isAskedForPin,
    async run({ screen, dice, world: { page } }) {
      const field = screen.controls.find(({ type }) => type === 'password')
      // A wrong one only where none is set.
      const pin = screen.isLocked && dice.chance('wrong', 0.15) ? '1357' : PIN
      if (field) await typeInto(field, pin, page)
      await page.keyboard.press('Enter')
      return pin === PIN ? 'the right one' : 'a wrong one'
    }
  },
  'leave the dialog by keyboard': {
    weight: 25,
    when: ({ screen }) => screen.dialogs.length > 0 && !screen.isLocked,
    async run({ screen, world }) {
      await world.page.keyboard.press('Escape')
      const after = await world.settle()
      // A dialog of a write that waits for its answer is left when the answer has come.
      if (after.dialogs.length >= screen.dialogs.length && world.isHealthy)
        throw new Error(`Escape does not close the dialog “${screen.dialogs.at(-1) ?? ''}”`)
      return screen.dialogs.at(-1) ?? ''
    }
  },
  connect: {
    weight: 60,
    when: ({ screen }) => !screen.hasShell && screen.controls.some(({ type }) => type === 'url'),
    async run({ screen, dice, world }) {
      const address = screen.controls.find(({ type }) => type === 'url')
      const token = screen.controls.find(({ besideAddress }) => besideAddress)
      const chosen = dice.pick('token', TOKENS)
      if (address) await typeInto(address, world.network.url, world.page)
      if (token) await typeInto(token, chosen, world.page)
      await world.page.keyboard.press('Enter')
      return chosen
    }
  },
  'change settings': {
    weight: 5,
    when: ({ screen }) => screen.hasShell && !screen.isLocked,
    async run({ dice, world }) {
      const settings = settingsOf(world)
      const name = dice.pick('settings', Object.keys(settings))
      await changeSettings(world.page, settings[name] ?? {})
      return name
    }
  },
  'set up staff': {
    weight: 1.5,
    when: ({ screen }) => screen.hasShell && !screen.isLocked,
    async run({ dice, world: { page } }) {
      const name = dice.pick('name', ['Anna', 'Ben'])
      await page.evaluate(
        async ([cashier, pin, manager]) => {
          await window.tillpoints?.staff.addCashier({ name: cashier, pin })
          if (manager) await window.tillpoints?.staff.setManagerPin({ current: null, pin })
        },
        [name, PIN, dice.chance('manager', 0.5)] as const
      )
      return name
    }
  },
  resize: {
    weight: 3,
    async run({ dice, world: { page } }) {
      const size = dice.pick('size', SIZES)
      const [width = 800, height = 480] = size.split('x').map(Number)
      await page.setViewportSize({ width, height })
      return size
    }
  },
  'reload the page': {
    weight: 1.5,
    async run({ world: { page } }) {
      await page.reload()
      return ''
    }
  },
  'connect displays': {
    weight: 1,
    async run({ dice, world }) {
      const count = dice.chance('two', 0.6) ? 'two' : 'one'
      await world.setDisplays(count)
      return DISPLAYS[count]
    }
  },
  'the service': {
    weight: 3,
    when: ({ world }) => world.isHealthy,
    run({ dice, world }) {
      const name = dice.pick('fault', Object.keys(FAULTS))
      const [fault, method, times] = FAULTS[name] ?? ['pass', '', 0]
      world.fail(fault, method, times)
      return Promise.resolve(name)
    }
  },
  'the service is gone or slow': {
    weight: 1.5,
    when: ({ world }) => world.isHealthy,
    async run({ dice, world }) {
      if (dice.chance('slow', 0.5)) {
        world.holdAnswers()
        return 'slow'
      }
      await world.unplug()
      return 'gone'
    }
  },
  'the service comes back': {
    weight: 10,
    when: ({ world }) => !world.isHealthy,
    async run({ world }) {
      await world.recover()
      return ''
    }
  },
  'the printer': {
    weight: 3,
    run({ dice, world }) {
      const faults = Object.keys(PRINTER_FAULTS)
      const name = dice.chance('ready', 0.6) ? 'is ready' : dice.pick('fault', faults)
      world.behavePrinter(PRINTER_FAULTS[name] ?? {})
      return Promise.resolve(name)
    }
  }
}

/** Chooses an action for a screen. */
export function chooseAction(situation: Situation): string {
  const possible = Object.entries(ACTIONS).filter(([, { when }]) => when?.(situation) ?? true)
  return situation.dice.pick(
    'action',
    possible,
    ([name]) => name,
    ([, { weight }]) => weight
  )[0]
}
