import { flushSync } from 'svelte'
import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { IssuedSlip } from '../../../../electron/contract/slips.ts'
import type { CheckoutDraft } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Checkout } from '../../../../renderer/src/state/checkout.svelte.ts'
import { DraftSync } from '../../../../renderer/src/state/draft-sync.svelte.ts'
import { bridgeWith, deferredCalls, customer, issued, flushPromises } from '../support/bridge.ts'

/** Creates a page that saves into `drafts`. A second page with the same array is the page after a crash. */
const createPage = (drafts: CheckoutDraft[]) => {
  const issue = deferredCalls<Parameters<Bridge['slips']['issue']>[0], IssuedSlip>()
  const locked = err({ kind: 'locked', needs: 'cashier' } as const)
  let isLocked = false
  const bridge = bridgeWith({
    till: {
      draft: () => Promise.resolve(isLocked ? locked : ok(drafts.at(-1) ?? null)),
      saveDraft: (draft) => {
        if (isLocked) return Promise.resolve(locked)
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
  return {
    checkout,
    requests: issue.requests,
    start: () => draft.start(),
    lock: () => {
      isLocked = true
    },
    unlock: () => {
      isLocked = false
      draft.retry()
    }
  }
}

const startPage = async (drafts: CheckoutDraft[]) => {
  const page = createPage(drafts)
  const stop = page.start()
  await flushPromises()
  flushSync()
  return { ...page, stop }
}

const flushDraft = async (): Promise<void> => {
  flushSync()
  await flushPromises()
}

describe('DraftSync after a page crash', () => {
  test('restores customer, points, copies and intent id', async () => {
    const drafts: CheckoutDraft[] = []
    const { checkout } = await startPage(drafts)
    checkout.choose(customer('a'))
    checkout.form.typePoints('250')
    checkout.form.copies = 2
    await flushDraft()
    const again = (await startPage(drafts)).checkout
    expect(again.customer?.id).toBe('a')
    expect(again.form.points).toBe('250')
    expect(again.form.copies).toBe(2)
    expect(again.form.intentId).toEqual(checkout.form.intentId)
  })

  test('restores the open registration', async () => {
    const drafts: CheckoutDraft[] = []
    const { checkout } = await startPage(drafts)
    checkout.openRegistration()
    if (checkout.registration) checkout.registration.name = 'Ada'
    await flushDraft()
    expect((await startPage(drafts)).checkout.registration?.name).toBe('Ada')
  })

  test('repeats a pending issue request with the same intent id', async () => {
    const drafts: CheckoutDraft[] = []
    const before = await startPage(drafts)
    before.checkout.form.typePoints('250')
    void before.checkout.form.print()
    await flushDraft()
    const { checkout, requests } = await startPage(drafts)
    expect(requests.map(({ input }) => input)).toEqual([before.requests[0]?.input])
    requests[0]?.resolve(ok(issued(before.requests[0]?.input.intentId ?? '')))
    await vi.waitFor(() => {
      expect(checkout.form.last?.slip.points).toBe(250)
    })
    expect(checkout.form.points).toBe('')
  })

  test('points that were typed while a slip was pending are issued with an intent of their own', async () => {
    const drafts: CheckoutDraft[] = []
    const before = await startPage(drafts)
    before.checkout.form.typePoints('10')
    void before.checkout.form.print()
    before.checkout.form.typePoints('25')
    await flushDraft()
    const { checkout, requests } = await startPage(drafts)
    expect(checkout.form.points).toBe('25')
    expect(requests).toEqual([])
    void checkout.form.print()
    expect(requests[0]?.input.points).toBe(25)
    expect(requests[0]?.input.intentId).not.toBe(before.requests[0]?.input.intentId)
  })

  test('points that are typed after the reload are issued with an intent of their own', async () => {
    const drafts: CheckoutDraft[] = []
    const before = await startPage(drafts)
    before.checkout.form.typePoints('10')
    const pressed = before.checkout.form.print()
    before.requests[0]?.resolve(err({ kind: 'internal' }))
    await pressed
    await flushDraft()
    const { checkout, requests } = await startPage(drafts)
    checkout.form.typePoints('25')
    void checkout.form.print()
    expect(requests[0]?.input.intentId).not.toBe(before.requests[0]?.input.intentId)
  })

  test('starts empty when there is no draft', async () => {
    const { checkout, requests } = await startPage([])
    expect(checkout.form.points).toBe('')
    expect(checkout.customer).toBeNull()
    expect(requests).toEqual([])
  })
})

test('DraftSync saves nothing until the checkout changes', async () => {
  const drafts: CheckoutDraft[] = []
  const { checkout } = await startPage(drafts)
  expect(drafts).toEqual([])
  checkout.form.typePoints('5')
  await flushDraft()
  await startPage(drafts)
  expect(drafts.map(({ points }) => points)).toEqual(['5'])
})

test('DraftSync restores the draft of a page that was reloaded while locked, once it is unlocked', async () => {
  const drafts: CheckoutDraft[] = []
  const { checkout } = await startPage(drafts)
  checkout.form.typePoints('250')
  await flushDraft()
  const page = createPage(drafts)
  page.lock()
  page.start()
  await flushDraft()
  expect(page.checkout.form.points).toBe('')
  page.unlock()
  await flushDraft()
  expect(page.checkout.form.points).toBe('250')
  page.checkout.form.typePoints('2500')
  await flushDraft()
  expect(drafts.map(({ points }) => points)).toEqual(['250', '2500'])
})

test('DraftSync replaces nothing that was typed before the draft could be read', async () => {
  const drafts: CheckoutDraft[] = []
  const { checkout } = await startPage(drafts)
  checkout.form.typePoints('250')
  await flushDraft()
  const page = createPage(drafts)
  page.lock()
  page.start()
  await flushDraft()
  page.checkout.form.typePoints('7')
  page.unlock()
  await flushDraft()
  expect(page.checkout.form.points).toBe('7')
  expect(drafts.at(-1)?.points).toBe('7')
})

test('DraftSync saves what was refused while locked, once it is unlocked', async () => {
  const drafts: CheckoutDraft[] = []
  const page = await startPage(drafts)
  page.lock()
  page.checkout.form.typePoints('250')
  await flushDraft()
  expect(drafts).toEqual([])
  page.unlock()
  await flushDraft()
  expect(drafts.at(-1)?.points).toBe('250')
})

test('DraftSync saves nothing after it was stopped', async () => {
  const drafts: CheckoutDraft[] = []
  const { checkout, stop } = await startPage(drafts)
  stop()
  const count = drafts.length
  checkout.form.typePoints('5')
  await flushDraft()
  expect(drafts).toHaveLength(count)
})
