/** What the monkey can do, how often, and when. */
import type { TillSettings } from '../../electron/contract/settings.ts'
import { Scanner } from '../e2e/page-objects/input-devices.ts'
import { changeSettings } from '../e2e/support/bridge.ts'
import type { Fault } from '../support/faulty-network.ts'
import { networkPrinter } from '../support/network-printer.ts'
import type { ReceiptPrinterBehaviour } from '../support/receipt-printer/index.ts'
import type { Dice } from './dice.ts'
import { findCustomer, KEYS, PHONES, pressNamed, selectAt, tap, textFor, typeInto } from './input.ts'
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
  /** whether it is possible now */
  readonly when: (situation: Situation) => boolean
  /** Does it. Resolves with what exactly was done, for the log. */
  readonly run: (situation: Situation) => Promise<string>
}

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
  'runs out of paper during the next slip': { changesAfterBytes: [{ bytes: 2_000, state: { paper: 'out' } }] }
}

const settingsOf = ({ printer }: World): Readonly<Record<string, Partial<TillSettings>>> => {
  const destination = networkPrinter(printer, { code: 'native-qr' })
  return {
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
    'receipt printer, 58 mm': { printer: { destination, paperSize: '58mm' } },
    'receipt printer, 80 mm': { printer: { destination, paperSize: '80mm' } },
    'two copies': { copies: 2 },
    'one copy': { copies: 1 },
    'points by bill': {
      pointsRule: { pointsPerUnit: '2', rounding: 'down', minimum: '0', currency: 'EUR' }
    },
    'points typed': { pointsRule: null },
    'customer stays': { clearCustomer: false },
    'customer is cleared': { clearCustomer: true },
    'display and paper': { customerDisplay: { shown: true, screenId: null }, deliveryMethod: 'both' },
    'display only': { customerDisplay: { shown: true, screenId: null }, deliveryMethod: 'show' },
    'paper only': { customerDisplay: { shown: false, screenId: null }, deliveryMethod: 'print' }
  }
}

const nameOf = ({ name }: Control): string => name
const fieldsOf = ({ controls }: Screen): readonly Control[] => controls.filter(({ kind }) => kind === 'text')
const pinFieldOf = ({ controls }: Screen): Control | undefined =>
  controls.find(({ type, besideAddress }) => type === 'password' && !besideAddress)

const always = (): boolean => true
const hasControls = ({ screen }: Situation): boolean => screen.controls.length > 0
const isUnlocked = ({ screen }: Situation): boolean => screen.hasShell && !screen.isLocked
const isFree = ({ screen }: Situation): boolean => screen.hasShell && screen.dialogs.length === 0

