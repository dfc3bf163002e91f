/** How the monkey presses and types, and what. */
import type { Page } from '@playwright/test'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import { SCREEN_MESSAGES, type ScreenMessages } from '../e2e/page-objects/locales.ts'
import { stateOf } from '../e2e/support/bridge.ts'
import type { Situation } from './actions.ts'
import type { Control } from './page-probe.ts'
import { PIN, TOKENS, type World } from './world.ts'

export const PHONES: readonly string[] = KNOWN_CUSTOMERS.map(({ phone }) => phone)
const NAMES = ['Maria', 'Οικ', 'zoé', 'a', 'Nobody Knows', '李', 'محمد']
const POINTS = ['1', '7', '25', '120', '1500', '9999999', '10000000', '0', '1.5', 'abc', '-3']
const TEXTS = ['12', 'x', 'Ελλάδα', 'عربي', '<b>&amp;', 'a long text '.repeat(12)]
const POOLS = [PHONES, NAMES, POINTS, POINTS, TEXTS]

export const KEYS: readonly string[] = [
  ...['Tab', 'Shift+Tab', 'Enter', 'Escape', 'Space', 'Backspace', 'Delete', 'Home', 'End', 'PageDown'],
  ...['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Numpad5', 'NumpadDecimal', 'Digit1', 'KeyA'],
  ...['F1', 'F2', 'F3', 'F4', 'F6', 'F7', 'F8', 'F9', 'F12', 'Alt+1', 'Alt+4', 'Control+KeyA', 'Shift+F9']
]

/** Returns what a person might type into a field. No PIN but one, so that none is set that the monkey does not know. */
export function textFor({ type, besideAddress }: Control, { dice, world }: Situation): string {
  if (besideAddress) return dice.pick('token', TOKENS)
  if (type === 'password') return PIN
  if (type === 'url') return dice.chance('address', 0.8) ? world.network.url : 'http://127.0.0.1:9/api'
  if (type === 'date') return ''
  return dice.pick('text', POOLS[Math.floor(dice.number('pool') * POOLS.length)] ?? POINTS)
}

/** Replaces what is in the focused field. */
async function retype(text: string, { keyboard }: Page): Promise<void> {
  await keyboard.press('Control+KeyA')
  if (text === '') await keyboard.press('Delete')
  else await keyboard.insertText(text)
}

export async function typeInto({ x, y }: Control, text: string, page: Page): Promise<void> {
  await page.mouse.click(x, y)
  await retype(text, page)
}

export async function tap({ x, y }: Control, page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

/** Chooses an option. Its list is of the system, where no key or press of the driver reaches. */
export const selectAt = ({ x, y }: Control, share: number, page: Page): Promise<string> =>
  page.evaluate(
    ([left, top, at]) => {
      const select = document.elementFromPoint(left, top)?.closest('select')
      if (!select) return 'nothing'
      select.focus()
      select.selectedIndex = Math.floor(at * select.options.length)
      select.dispatchEvent(new Event('change', { bubbles: true }))
      return select.selectedOptions[0]?.text ?? ''
    },
    [x, y, share] as const
  )

/** Presses the first button with a label. Resolves with whether it is there. */
export async function pressNamed(
  { page }: World,
  label: (words: ScreenMessages) => string
): Promise<boolean> {
  const { language } = await stateOf(page)
  const name = label(SCREEN_MESSAGES[language])
  const button = page.getByRole('button', { name, exact: true, disabled: false }).first()
  // Without waiting for it.
  const box = (await button.count()) > 0 ? await button.boundingBox() : null
  if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  return box !== null
}

export async function findCustomer(phone: string, page: Page): Promise<void> {
  await page.keyboard.press('F2')
  await retype(phone, page)
  await page.keyboard.press('Enter')
}
