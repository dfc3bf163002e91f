import { describe, expect, test } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { IssuedSlip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { IssuedSlips, Reprint } from '../../../../renderer/src/state/issued-slips.svelte.ts'
import { bridgeWith, deferredCalls, issued, slip } from '../support/bridge.ts'

const createIssuedSlips = (slips: Partial<Bridge['slips']> = {}) =>
  new IssuedSlips(bridgeWith({ slips }), new IpcClient())
const outOfPaper = { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false } as const

describe('an issued slip', () => {
  test('shows the state of its print job', () => {
    const over = createIssuedSlips()
    over.add(issued('a', { state: 'printing' }))
    over.update(slip('a', { state: 'printed', revision: 4 }))
    expect(over.last?.slip.state).toBe('printed')
    expect(over.problem).toBeNull()
  })

  test('shows the final state when the print event arrives before the issue result', () => {
    const over = createIssuedSlips()
    over.track('a')
    over.update(slip('a', { state: 'printed', revision: 5 }))
    over.add(issued('a', { state: 'printing', revision: 4 }))
    expect(over.last?.slip.state).toBe('printed')
  })

  test('that waits for the printer, behind another slip, is no problem until its print fails', () => {
    const over = createIssuedSlips()
    over.track('a')
    over.add(issued('a', { state: 'issued' }))
    expect(over.problem).toBeNull()
    over.update(slip('a', { state: 'print-failed', revision: 4, failure: outOfPaper }))
    expect(over.problem?.failure).toEqual(outOfPaper)
  })

  test('ignores an older revision', () => {
    const over = createIssuedSlips()
    over.add(issued('a', { state: 'printing', revision: 3 }))
    over.update(slip('a', { state: 'printed', revision: 5 }))
    over.update(slip('a', { state: 'printing', revision: 4 }))
    expect(over.last?.slip.state).toBe('printed')
  })

  test('is followed while a hundred later ones are issued, and longer if it was not printed', () => {
    const over = createIssuedSlips()
    const failedCopy = (intentId: string) => ({
      ...slip(intentId, { state: 'printed', revision: 9, copies: 1 }),
      lastCopy: {
        number: 1,
        state: 'print-failed' as const,
        startedAt: '2026-11-21T12:05:33.000Z',
        destination: null,
        failure: outOfPaper
      }
    })
    for (const intentId of ['printed', 'failed']) {
      over.track(intentId)
      over.add(issued(intentId, { state: 'printing' }))
    }
    over.update(slip('failed', { state: 'print-failed', revision: 4, failure: outOfPaper }))
    over.update(slip('printed', { state: 'printed', revision: 4 }))
    const issueLater = (count: number) => {
      for (let later = 0; later < count; later++) {
        over.track(`later ${String(count)} ${String(later)}`)
        over.add(issued(`later ${String(count)} ${String(later)}`, { state: 'printed' }))
      }
    }
    issueLater(90)
    over.update(failedCopy('printed'))
    expect(over.problemCount).toBe(2)
    over.update({ ...failedCopy('printed'), lastCopy: null, revision: 10 })
    issueLater(110)
    over.update({ ...failedCopy('printed'), revision: 11 })
    expect(over.problemCount).toBe(1)
    over.update(slip('failed', { state: 'printed', revision: 12 }))
    expect(over.problemCount).toBe(0)
  })

  test('of another till or a batch is ignored', () => {
    const over = createIssuedSlips()
    over.update(slip('b', { state: 'print-failed', failure: outOfPaper }))
    expect(over.problem).toBeNull()
  })
})

describe('a slip whose print failed', () => {
  const failing = (calls: Partial<Bridge['slips']> = {}) => {
    const over = createIssuedSlips(calls)
    over.add(issued('a', { state: 'printing' }))
    over.clear()
    over.update(slip('a', { state: 'print-failed', revision: 4, failure: outOfPaper }))
    return over
  }

  test('is shown after the next slip has started', () => {
    const over = failing()
    expect(over.last).toBeNull()
    expect(over.problem?.missing).toBe('slip')
    expect(over.problem?.failure).toEqual(outOfPaper)
  })

  test('is removed after printing succeeds', async () => {
    const over = failing({ print: () => Promise.resolve(ok(issued('a', { revision: 6 }))) })
    await over.print()
    expect(over.problem).toBeNull()
    expect(over.busy).toBe(false)
  })

  test('shows the failure of the next attempt', async () => {
    const offline = { ...outOfPaper, fault: 'printer-offline' } as const
    const over = failing({ print: () => Promise.resolve(err(offline)) })
    await over.print()
    expect(over.problem?.failure).toEqual(offline)
  })

  test('keeps its failure while the next attempt is running', () => {
    const over = failing()
    over.update(slip('a', { state: 'printing', revision: 5 }))
    expect(over.problem?.failure).toEqual(outOfPaper)
  })

  test('can be marked as given when it may have printed', async () => {
    const over = createIssuedSlips({
      markGiven: () => Promise.resolve(ok(slip('a', { state: 'given', revision: 5 })))
    })
    over.add(issued('a', { state: 'print-failed', failure: { ...outOfPaper, mayStillPrint: true } }))
    expect(over.problem?.mayBePrinted).toBe(true)
    await over.markGiven()
    expect(over.problem).toBeNull()
  })

  test('is not shown again after it is dismissed', () => {
    const over = failing()
    over.dismiss()
    over.update(slip('a', { state: 'print-failed', revision: 6, failure: outOfPaper }))
    expect(over.problem).toBeNull()
  })

  test.each(['fails', 'was printed'])('that was dismissed stays so when its attempt %s', async (outcome) => {
    const { requests, call } = deferredCalls<unknown, IssuedSlip>()
    const over = failing({ print: call })
    const printing = over.print()
    over.dismiss()
    requests[0]?.resolve(outcome === 'fails' ? err(outOfPaper) : ok(issued('a', { revision: 6 })))
    await printing
    expect(over.problem).toBeNull()
  })

  test('is replaced by a newer one, and the count includes both', () => {
    const over = failing()
    over.add(issued('b', { state: 'print-failed', failure: outOfPaper }))
    expect(over.problem?.slip.intentId).toBe('b')
    expect(over.problemCount).toBe(2)
  })
})

describe('a copy whose print failed', () => {
  const failedCopy = {
    number: 1,
    state: 'print-failed',
    startedAt: '',
    destination: null,
    failure: outOfPaper
  } as const

  test('is shown and printed again as a copy', async () => {
    const printed = { ...failedCopy, number: 2, state: 'printed', failure: null } as const
    const over = createIssuedSlips({
      reprint: () => Promise.resolve(ok(issued('a', { revision: 6, copies: 2, lastCopy: printed })))
    })
    over.add(issued('a', { state: 'printing' }))
    over.update(slip('a', { state: 'printed', revision: 4, copies: 1, lastCopy: failedCopy }))
    expect(over.problem?.missing).toBe('copy')
    expect(over.problem?.failure).toEqual(outOfPaper)
    await over.print()
    expect(over.problem).toBeNull()
  })
})

test('Reprint prints one copy when requested twice at once', async () => {
  const { requests, call } = deferredCalls<undefined, IssuedSlip>()
  const reprint = new Reprint(bridgeWith({ slips: { reprintLast: () => call(undefined) } }), new IpcClient())
  const first = reprint.print('last')
  await reprint.print('last')
  expect(requests).toHaveLength(1)
  expect(reprint.isRunning('last')).toBe(true)
  requests[0]?.resolve(ok(issued('a', { copies: 1 })))
  await first
  expect(reprint.doneFor('last')?.copies).toBe(1)
  expect(reprint.doneFor('a')).toBeNull()
  expect(reprint.running).toBe(false)
})

test('Reprint shows a failure only at the slip it belongs to', async () => {
  const failure = { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false } as const
  const reprint = new Reprint(
    bridgeWith({ slips: { reprint: () => Promise.resolve(err(failure)) } }),
    new IpcClient()
  )
  await reprint.print('a')
  expect(reprint.failureOf('a')).toEqual(failure)
  expect(reprint.failureOf('last')).toBeNull()
  expect(reprint.doneFor('a')).toBeNull()
  reprint.clear()
  expect(reprint.failureOf('a')).toBeNull()
})
