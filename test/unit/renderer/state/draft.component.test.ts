import { flushSync } from 'svelte'
import { describe, expect, test } from 'vitest'
import type { CheckoutDraft } from '../../../../electron/contract/till.ts'
import { ok } from '../../../../electron/contract/failure.ts'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import type { IssuedSlip } from '../../../../electron/contract/slips.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import { Counter } from '../../../../renderer/src/state/counter.svelte.ts'
import { Draft } from '../../../../renderer/src/state/draft.svelte.ts'
import { bridgeWith, byHand, customer, issued, settle } from '../support/bridge.ts'

/** A page on a till that keeps drafts: start another one on the same drafts to see it crash. */
const openPage = (drafts: CheckoutDraft[]) => {
  const issue = byHand<Parameters<Bridge['slips']['issue']>[0], IssuedSlip>()
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
  const answers = new Answers()
  const counter = new Counter(bridge, answers)
  const draft = new Draft(bridge, answers, counter)
  return { counter, asked: issue.asked, start: () => draft.start() }
}

const started = async (drafts: CheckoutDraft[]) => {
  const page = openPage(drafts)
  const stop = page.start()
  await settle()
  flushSync()
  return { ...page, stop }
}

const told = async (): Promise<void> => {
  flushSync()
  await settle()
}

describe('a page that crashes', () => {
  test('finds the customer, the points and the copies as they stood, and the same intent', async () => {
    const drafts: CheckoutDraft[] = []
    const { counter } = await started(drafts)
    counter.choose(customer('a'))
    counter.form.points = '250'
    counter.form.copies = 2
    await told()
    const again = (await started(drafts)).counter
    expect([again.customer?.id, again.form.points, again.form.copies, again.form.intentId]).toEqual([
      'a',
      '250',
      2,
      counter.form.intentId
    ])
  })

  test('finds the registration as it was typed', async () => {
    const drafts: CheckoutDraft[] = []
    const { counter } = await started(drafts)
    counter.openRegistration()
    if (counter.registration) counter.registration.name = 'Ada'
    await told()
    expect((await started(drafts)).counter.registration?.name).toBe('Ada')
  })

  test('while a slip is issued asks main for what came of it, with the same intent', async () => {
    const drafts: CheckoutDraft[] = []
    const before = await started(drafts)
    before.counter.form.points = '250'
    void before.counter.form.print()
    await told()
    const { counter, asked } = await started(drafts)
    expect(asked.map(({ input }) => input)).toEqual([before.asked[0]?.input])
    asked[0]?.answer(ok(issued(before.asked[0]?.input.intentId ?? '')))
    await settle()
    expect([counter.form.last?.slip.points, counter.form.points]).toEqual([250, ''])
  })

  test('with nothing on the counter starts empty', async () => {
    const { counter, asked } = await started([])
    expect([counter.form.points, counter.customer, asked]).toEqual(['', null, []])
  })
})

test('a counter on which nothing changed is not told', async () => {
  const drafts: CheckoutDraft[] = []
  const { counter } = await started(drafts)
  expect(drafts).toEqual([])
  counter.form.points = '5'
  await told()
  await started(drafts)
  expect(drafts.map(({ points }) => points)).toEqual(['5'])
})

test('a page that serves somebody else tells no more', async () => {
  const drafts: CheckoutDraft[] = []
  const { counter, stop } = await started(drafts)
  stop()
  const count = drafts.length
  counter.form.points = '5'
  await told()
  expect(drafts).toHaveLength(count)
})
