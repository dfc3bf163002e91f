import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Standing } from '../../../../electron/contract/earning-rules.ts'
import { ok, type Result } from '../../../../electron/contract/failure.ts'
import PointsField from '../../../../renderer/src/screens/till/PointsField.svelte'
import TillNumberPad from '../../../../renderer/src/screens/till/TillNumberPad.svelte'
import { setLocale } from '../../../../renderer/src/i18n/locale.svelte.ts'
import { deleteBackward, insertText } from '../../../../renderer/src/shortcuts/focus.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { ownRule, type EarningRule } from '../../../../electron/contract/points-calculation.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, customer, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

let businessContext: BusinessContext
let field: HTMLInputElement

beforeEach(async () => {
  await setLocale({ language: 'en', slipLanguage: 'en', country: 'GB' })
  // Any request would be an unexpected call.
  const app = createAppContext(bridgeWith({}), window)
  app.till.accept(tillState())
  businessContext = new BusinessContext(app)
  const contexts = { app, businessContext }
  render(WithAppContext, {
    props: {
      ...contexts,
      component: PointsField as never,
      props: { rule: null, padShown: true, hintShown: true }
    }
  })
  render(WithAppContext, { props: { ...contexts, component: TillNumberPad as never } })
  await flushPromises()
  field = screen.getByRole('textbox', { name: 'Points' })
  field.focus()
})

/** Types at the caret, key by key. */
const type = async (text: string): Promise<void> => {
  for (const character of text) insertText(field, character)
  await tick()
}
const paste = (text: string): Promise<void> => {
  insertText(field, text)
  return tick()
}
/** Deletes the character behind the caret, as the Delete key does. */
const deleteForward = (): void => {
  const caret = field.selectionStart ?? 0
  field.setRangeText('', caret, caret + 1, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'deleteContentForward' }))
}
const press = (name: string | RegExp): Promise<boolean> =>
  fireEvent.click(screen.getByRole('button', { name }))
const tapDigits = async (digits: string): Promise<void> => {
  for (const digit of digits) await press(digit)
}
/** The caret as a bar in the text. */
const withCaret = (): string => {
  const caret = field.selectionStart ?? 0
  return `${field.value.slice(0, caret)}|${field.value.slice(caret)}`
}

describe('points above what one code can carry stay, are said to be too many and are not printed', () => {
  test.each([
    ['typed', '10,000,000', () => type('10000000')],
    ['pasted', '123,456,789', () => paste('123456789')],
    ['tapped', '99,999,999', () => tapDigits('99999999')],
    [
      'added by a quick key',
      '10,000,090',
      async () => {
        await type('9999990')
        await press(/^\+100/u)
      }
    ]
  ])('%s', async (_way, shown, enter) => {
    await enter()
    expect(field.value).toBe(shown)
    expect(screen.getByRole('alert').textContent).toContain('at most 9,999,999')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await businessContext.checkout.print()
    expect(field.value).toBe(shown)

    deleteBackward(field)
    await tick()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(field.getAttribute('aria-invalid')).toBeNull()
  })
})

test('twelve digits are kept, and no more', async () => {
  await type('12345678901234')
  expect(field.value).toBe('123,456,789,012')
})

describe('points are grouped while they are typed', () => {
  test('by touch too, which leaves the focus in the field', async () => {
    await tapDigits('1250')
    expect(withCaret()).toBe('1,250|')
    await press(/^\+100/u)
    expect(field.value).toBe('1,350')
    expect(document.activeElement).toBe(field)
    expect(businessContext.checkout.form.points).toBe('1350')
  })

  test('and the caret stays behind the same digit', async () => {
    await type('1250')
    field.setSelectionRange(1, 1)
    await type('9')
    expect(withCaret()).toBe('19|,250')
    field.setSelectionRange(4, 4)
    await type('8')
    expect(withCaret()).toBe('192,8|50')
    deleteBackward(field)
    deleteBackward(field)
    expect(withCaret()).toBe('1,9|50')
  })

  test('and the separator is in the way of no deletion', async () => {
    await type('1250')
    field.setSelectionRange(2, 2)
    deleteBackward(field)
    expect(withCaret()).toBe('1|,250')
    deleteForward()
    expect(withCaret()).toBe('1,|250')
    deleteForward()
    expect(withCaret()).toBe('1|50')
  })

  test('in the digits of any keyboard', async () => {
    await type('١٢٥٠')
    expect(field.value).toBe('1,250')
  })
})

