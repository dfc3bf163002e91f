import { cleanup, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { ownRule } from '../../../../electron/contract/points-calculation.ts'
import type { Return, TakeBackRequest } from '../../../../electron/contract/returns.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import type { ReturnSubject } from '../../../../renderer/src/state/return-form.svelte.ts'
import { fakeReturn } from '../../../support/screenshots/fake-calls.ts'
import { bridgeWith, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

// Svelte's media queries need it, and jsdom has none.
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
const { default: ReturnDialog } = await import('../../../../renderer/src/components/ReturnDialog.svelte')

afterEach(cleanup)

const slipOf: ReturnSubject = {
  purchase: { by: 'code', code: 'AR7K' },
  customer: { id: 'maria', name: 'Maria' },
  given: 250,
  remaining: 150
}

/** Opens the dialog over a bridge whose answers the test gives. */
const open = async (subject: ReturnSubject = slipOf) => {
  // jsdom does not implement scrolling.
  Element.prototype.scrollIntoView = vi.fn()
  const requests: TakeBackRequest[] = []
  let answers: ((request: TakeBackRequest) => Result<Return>)[] = []
  const bridge = bridgeWith({
    returns: {
      take: (request) => {
        requests.push(request)
        return Promise.resolve(answers.shift()?.(request) ?? ok(fakeReturn(request)))
      }
    }
  })
  const app = createAppContext(bridge, window)
  let currency: string | null = null
  vi.spyOn(app.till, 'earningRule', 'get').mockImplementation(() =>
    currency === null ? null : ownRule({ pointsPerUnit: '1', rounding: 'down', minimum: '0', currency })
  )
  const businessContext = new BusinessContext(app)
  businessContext.openReturn(subject)
  const { returning: form } = businessContext
  if (form === null) throw new Error('No dialog is open')
  const stop = form.start()
  const onclose = vi.fn()
  render(WithAppContext, {
    props: { app, businessContext, component: ReturnDialog, props: { form, onclose } }
  })
  await flushPromises()
  return {
    bridge,
    requests,
    stop,
    onclose,
    setCurrency: (next: string) => {
      currency = next
    },
    answerWith: (...next: typeof answers) => {
      answers = next
    }
  }
}

const text = () =>
  screen
    .getByRole('alertdialog')
    .textContent.replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
const press = async (name: string) => {
  await userEvent.click(screen.getByRole('button', { name }))
  await flushPromises()
}

/** A browser submits the form of the field; user-event looks for its button inside the form alone. */
const pressEnter = async () => {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLInputElement)) throw new Error('No field has the focus')
  activeElement.form?.requestSubmit()
  await flushPromises()
}

test('Enter alone takes all that is left back, for the usual reason', async () => {
  const { requests } = await open()
  expect(text()).toMatch(/Given\s*250 points\s*Taken back before\s*100 points\s*Left\s*150 points/)

  // Where a browser puts the focus when the dialog opens.
  screen.getByRole('radio', { name: 'All' }).focus()
  await pressEnter()

  expect(requests).toEqual([
    {
      intentId: expect.any(String) as string,
      purchase: { by: 'code', code: 'AR7K' },
      // The service knows the rest, also after a return at another till.
      part: { rest: true },
      customer: { id: 'maria', name: 'Maria' },
      atMost: 150,
      reason: 'Goods returned'
    }
  ])
  expect(text()).toContain('Taken back: 150 points')
})

test.each([
  ['EUR', '1.250', '2500'],
  ['EUR', '12.50', '45.200'],
  ['JPY', '12.5', '100']
])(
  'an amount in %s that can be read in two ways is not sent: %s of %s',
  async (currency, returned, total) => {
    const { requests, setCurrency } = await open()
    setCurrency(currency)
    await userEvent.click(screen.getByRole('radio', { name: 'By amount' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Amount of the goods' }), returned)
    await userEvent.type(screen.getByRole('textbox', { name: /whole bill/ }), total)
    await press('Take points back')
    expect(requests).toEqual([])
    expect(text()).toContain('This is not a valid amount.')
    setCurrency('KWD')
    await press('Take points back')
    expect(requests).toMatchObject([{ part: { amount: { returned, total } } }])
  }
)

test('points are typed, and the slip is worth the rest', async () => {
  const { requests } = await open()
  await userEvent.click(screen.getByRole('radio', { name: 'By points' }))
  await press('Take points back')
  expect(requests).toEqual([])
  expect(screen.getByRole('alert')).toBeTruthy()

  await userEvent.type(screen.getByRole('textbox', { name: 'Points' }), '100')
  await pressEnter()

  expect(requests).toMatchObject([{ part: { points: 100 } }])
  expect(text()).toContain('The slip is now worth 50 points')
  expect(text()).toMatch(/Given\s*150 points\s*Left\s*50 points/)
})

test('goods go back by their amount, in the digits of the shop', async () => {
  const { requests } = await open()
  await userEvent.click(screen.getByRole('radio', { name: 'By amount' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Amount of the goods' }), '50')
  await userEvent.type(screen.getByRole('textbox', { name: 'Amount of the whole bill' }), '45,20')
  await press('Take points back')
  expect(requests).toEqual([])

  await userEvent.clear(screen.getByRole('textbox', { name: 'Amount of the goods' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Amount of the goods' }), '12,50')
  await press('Take points back')

  expect(requests).toMatchObject([{ part: { amount: { returned: '12.50', total: '45.20' } } }])
})

test('all of a bill that this till does not know is asked as the rest', async () => {
  const purchase = { by: 'reference', reference: 'R-1041' } as const
  const { requests } = await open({ purchase, customer: null, given: null, remaining: null })
  expect(text()).toContain('R-1041')
  await press('Take points back')
  expect(requests).toMatchObject([{ purchase, part: { rest: true }, atMost: null }])
  // What the service knows of it.
  expect(text()).toMatch(/Given\s*250 points\s*Taken back before\s*150 points\s*Left\s*0 points/)
})

test('a refusal says how many points are left, and the next press is a new return', async () => {
  const { requests, answerWith } = await open()
  answerWith(() => err({ kind: 'operation-refused', reason: 'return-too-much', remaining: 20 }))
  await press('Take points back')
  expect(text()).toContain('Only 20 points of this purchase are left. Nothing was taken.')

  await press('Take points back')
  expect(new Set(requests.map(({ intentId }) => intentId)).size).toBe(2)
})

test('a balance below zero is said in words', async () => {
  await open()
  const reason = screen.getByRole('textbox', { name: 'Reason' })
  await userEvent.clear(reason)
  await userEvent.type(reason, 'Spent')
  await pressEnter()
  expect(text()).toContain('Owes 40 points: the next points fill this.')
})

test('a lost answer is not called taken back until it comes', async () => {
  const { bridge, requests, answerWith, stop } = await open()
  answerWith(() => err({ kind: 'unknown-outcome', cause: 'timeout' }))
  await press('Take points back')
  expect(text()).toContain('We don’t know yet whether the points were taken back.')

  const [request] = requests
  if (request === undefined) throw new Error('Nothing was asked')
  bridge.sendReturn(fakeReturn(request))
  await flushPromises()
  expect(text()).toContain('Taken back: 150 points')
  stop()
})