/** The actions by name. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  click: {
    weight: 30,
    when: hasControls,
    async run({ screen, dice, world: { page } }) {
      const control = dice.pick('control', screen.controls, nameOf)
      const clickCount = control.isPrimary && dice.chance('double', 0.25) ? 2 : 1
      await page.mouse.click(control.x, control.y, { clickCount })
      return `${control.name}${clickCount === 2 ? ', twice' : ''}`
    }
  },
  tap: {
    weight: 14,
    when: hasControls,
    async run({ screen, dice, world: { page } }) {
      const control = dice.pick('control', screen.controls, nameOf)
      await tap(control, page)
      return control.name
    }
  },
  select: {
    weight: 3,
    when: ({ screen }) => screen.controls.some(({ kind }) => kind === 'select'),
    async run({ screen, dice, world: { page } }) {
      const lists = screen.controls.filter(({ kind }) => kind === 'select')
      const list = dice.pick('list', lists, nameOf)
      return `${list.name}: ${await selectAt(list, dice.number('option'), page)}`
    }
  },
  'click anywhere': {
    weight: 2,
    when: always,
    async run({ dice, world: { page } }) {
      const { width, height } = page.viewportSize() ?? { width: 800, height: 480 }
      const at = [Math.floor(dice.number('x') * width), Math.floor(dice.number('y') * height)] as const
      await page.mouse.click(...at)
      return at.join(', ')
    }
  },
  scroll: {
    weight: 2,
    when: always,
    async run({ dice, world: { page } }) {
      const down = Math.floor(dice.number('down') * 1_600) - 600
      await page.mouse.wheel(0, down)
      return String(down)
    }
  },
  press: {
    weight: 24,
    when: always,
    async run({ dice, world: { page } }) {
      const key = dice.pick('key', KEYS)
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
    when: always,
    async run({ dice, world }) {
      const codes = world.slipRows().flatMap(({ code }) => code ?? [])
      const what = dice.pick('what', ['a phone', 'an article', 'an address', 'a code'])
      const texts: Readonly<Record<string, string | undefined>> = {
        'a phone': dice.pick('phone', PHONES),
        'an article': '4006381333931',
        'an address': 'tel:+306941234567',
        'a code': codes[Math.floor(dice.number('code') * codes.length)]
      }
      await new Scanner(world.page).scan(texts[what] ?? 'NO-CODE-YET')
      return what
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
      // The customer with the most points.
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
      const [each, number] = fieldsOf(await world.settle()).filter(({ type }) => type === 'text')
      if (!each || !number) return 'no form'
      await typeInto(each, points, page)
      await typeInto(number, count, page)
      await page.keyboard.press('Enter')
      await world.settle()
      // The button of the confirmation has the focus.
      await page.keyboard.press('Enter')
      return `${count} of ${points} points`
    }
  },
  'enter a PIN': {
    weight: 60,
    when: ({ screen }) => screen.dialogs.length > 0 && pinFieldOf(screen) !== undefined,
    async run({ screen, dice, world: { page } }) {
      const field = pinFieldOf(screen)
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
      // The help of a word lies above its dialog, and is what Escape closes first.
      const hasHelp = await world.page.evaluate(() => document.querySelector(':popover-open') !== null)
      if (hasHelp) await world.page.keyboard.press('Escape')
      await world.page.keyboard.press('Escape')
      const after = await world.settle()
      const left = screen.dialogs.at(-1) ?? ''
      // A dialog may wait for the answer to a write. From a step of a dialog Escape leads back to the first one.
      const isLeft = after.dialogs.length < screen.dialogs.length || after.dialogs.at(-1) !== left
      if (!isLeft && world.isHealthy) throw new Error(`Escape does not close the dialog “${left}”`)
      return left
    }
  },
  connect: {
    weight: 60,
    when: ({ screen }) => !screen.hasShell && screen.controls.some(({ besideAddress }) => besideAddress),
    async run({ screen, dice, world: { page, network } }) {
      const address = screen.controls.find(({ type }) => type === 'url')
      const token = screen.controls.find(({ besideAddress }) => besideAddress)
      const chosen = dice.pick('token', TOKENS)
      if (address) await typeInto(address, network.url, page)
      if (token) await typeInto(token, chosen, page)
      await page.keyboard.press('Enter')
      return chosen
    }
  },
  'change the connection': {
    weight: 2,
    when: isFree,
    async run({ dice, world }) {
      await world.page.locator('nav a[href$="settings"]').click()
      const tab = (await world.settle()).controls.find(({ name }) => name.startsWith('tab'))
      if (tab) await world.page.mouse.click(tab.x, tab.y)
      await world.settle()
      const wish = dice.pick('wish', ['startTraining', 'leaveTraining', 'disconnect', 'reconnect'] as const)
      return (await pressNamed(world, (words) => words[wish]())) ? wish : `${wish}: not offered`
    }
  },
  'change settings': {
    weight: 5,
    when: isUnlocked,
    async run({ dice, world }) {
      const settings = settingsOf(world)
      const name = dice.pick('settings', Object.keys(settings))
      await changeSettings(world.page, settings[name] ?? {})
      return name
    }
  },
  'set up staff': {
    weight: 1.5,
    when: isUnlocked,
    async run({ dice, world: { page } }) {
      const name = dice.pick('name', ['Anna', 'Ben'])
      await page.evaluate(
        async ([cashier, pin, hasManager]) => {
          await window.tillpoints?.staff.addCashier({ name: cashier, pin })
          if (hasManager) await window.tillpoints?.staff.setManagerPin({ current: null, pin })
        },
        [name, PIN, dice.chance('manager', 0.5)] as const
      )
      return name
    }
  },
  resize: {
    weight: 3,
    when: always,
    async run({ dice, world: { page } }) {
      const size = dice.pick('size', SIZES)
      const [width = 800, height = 480] = size.split('x').map(Number)
      await page.setViewportSize({ width, height })
      return size
    }
  },
  'reload the page': {
    weight: 1.5,
    when: always,
    async run({ world: { page } }) {
      await page.reload()
      return ''
    }
  },
  'connect displays': {
    weight: 1,
    when: always,
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
      world.network.fail(fault, method, times)
      return Promise.resolve(name)
    }
  },
  'the service is gone or slow': {
    weight: 1.5,
    when: ({ world }) => world.isHealthy,
    async run({ dice, world }) {
      const isSlow = dice.chance('slow', 0.5)
      if (isSlow) world.holdAnswers()
      else await world.unplug()
      return isSlow ? 'slow' : 'gone'
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
    when: always,
    run({ dice, world }) {
      const name = dice.chance('ready', 0.6) ? 'is ready' : dice.pick('fault', Object.keys(PRINTER_FAULTS))
      world.behavePrinter(PRINTER_FAULTS[name] ?? {})
      return Promise.resolve(name)
    }
  }
}

/** Chooses an action for a screen. */
export function chooseAction(situation: Situation): string {
  const possible = Object.keys(ACTIONS).filter((name) => ACTIONS[name]?.when(situation))
  return situation.dice.pick('action', possible, String, (name) => ACTIONS[name]?.weight ?? 1)
}
