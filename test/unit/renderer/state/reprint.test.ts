import { expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { IssuedSlip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Reprint } from '../../../../renderer/src/state/issued-slips.svelte.ts'
import { bridgeWith, byHand, issued } from '../support/bridge.ts'

test('prints one copy, however often it is pressed while that is under way', async () => {
  const { asked, call } = byHand<undefined, IssuedSlip>()
  const reprint = new Reprint(bridgeWith({ slips: { reprintLast: () => call(undefined) } }), new IpcClient())
  const first = reprint.print('last')
  await reprint.print('last')
  expect([asked.length, reprint.isRunning('last')]).toEqual([1, true])
  asked[0]?.answer(ok(issued('a', { copies: 1 })))
  await first
  expect([reprint.doneFor('last')?.copies, reprint.doneFor('a'), reprint.running]).toEqual([1, null, false])
})

test('says at the slip why its copy did not come out', async () => {
  const failure = { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false } as const
  const reprint = new Reprint(
    bridgeWith({ slips: { reprint: () => Promise.resolve(err(failure)) } }),
    new IpcClient()
  )
  await reprint.print('a')
  expect([reprint.failureOf('a'), reprint.failureOf('last'), reprint.doneFor('a')]).toEqual([
    failure,
    null,
    null
  ])
  reprint.clear()
  expect(reprint.failureOf('a')).toBeNull()
})
