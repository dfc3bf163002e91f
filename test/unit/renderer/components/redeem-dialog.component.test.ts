import { cleanup, render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import { EMPTY_CATALOGUE } from '../../../../electron/contract/catalogue.ts'
import type { RedeemRequest, Redemption } from '../../../../electron/contract/redemptions.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import type { RedeemSubject } from '../../../../renderer/src/state/redeem-form.svelte.ts'
import { fakeRedemption, fakeUndone } from '../../../support/screenshots/fake-calls.ts'
import { business } from '../../../support/screenshots/sample-data.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, customer, flushPromises, reward } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'
import WithDialog from '../support/WithDialog.svelte'

// Svelte's media queries need it, and jsdom has none.
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
const { default: AppShell } = await import('../../../../renderer/src/screens/AppShell.svelte')

const maria = customer('maria', { name: 'Maria', balance: 200 })
const coffee = { id: 'coffee', name: 'Coffee', cost: 80 }

/** Opens the dialog over a bridge whose answers the test gives. */
const open = (subject: RedeemSubject = { customer: maria, reward: coffee }) => {
  const requests: RedeemRequest[] = []
  const reasons: string[] = []
  let answers: (Result<Redemption> | Promise<Result<Redemption>>)[] = []
  const bridge = bridgeWith({
    redemptions: {
      redeem: (request) => {
        requests.push(request)
        return Promise.resolve(answers.shift() ?? ok(fakeRedemption(request)))
      },
      undo: ({ reason }) => {
        reasons.push(reason)
        return Promise.resolve(answers.shift() ?? err({ kind: 'internal' }))
      }
    },
    operations: { askAgain: () => Promise.resolve(ok([])) },
    rewards: { detail: () => Promise.resolve(ok({ ...coffee, ...priceNow })) },
    customerDisplay: { serving: () => Promise.resolve(ok(null)) }
  })
  const app = createAppContext(bridge, window)
  const businessContext = new BusinessContext(app)
  businessContext.checkout.choose(maria)
  businessContext.openRedemption(subject)
  render(WithAppContext, { app, businessContext, component: WithDialog })
  return {
    bridge,
    requests,
    reasons,
    businessContext,
    answerWith: (...next: typeof answers) => {
      answers = next
    }
  }
}
const priceNow = { cost: 90, index: 1, isEnable: true, createdAt: null, updatedAt: null }

const refused = (reason: Extract<Failure, { kind: 'operation-refused' }>['reason']) =>
  err({ kind: 'operation-refused', reason })
const text = () =>
  screen
    .getByRole('dialog')
    .textContent.replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')

test('names reward, customer and points; Enter alone redeems, and Enter again leaves', async () => {
  const { requests, businessContext } = open()
  await flushPromises()
  expect(text()).toContain('Redeem Coffee?')
  expect(text()).toMatch(/Customer Maria.*Points before 200 points.*Cost 80 points.*Points after 120 points/)
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  expect(requests).toEqual([
    {
      intentId: expect.any(String) as string,
      customer: { id: 'maria', name: 'Maria' },
      reward: { id: 'coffee', name: 'Coffee' },
      cost: 80,
      balanceBefore: 200
    }
  ])
  expect(text()).toContain('Redeemed: Coffee')
  expect(businessContext.checkout.customer?.balance).toBe(120)
  await userEvent.keyboard('{Enter}')
  expect(businessContext.redeeming).toBeNull()
})

test('Escape leaves, and nothing was asked', async () => {
  const { requests, businessContext } = open()
  await flushPromises()
  await userEvent.keyboard('{Escape}')
  expect(businessContext.redeeming).toBeNull()
  expect(requests).toEqual([])
})

test('does not ask twice while the answer is awaited, and can be left: the answer counts', async () => {
  const { answerWith, requests, businessContext } = open()
  const pending = Promise.withResolvers<Result<Redemption>>()
  answerWith(pending.promise)
  await flushPromises()
  await userEvent.keyboard('{Enter}{Enter}')
  const [request] = requests
  if (!request) throw new Error('Nothing was asked')
  expect(requests).toHaveLength(1)
  expect(text()).not.toContain('Redeemed')
  await userEvent.keyboard('{Escape}')
  expect(businessContext.redeeming).toBeNull()
  expect(businessContext.left.map(({ step }) => step)).toEqual(['redeeming'])
  pending.resolve(ok(fakeRedemption(request)))
  await flushPromises()
  expect(businessContext.left.map(({ step }) => step)).toEqual(['redeemed'])
  expect(businessContext.checkout.customer?.balance).toBe(120)
})

test('the keyboard stays in the dialog, and the two buttons that stay are the same elements, at each step', async () => {
  const { answerWith, bridge, requests } = open()
  const pending = Promise.withResolvers<Result<Redemption>>()
  answerWith(pending.promise)
  await flushPromises()
  const buttons = () => screen.getByRole('dialog').querySelectorAll('.buttons button')
  const first = buttons()[0]
  const last = [...buttons()].at(-1)
  const expectKept = (): void => {
    expect(buttons()[0]).toBe(first)
    expect([...buttons()].at(-1)).toBe(last)
    expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull()
    expect(document.activeElement?.matches(':disabled')).toBe(false)
  }
  expectKept()
  await userEvent.keyboard('{Enter}')
  expectKept()
  pending.resolve(err({ kind: 'unknown-outcome', cause: 'timeout' }))
  await flushPromises()
  expectKept()
  const askAgain = screen.getByRole('button', { name: 'Ask again' })
  await userEvent.click(askAgain)
  expectKept()
  const [request] = requests
  if (!request) throw new Error('Nothing was asked')
  bridge.sendRedemption(fakeRedemption(request))
  await flushPromises()
  expectKept()
  // A second press where Redeem was does nothing.
  await userEvent.click(last ?? document.body)
  expect(text()).toContain('Redeemed: Coffee')
  expect(requests).toHaveLength(1)
})

test('Enter leaves, and does not undo, when the journal says it before the answer', async () => {
  const { answerWith, bridge, requests, businessContext } = open()
  answerWith(new Promise(() => undefined))
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  const [request] = requests
  if (!request) throw new Error('Nothing was asked')
  bridge.sendRedemption(fakeRedemption(request))
  await flushPromises()
  expect(text()).toContain('Redeemed: Coffee')
  await userEvent.keyboard('{Enter}')
  expect(businessContext.redeeming).toBeNull()
})

test('after a new price the next press asks for it, as a new request', async () => {
  const { answerWith, requests } = open()
  answerWith(refused('price-changed'))
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  expect(text()).toContain('The reward costs a different number of points now.')
  expect(text()).toContain('Points after 110 points')
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  expect(requests.map(({ cost }) => cost)).toEqual([80, 90])
  expect(new Set(requests.map(({ intentId }) => intentId)).size).toBe(2)
})

test.each<Failure>([{ kind: 'not-saved', what: 'journal' }, { kind: 'internal' }])(
  'after the failure $kind, which says nothing of the points, the next press is the same request',
  async (failure) => {
    const { answerWith, requests } = open()
    answerWith(err(failure))
    await flushPromises()
    await userEvent.keyboard('{Enter}')
    await flushPromises()
    await userEvent.keyboard('{Enter}')
    await flushPromises()
    expect(text()).toContain('Redeemed: Coffee')
    expect(requests).toHaveLength(2)
    expect(requests[1]).toEqual(requests[0])
  }
)

test('a lost answer is not shown as redeemed until main has it', async () => {
  const { answerWith, bridge, requests, businessContext } = open()
  answerWith(err({ kind: 'unknown-outcome', cause: 'timeout' }))
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  expect(text()).toContain('We don’t know yet whether the points were taken.')
  expect(text()).not.toContain('Redeemed')
  expect(businessContext.checkout.customer?.balance).toBe(200)
  const [request] = requests
  if (request === undefined) throw new Error('nothing was asked')
  bridge.sendRedemption({ ...fakeRedemption(request), intentId: 'another' })
  await flushPromises()
  expect(text()).not.toContain('Redeemed')
  bridge.sendRedemption(fakeRedemption(request))
  await flushPromises()
  expect(text()).toContain('Redeemed: Coffee')
  expect(businessContext.checkout.customer?.balance).toBe(120)
})

test('a lost answer that turns out refused says why', async () => {
  const { answerWith, bridge, requests } = open()
  answerWith(err({ kind: 'unknown-outcome', cause: 'connection-lost' }))
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  const [request] = requests
  if (request === undefined) throw new Error('nothing was asked')
  const failure = { kind: 'operation-refused', reason: 'points-too-few' } as const
  bridge.sendRedemption({ ...fakeRedemption(request), state: 'refused', balance: null, failure })
  await flushPromises()
  expect(text()).toContain('The customer does not have enough points for this reward.')
})

test('undo names the customer, also by the phone, and one press on a usual reason is enough', async () => {
  const undo = (name: string): Redemption => ({
    ...fakeRedemption({
      intentId: crypto.randomUUID(),
      customer: { id: 'maria', name },
      reward: coffee,
      cost: 80,
      balanceBefore: 200
    })
  })
  const { reasons } = open({ undo: undo('Maria') })
  await flushPromises()
  expect(text()).toContain('Maria')
  await userEvent.click(screen.getByRole('button', { name: 'Wrong reward' }))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(reasons).toEqual(['Wrong reward'])
  cleanup()
  open({ undo: undo('') })
  await flushPromises()
  expect(text()).toContain('+306901234567')
})

test('undo needs a reason, and gives the points back', async () => {
  const { answerWith, reasons, requests, businessContext } = open()
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  const [request] = requests
  if (request === undefined) throw new Error('nothing was asked')
  answerWith(err({ kind: 'service-down', status: 503 }), ok(fakeUndone(fakeRedemption(request), 'Wrong')))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  expect(reasons).toEqual([])
  await userEvent.keyboard(' Wrong {Enter}')
  await flushPromises()
  expect(text()).toContain('The points service has a problem.')
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  expect(reasons).toEqual(['Wrong', 'Wrong'])
  expect(text()).toContain('Undone: Coffee')
  expect(businessContext.checkout.customer?.balance).toBe(200)
})

test('an undo that was refused for good is not asked for again', async () => {
  const redeemed = fakeRedemption({
    intentId: 'coffee-of-maria',
    customer: { id: 'maria', name: 'Maria' },
    reward: { id: 'coffee', name: 'Coffee' },
    ...{ cost: 80, balanceBefore: 200 }
  })
  const { answerWith, reasons, businessContext } = open({ undo: redeemed })
  answerWith(refused('reversal-too-late'))
  await flushPromises()
  await userEvent.keyboard('Wrong{Enter}')
  await flushPromises()
  expect(text()).toContain('It is too late to undo this at the till.')
  expect(screen.getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled')).toBe('true')
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  expect(reasons).toEqual(['Wrong'])
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(businessContext.redeeming).toBeNull()
})

test('a lost answer to an undo is said to be one, also while the journal has not taken it', async () => {
  const redeemed = fakeRedemption({
    intentId: 'coffee-of-maria',
    customer: { id: 'maria', name: 'Maria' },
    reward: { id: 'coffee', name: 'Coffee' },
    ...{ cost: 80, balanceBefore: 200 }
  })
  const { answerWith, bridge } = open({ undo: redeemed })
  answerWith(err({ kind: 'unknown-outcome', cause: 'connection-lost' }))
  await flushPromises()
  await userEvent.keyboard('Wrong')
  bridge.sendRedemption({ ...fakeUndone(redeemed, 'Wrong'), state: 'undo-requested', revision: 3 })
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  expect(text()).toContain('We don’t know yet whether the points were given back.')
  bridge.sendRedemption(fakeUndone(redeemed, 'Wrong'))
  await flushPromises()
  expect(text()).toContain('Undone: Coffee')
})

test('a reward that costs more than the customer has cannot be asked for', async () => {
  const { requests } = open({ customer: maria, reward: { ...coffee, cost: 201 } })
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Redeem for/ }).disabled).toBe(true)
  expect(requests).toEqual([])
})

