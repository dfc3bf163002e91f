import { flushSync } from 'svelte'
import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { ok } from '../../../../electron/contract/failure.ts'
import type { IssuedSlip } from '../../../../electron/contract/slips.ts'
import type { CheckoutDraft } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Checkout, DraftSync } from '../../../../renderer/src/state/checkout.svelte.ts'
import { bridgeWith, deferredCalls, customer, issued, flushPromises } from '../support/bridge.ts'

/** A page on a till that keeps drafts: start another one on the same drafts to see it crash. */
const openPage = (drafts: CheckoutDraft[]) => {
  const issue = deferredCalls<Parameters<Bridge['slips']['issue']>[0], IssuedSlip>()
  const bridge = bridgeWith({
    till: {
      draft: () => Promise.resolve(ok(drafts.at(-1) ?? null)),
      saveDraft: (draft) => {
        drafts.push(draft)
        return Promise.resolve(ok(null))
      }
    },
    slips: { issue: issue.call },
    customers: { recent: () => Promise.resolve(ok([])) }
  })
  const ipc = new IpcClient()
  const checkout = new Checkout(bridge, ipc)
  const draft = new DraftSync(bridge, ipc, checkout)
  return { checkout, requests: issue.requests, start: () => draft.start() }
}

const started = async (drafts: CheckoutDraft[]) => {
  const page = openPage(drafts)
  const stop = page.start()
  await flushPromises()
  flushSync()
  return { ...page, stop }
}

const told = async (): Promise<void> => {
  flushSync()
  await flushPromises()
}

describe('a page that crashes', () => {
  test('finds the customer, the points and the copies as they stood, and the same intent', async () => {
    const drafts: CheckoutDraft[] = []
    const { checkout } = await started(drafts)
    checkout.choose(customer('a'))
    checkout.form.points = '250'
    checkout.form.copies = 2
    await told()
    const again = (await started(drafts)).checkout
    expect(again.customer?.id).toBe('a')
    expect(again.form.points).toBe('250')
    expect(again.form.copies).toBe(2)
    expect(again.form.intentId).toEqual(checkout.form.intentId)
  })

  test('finds the registration as it was typed', async () => {
    const drafts: CheckoutDraft[] = []
    const { checkout } = await started(drafts)
    checkout.openRegistration()
    if (checkout.registration) checkout.registration.name = 'Ada'
    await told()
    expect((await started(drafts)).checkout.registration?.name).toBe('Ada')
  })

  test('while a slip is issued asks main for what came of it, with the same intent', async () => {
    const drafts: CheckoutDraft[] = []
    const before = await started(drafts)
    before.checkout.form.points = '250'
    void before.checkout.form.print()
    await told()
    const { checkout, requests } = await started(drafts)
    expect(requests.map(({ input }) => input)).toEqual([before.requests[0]?.input])
    requests[0]?.resolve(ok(issued(before.requests[0]?.input.intentId ?? '')))
    await vi.waitFor(() => {
      expect(checkout.form.last?.slip.points).toBe(250)
    })
    expect(checkout.form.points).toBe('')
  })

  test('with nothing on the counter starts empty', async () => {
    const { checkout, requests } = await started([])
    expect(checkout.form.points).toBe('')
    expect(checkout.customer).toBeNull()
    expect(requests).toEqual([])
  })
})

test('a counter on which nothing changed is not told', async () => {
  const drafts: CheckoutDraft[] = []
  const { checkout } = await started(drafts)
  expect(drafts).toEqual([])
  checkout.form.points = '5'
  await told()
  await started(drafts)
  expect(drafts.map(({ points }) => points)).toEqual(['5'])
})

test('a page that serves somebody else tells no more', async () => {
  const drafts: CheckoutDraft[] = []
  const { checkout, stop } = await started(drafts)
  stop()
  const count = drafts.length
  checkout.form.points = '5'
  await told()
  expect(drafts).toHaveLength(count)
})
