import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import {
  canPrint,
  canReprint,
  copyLabel,
  slipLabel,
  slipStatus,
  type SlipState
} from '../../../electron/contract/slips.ts'
import { networkPrinter } from '../../support/network-printer.ts'

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
  it('is handed over when a raw queue took it', () => {
    const destination = {
      ...networkPrinter({ host: '10.0.0.5', port: 9100 }),
      connection: { kind: 'raw-queue', name: 'Counter' }
    } as const
    expect(slipStatus({ state: 'printed', destination, failure: null })).toBe('handed-over')
    expect(slipLabel({ state: 'printed', destination, failure: null })).toBe('handed-over')
  })

  it('is handed over when a printer took it that reports nothing, and is called sent', () => {
    const destination = networkPrinter({ host: '10.0.0.5', port: 9100 }, { reportsState: false })
    expect(slipStatus({ state: 'printed', destination, failure: null })).toBe('handed-over')
    expect(slipLabel({ state: 'printed', destination, failure: null })).toBe('sent')
    expect(slipLabel({ state: 'print-failed', destination, failure: null })).toBe('print-failed')
    const copy = { number: 1, startedAt: '', destination, failure: null }
    expect(copyLabel({ ...copy, state: 'printed' })).toBe('sent')
    expect(copyLabel({ ...copy, state: 'print-failed' })).toBe('print-failed')
  })

  it.each([
    ['issued', null, 'folder', 'not-saved'],
    ['issued', null, 'printer', 'issued'],
    ['printing', 'folder', 'printer', 'saving'],
    ['print-failed', 'folder', 'printer', 'save-failed'],
    ['print-failed', 'queue', 'folder', 'print-failed'],
    ['discarded', null, 'folder', 'discarded']
  ] as const)(
    'of a slip that is %s at %s is called, while the till prints at a %s, %s',
    (state, kind, selected, label) => {
      const queue = { kind: 'queue', name: 'Counter' } as const
      const destination = kind === 'queue' ? queue : kind && { kind }
      expect(slipLabel({ state, destination, failure: null }, selected)).toBe(label)
    }
  )

  it.each([
    ['offline', 'not-sent'],
    ['tls', 'not-sent'],
    ['not-connected', 'not-sent'],
    ['unauthorised', 'refused']
  ] as const)('of a refusal because of %s is %s', (kind, status) => {
    const slip = { state: 'refused', destination: null, failure: { kind } as Failure } as const
    expect(slipStatus(slip)).toBe(status)
    expect(slipLabel(slip)).toBe(status)
  })

  it('returns saved for a printed slip that went to the folder', () => {
    expect(slipStatus({ state: 'printed', destination: { kind: 'folder' }, failure: null })).toBe('saved')
  })

  it('returns printed for a slip that went to a printer', () => {
    expect(
      slipStatus({ state: 'printed', destination: { kind: 'queue', name: 'Counter' }, failure: null })
    ).toBe('printed')
  })

  it('tells a slip on the receipt of a program from one that was given by hand', () => {
    const given = { state: 'given', destination: null, failure: null, returned: true } as const
    expect([slipStatus(given), slipLabel(given)]).toEqual(['on-receipt', 'on-receipt'])
    expect(slipStatus({ ...given, returned: false })).toBe('given')
    expect(slipStatus({ ...given, state: 'discarded' })).toBe('discarded')
  })

  it('returns the state of a slip that was not delivered to the folder', () => {
    expect(slipStatus({ state: 'print-failed', destination: { kind: 'folder' }, failure: null })).toBe(
      'print-failed'
    )
    expect(slipStatus({ state: 'given', destination: { kind: 'folder' }, failure: null })).toBe('given')
  })
})