describe('in the window of a till that is locked meanwhile', () => {
  const stateWith = (locked: boolean) =>
    tillState({
      business: { ...business, extensions: ['redemptions/1'] },
      settings: { ...tillState().settings, tourSeen: true },
      staff: { ...NO_STAFF, locked }
    })
  const dialog = () => screen.queryByRole('dialog')

  /** Opens the dialog in the window of a till that serves Maria. */
  const openWindow = async () => {
    // jsdom implements no animations.
    Element.prototype.animate = () =>
      Object.assign(new EventTarget(), { cancel: () => undefined }) as Animation
    const requests: RedeemRequest[] = []
    const answer = Promise.withResolvers<Result<Redemption>>()
    const bridge = bridgeWith({
      till: {
        draft: () =>
          Promise.resolve(
            ok({
              ...{
                intentId: crypto.randomUUID(),
                pressed: false,
                way: 'slip' as const,
                customer: maria,
                points: '',
                bill: ''
              },
              ...{ copies: null, linkedBill: null, search: '', registration: null }
            })
          ),
        saveDraft: () => Promise.resolve(ok(null))
      },
      redemptions: {
        redeem: (request) => {
          requests.push(request)
          return answer.promise
        }
      },
      operations: { attention: () => Promise.resolve(ok(0)) },
      rewards: {
        catalogue: () =>
          Promise.resolve(ok({ ...EMPTY_CATALOGUE, rewards: [reward('Coffee', 80, true)], complete: true })),
        detail: () => Promise.resolve(err({ kind: 'not-found' }))
      },
      slips: {
        attention: () => Promise.resolve(ok(0)),
        list: () => Promise.resolve(ok({ slips: [], hasMore: false }))
      },
      batches: { unfinished: () => Promise.resolve(ok([])) },
      customers: { recent: () => Promise.resolve(ok([])) },
      customerDisplay: { serving: () => Promise.resolve(ok(null)) }
    })
    const app = createAppContext(bridge, window)
    app.till.accept(stateWith(false))
    const windowOf = (locked: boolean) => ({
      ...{ app, component: AppShell as never },
      props: { state: stateWith(locked) }
    })
    const { rerender } = render(WithAppContext, { props: windowOf(false) })
    const setLocked = async (locked: boolean): Promise<void> => {
      app.till.accept(stateWith(locked))
      await rerender({ props: windowOf(locked) })
      await vi.waitFor(() => {
        expect(dialog() === null).toBe(locked)
      })
    }

    await flushPromises()
    await userEvent.click(screen.getByRole('button', { name: /^Redeem/ }))
    await vi.waitFor(() => {
      expect(dialog()).not.toBeNull()
    })
    await userEvent.keyboard('{Enter}')
    const [request] = requests
    if (request === undefined) throw new Error('nothing was asked')
    return { bridge, requests, request, answer, setLocked }
  }

  test('what was redeemed is shown again, and Enter leaves', async () => {
    const { requests, request, answer, setLocked } = await openWindow()
    answer.resolve(ok(fakeRedemption(request)))
    await flushPromises()
    await setLocked(true)
    await setLocked(false)
    expect(text()).toContain('Redeemed: Coffee')
    await userEvent.keyboard('{Enter}')
    await flushPromises()
    expect(dialog()).toBeNull()
    expect(requests).toHaveLength(1)
  })

  test('an answer that is awaited is still awaited', async () => {
    const { requests, request, answer, setLocked } = await openWindow()
    await setLocked(true)
    await setLocked(false)
    await userEvent.keyboard('{Enter}')
    expect(requests).toHaveLength(1)
    answer.resolve(ok(fakeRedemption(request)))
    await flushPromises()
    expect(text()).toContain('Redeemed: Coffee')
  })

  test('a lost answer stays lost until main has it, locked or not', async () => {
    const { bridge, requests, request, answer, setLocked } = await openWindow()
    answer.resolve(err({ kind: 'unknown-outcome', cause: 'timeout' }))
    await flushPromises()
    await setLocked(true)
    await setLocked(false)
    expect(text()).toContain('We don’t know yet whether the points were taken.')
    await setLocked(true)
    bridge.sendRedemption(fakeRedemption(request))
    await setLocked(false)
    expect(text()).toContain('Redeemed: Coffee')
    await userEvent.keyboard('{Enter}')
    expect(requests).toHaveLength(1)
  })
})
