import { describe, expect, it } from 'vitest'
import { canPrint, canReprint, slipStatus, type SlipState } from '../../../electron/contract/slips.ts'

const cases: readonly (readonly [SlipState, 'first print' | 'reprint' | 'neither'])[] = [
  ['requested', 'neither'],
  ['issued', 'first print'],
  ['printing', 'neither'],
  ['printed', 'reprint'],
  ['print-failed', 'first print'],
  ['shown', 'first print'],
  ['unknown', 'neither'],
  ['refused', 'neither'],
  ['given', 'reprint'],
  ['discarded', 'neither']
]

it.each(cases)('a slip in state %s can be printed: %s', (state, expected) => {
  expect(canPrint({ state })).toBe(expected === 'first print')
  expect(canReprint({ state })).toBe(expected === 'reprint')
})

describe('slipStatus', () => {
  it('returns saved for a printed slip that went to the folder', () => {
    expect(slipStatus({ state: 'printed', destination: { kind: 'folder' } })).toBe('saved')
  })

  it('returns printed for a slip that went to a printer', () => {
    expect(slipStatus({ state: 'printed', destination: { kind: 'queue', name: 'Counter' } })).toBe('printed')
  })

  it('returns the state of a slip that was not delivered to the folder', () => {
    expect(slipStatus({ state: 'print-failed', destination: { kind: 'folder' } })).toBe('print-failed')
    expect(slipStatus({ state: 'given', destination: { kind: 'folder' } })).toBe('given')
  })
})
