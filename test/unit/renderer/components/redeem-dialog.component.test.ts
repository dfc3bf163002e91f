import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { RedeemRequest, Redemption } from '../../../../electron/contract/redemptions.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import type { RedeemSubject } from '../../../../renderer/src/state/redeem-form.svelte.ts'
import { fakeRedemption, fakeUndone } from '../../../support/screenshots/fake-calls.ts'
import { bridgeWith, customer, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'
import WithDialog from '../support/WithDialog.svelte'

const maria = customer('maria', { name: 'Maria', balance: 200 })
const coffee = { id: 'coffee', name: 'Coffee', cost: 80 }

/** Opens the dialog over a bridge whose answers the test gives. */
const open = (subject: RedeemSubject = { customer: maria, reward: coffee }) => {
  // jsdom does not implement scrolling.
  Element.prototype.scrollIntoView = vi.fn()
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
      },
      askAgain: () => Promise.resolve(ok([]))
    },
    rewards: { detail: () => Promise.resolve(ok({ ...coffee, ...priceNow })) },
    customerDisplay: { serving: () => Promise.resolve(ok(null)) }
  })
  const app = createAppContext(bridge, window)
  const businessContext = new BusinessContext(app)
  businessContext.checkout.choose(maria)
  businessContext.redeeming = subject
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

const refused = (reason: Extract<Failure, { kind: 'redemption-refused' }>['reason']) =>
  err({ kind: 'redemption-refused', reason })
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

test('is not left and does not ask twice while the answer is awaited', async () => {
  const { answerWith, requests, businessContext } = open()
  const pending = Promise.withResolvers<Result<Redemption>>()
  answerWith(pending.promise)
  await flushPromises()
  await userEvent.keyboard('{Enter}{Enter}{Escape}')
  expect(requests).toHaveLength(1)
  expect(businessContext.redeeming).not.toBeNull()
  expect(text()).not.toContain('Redeemed')
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
  const failure = { kind: 'redemption-refused', reason: 'points-too-few' } as const
  bridge.sendRedemption({ ...fakeRedemption(request), state: 'refused', balance: null, failure })
  await flushPromises()
  expect(text()).toContain('The customer does not have enough points for this reward.')
})

test('undo needs a reason, and gives the points back', async () => {
  const { answerWith, reasons, requests, businessContext } = open()
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  const [request] = requests
  if (request === undefined) throw new Error('nothing was asked')
  answerWith(refused('reversal-too-late'), ok(fakeUndone(fakeRedemption(request), 'Wrong')))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  expect(reasons).toEqual([])
  await userEvent.keyboard(' Wrong {Enter}')
  await flushPromises()
  expect(text()).toContain('It is too late to undo this at the till.')
  await userEvent.keyboard('{Enter}')
  await flushPromises()
  expect(reasons).toEqual(['Wrong', 'Wrong'])
  expect(text()).toContain('Undone: Coffee')
  expect(businessContext.checkout.customer?.balance).toBe(200)
})

test('a reward that costs more than the customer has cannot be asked for', async () => {
  const { requests } = open({ customer: maria, reward: { ...coffee, cost: 201 } })
  await flushPromises()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Redeem for/ }).disabled).toBe(true)
  expect(requests).toEqual([])
})