describe('the shop’s rules', () => {
  const shopRule: EarningRule = {
    ...ownRule({ pointsPerUnit: '1', rounding: 'down', minimum: '0', currency: 'EUR' }),
    version: 4,
    factors: [{ name: 'Tuesday', factor: '2' }]
  }

  test.each([
    [{}, '45.20', '€45.20 × 1, Tuesday × 2 = 90 points', '90'],
    [{ factors: [] }, '45.20', '€45.20 × 1 = 45 points', '45'],
    [{ maximum: 500 }, '1280', '€1,280.00 × 1, Tuesday × 2: 500 points, the most for a bill', '500']
  ])('%o explain a bill in one line', async (change, amount, line, points) => {
    cleanup()
    const rule = { ...shopRule, ...change }
    const app = createAppContext(bridgeWith({}), window)
    app.till.accept(tillState({ shopRule: rule }))
    const ofShop = new BusinessContext(app)
    const props = { rule, padShown: false, hintShown: true }
    render(WithAppContext, {
      props: { app, businessContext: ofShop, component: PointsField as never, props }
    })
    await fireEvent.input(screen.getByRole('textbox', { name: 'Amount' }), { target: { value: amount } })
    expect(
      document
        .getElementById('bill-outcome')
        ?.textContent.trim()
        .replaceAll(/[\u2068\u2069]/g, '')
    ).toBe(line)
    expect(ofShop.checkout.form.points).toBe(points)
  })
})

test('a level of the customer is in the line of the calculation, and another calculation is said aloud', async () => {
  cleanup()
  const rule: EarningRule = {
    ...ownRule({ pointsPerUnit: '1', rounding: 'down', minimum: '0', currency: 'EUR' }),
    version: 4,
    factors: [{ name: 'Tuesday', factor: '2' }],
    levels: [{ name: 'Gold', factor: '1.5' }]
  }
  const standing = Promise.withResolvers<Result<Standing>>()
  const app = createAppContext(bridgeWith({ customers: { standing: () => standing.promise } }), window)
  app.till.accept(tillState({ shopRule: rule }))
  const ofShop = new BusinessContext(app)
  const props = { rule, padShown: false, hintShown: true }
  render(WithAppContext, {
    props: { app, businessContext: ofShop, component: PointsField as never, props }
  })
  const line = () =>
    document
      .getElementById('bill-outcome')
      ?.textContent.trim()
      .replaceAll(/[\u2068\u2069]/g, '')
  ofShop.checkout.choose(customer('maria'))
  await fireEvent.input(screen.getByRole('textbox', { name: 'Amount' }), { target: { value: '45.20' } })
  expect(line()).toBe('€45.20 × 1, Tuesday × 2 = 90 points')
  standing.resolve(ok({ level: { name: 'Gold', factor: '1.5' }, next: null, ending: null }))
  await vi.waitFor(() => expect(line()).toBe('€45.20 × 1, Tuesday × 2, Gold × 1.5 = 135 points'))
  await vi.waitFor(() => expect(app.announcer.sentences.at(-1)?.text).toContain('135'))
})

describe('a separator that the cashier types', () => {
  test.each([
    ['en', '1,250'],
    ['en', '1250,50'],
    ['de', '1.250'],
    ['de', '1250.5'],
    ['fr', '12,5']
  ] as const)('in %s, %s, stays and is refused', async (language, text) => {
    await setLocale({ language, slipLanguage: 'en', country: 'GR' })
    await type(text)
    expect(businessContext.checkout.form.parsedPoints).toBeNull()
    expect(field.value).toBe(text)
  })
})

test('a field that a scan restores has its points again', async () => {
  await type('1250')
  await type('4AR')
  expect(field.value).toBe('12504AR')
  field.value = '1,250'
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'historyUndo' }))
  expect(businessContext.checkout.form.points).toBe('1250')
  expect(field.value).toBe('1,250')
})
