import { describe, expect, test } from 'vitest'
import {
  EscPosStatus,
  conditionOfStatus
} from '../../../../../electron/main/printing/receipt/printer-status.ts'

const FINE = { 1: 0x12, 2: 0x12, 3: 0x12, 4: 0x12 }
const ERROR = { ...FINE, 1: 0x1a, 2: 0x52 }

describe('the status of a receipt printer', () => {
  test.each([
    [FINE, null],
    [{ ...FINE, 4: 0x1e }, null],
    [{ ...FINE, 4: 0x72 }, 'out-of-paper'],
    [{ ...FINE, 1: 0x1a, 2: 0x32 }, 'out-of-paper'],
    [{ ...FINE, 1: 0x1a, 2: 0x16 }, 'cover-open'],
    // an open cover has no paper under its sensor: report the cover
    [{ ...FINE, 1: 0x1a, 2: 0x36, 4: 0x72 }, 'cover-open'],
    [ERROR, 'printer-fault'],
    // mechanism, cutter, not recoverable
    [{ ...ERROR, 3: 0x16 }, 'printer-fault'],
    [{ ...ERROR, 3: 0x1a }, 'printer-fault'],
    [{ ...ERROR, 3: 0x32 }, 'printer-fault'],
    [{ ...ERROR, 3: 0x72 }, 'printer-fault'],
    // a head that is too hot, also where another bit is undefined
    [{ ...ERROR, 3: 0x52 }, 'paused'],
    [{ ...ERROR, 3: 0x56 }, 'paused'],
    // paper is fed by the button; the drawer, and the button of response 1, which some makers leave undefined
    [{ ...FINE, 1: 0x1a, 2: 0x1a }, 'paused'],
    [{ ...FINE, 1: 0x76 }, null],
    [{ ...FINE, 1: 0x1a }, 'printer-offline']
  ])('%o: %o', (status, condition) => {
    expect(conditionOfStatus(status)).toBe(condition)
  })
})

test.each([
  ['the cause of an error only where there is one', 0x52, 0x16, [1, 2, 3, 4]],
  ['all of it again where the error shows no cause', 0x52, 0x12, [1, 2, 3, 4, 1, 2, 3, 4]],
  ['nothing else', 0x12, 0x12, [1, 2, 4]]
] as const)(
  'a printer is asked for its state, what stops it, its paper, and %s',
  async (_what, cause, error, kinds) => {
    const asked: number[] = []
    await new EscPosStatus().readCondition((request) => {
      asked.push(request[2] ?? 0)
      return Promise.resolve(Uint8Array.of(request[2] === 2 ? cause : request[2] === 3 ? error : 0x12))
    })
    expect(asked).toEqual(kinds)
  }
)

/** What a printer says, one byte at a time: the kind of each message, and its fault. */
const said = (...bytes: readonly number[]): (readonly [kind: string, fault: string | null])[] => {
  const protocol = new EscPosStatus()
  return bytes
    .flatMap((byte) => protocol.receive(Uint8Array.of(byte)))
    .map(({ kind, fault }) => [kind, fault] as const)
}

/** The four bytes of an automatic status; the bits that have no meaning are on. */
const report = (printer = 0, errors = 0, paper = 0): number[] => [
  0x10 | printer,
  0x03 | errors,
  0x60 | paper,
  0x6f
]

const END_MARK = ['end-mark', null]
const REPORT = ['report', null]

describe('what an ESC/POS printer says', () => {
  test.each([0x12, 0x16, 0x1a, 0x1e, 0x32, 0x72, 0x7e])('%i is a status', (byte) => {
    expect(said(byte)).toEqual([['status', null]])
  })

  // Bits 0 and 1 are on near the end of the paper, bits 2 and 3 at its end; bits 5 and 6 have no meaning.
  test.each([
    [0x00, null],
    [0x03, null],
    [0x60, null],
    [0x63, null],
    [0x0c, 'out-of-paper'],
    [0x0f, 'out-of-paper'],
    [0x6f, 'out-of-paper']
  ])('%i answers an end mark: %s', (byte, fault) => {
    expect(said(byte)).toEqual([['end-mark', fault]])
  })

  test.each([0x11, 0x13, 0x92, 0xff])('%i is nothing that it was asked for', (byte) => {
    expect(said(byte)).toEqual([])
  })

  test.each([
    ['a drawer that is closed', report(0x04), null],
    ['paper near its end', report(0, 0, 0x03), null],
    ['paper that is fed by the button', report(0x48), null],
    ['a head that is too hot', report(0x08, 0x40), null],
    ['the end of the paper', report(0x08, 0, 0x0f), 'out-of-paper'],
    ['an open cover', report(0x28, 0, 0x0c), 'cover-open'],
    ['a stuck cutter', report(0x08, 0x08), 'printer-fault'],
    ['an error that needs repair', report(0x08, 0x20), 'printer-fault'],
    ['a stuck mechanism', report(0x08, 0x04), 'printer-fault'],
    ['an undefined bit while it prints', report(0, 0x04), null],
    ['an undefined bit while paper is fed', report(0x48, 0x04), null],
    ['an undefined bit while the head is too hot', report(0x08, 0x44), null]
  ])('four bytes may report %s by themselves, and answer nothing', (_what, bytes, fault) => {
    expect(said(0x03, ...bytes, 0x12, ...bytes, 0x00)).toEqual([
      END_MARK,
      ['report', fault],
      ['status', null],
      ['report', fault],
      END_MARK
    ])
  })

  test('XON and XOFF may come anywhere', () => {
    const [first = 0, ...rest] = report()
    expect(said(0x13, 0x11, first, 0x13, ...rest.slice(0, 2), 0x11, ...rest.slice(2), 0x13, 0x03)).toEqual([
      REPORT,
      END_MARK
    ])
  })

  test('a report that ends early hides no other message', () => {
    expect(said(...report().slice(0, 2), 0x12, 0x00)).toEqual([['status', null], END_MARK])
    expect(said(...report().slice(0, 3), ...report(), 0x00)).toEqual([REPORT, END_MARK])
  })

  test('the notice that it was switched on is no end mark: what it had in its buffer is lost', () => {
    expect(said(0x3b, 0x31, 0x00, 0x00)).toEqual([['report', 'printer-offline'], END_MARK])
    expect(said(0x3b, 0x12, 0x00)).toEqual([['status', null], END_MARK])
  })

  test('comes in whatever pieces', () => {
    const status = new EscPosStatus()
    expect(status.receive(Uint8Array.of(0x00, 0x12, 0x13, 0x10, 0x00)).map(({ kind }) => kind)).toEqual([
      'end-mark',
      'status'
    ])
    expect(status.receive(Uint8Array.of(0x03, 0x0f, 0x03)).map(({ kind }) => kind)).toEqual([
      'report',
      'end-mark'
    ])
  })
})
