import { expect, test } from 'vitest'
import { ATTENTION_STATES, attentionAction, SLIP_STATES } from '../../../electron/contract/slips.ts'
import type { Failure } from '../../../electron/contract/failure.ts'

const offline: Failure = { kind: 'not-printed', fault: 'printer-offline', mayStillPrint: false }

test.each([
  ['unknown', { kind: 'unknown-outcome', cause: 'timeout' }, 'discard'],
  ['issued', null, 'print'],
  ['print-failed', offline, 'print'],
  ['print-failed', { kind: 'not-saved', what: 'slip' }, 'print'],
  ['print-failed', { ...offline, mayStillPrint: true }, 'mark-given'],
  ['print-failed', { kind: 'unknown-outcome', cause: 'till-stopped' }, 'mark-given'],
  ['printed', null, null],
  ['shown', null, null],
  ['given', offline, null]
] as const)('%s after %o: %s', (state, failure, action) => {
  expect(attentionAction({ state, failure, offline: null })).toBe(action)
})

test('every state that waits for a person has an action, and no other has one', () => {
  expect(
    SLIP_STATES.filter((state) => attentionAction({ state, failure: null, offline: null }) !== null).sort()
  ).toEqual([...ATTENTION_STATES].sort())
})
