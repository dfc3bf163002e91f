import { describe, expect, it } from 'vitest'
import { StarPrntStatus } from '../../../../../electron/main/printing/receipt/printer-status.ts'

/** A status of nine bytes; version 5 of the format. */
const status = (general = 0, mechanism = 0, errors = 0, paper = 0): number[] => [
  0x23,
  0x0a,
  general,
  mechanism,
  errors,
  paper,
  0,
  0,
  0
]

/** The answer to an end mark. */
const mark = (counter: number): number[] => [0x1b, 0x1d, 0x03, 0x01, 0x00, 0x00, counter, 0x00]

/** The statuses in bytes that come one at a time, as a slow line brings them, and the number of end marks. */
const received = (bytes: readonly number[]) => {
  const protocol = new StarPrntStatus()
  const messages = bytes.flatMap((byte) => protocol.receive(Uint8Array.of(byte)))
  return {
    statuses: messages.filter(({ kind }) => kind === 'status').map((message) => [...message.bytes]),
    endMarks: messages.filter(({ kind }) => kind === 'end-mark').length
  }
}

describe('the responses of a StarPRNT printer', () => {
  it('are statuses and end marks, in any order', () => {
    expect(received([...mark(1), ...status(), ...mark(2), ...status(0x20)])).toEqual({
      statuses: [status(), status(0x20)],
      endMarks: 2
    })
  })

  it('are read to the length that they name', () => {
    const short = [0x0f, 0x02, 0, 0, 0, 0, 0]
    const long = [0x2f, 0x0a, ...Array<number>(13).fill(0)]
    expect(received([...short, ...long, ...status()]).statuses).toEqual([short, long, status()])
  })

  it('may have more bytes behind a status, as on a network, with an end mark in them', () => {
    const onNetwork = [0x23, 0x8a, 0, 0, 0, 0, 0, 0, 0]
    const more = [0x00, 0x0f, ...Buffer.from('16:B'), 0x00, 0x08, ...mark(1), ...Buffer.from(';')]
    expect(received([...onNetwork, ...more, ...onNetwork, 0, 0])).toEqual({
      statuses: [onNetwork, onNetwork],
      endMarks: 1
    })
    // Without the bytes behind it, although it says so.
    expect(received([...onNetwork, ...onNetwork]).statuses).toEqual([onNetwork, onNetwork])
  })

  it.each([0x00, 0x0f, 0x1b, 0x21, 0x2f, 0xff])(
    'have a counter that may look like something else: %i',
    (n) => {
      expect(received([...mark(n), ...status()])).toEqual({ statuses: [status()], endMarks: 1 })
    }
  )

  it('may have flow control between them and in them', () => {
    const flow = [0x13, 0x11]
    const bytes = [
      ...flow,
      ...mark(0x11).slice(0, 3),
      ...flow,
      ...mark(0x11).slice(3),
      ...status().slice(0, 4)
    ]
    expect(received([...bytes, ...flow, ...status().slice(4), ...flow])).toEqual({
      statuses: [status()],
      endMarks: 1
    })
  })

  it('may have lost a counter that looked like flow control', () => {
    const lost = mark(0x13).filter((byte) => byte !== 0x13)
    expect(received([...lost, ...status()])).toEqual({ statuses: [status()], endMarks: 1 })
  })
})

it.each([0x20, 0x40])('bytes that were lost spoil the slip, not the next one: %i', async (bit) => {
  const bytes = Uint8Array.from(status(0, 0, bit))
  expect(new StarPrntStatus().receive(bytes)[0]?.fault).toBe('printer-fault')
  expect(await new StarPrntStatus().readCondition(() => Promise.resolve(bytes))).toBeNull()
})

describe('the condition of a StarPRNT printer', () => {
  it.each([
    { shown: 'nothing', bytes: status(), condition: null },
    { shown: 'paper near its end', bytes: status(0, 0, 0, 0x06), condition: null },
    { shown: 'an open drawer', bytes: status(0x04), condition: null },
    { shown: 'an open cover', bytes: status(0x28, 0, 0, 0x08), condition: 'cover-open' },
    { shown: 'no paper', bytes: status(0x08, 0, 0, 0x0c), condition: 'out-of-paper' },
    { shown: 'a stuck cutter', bytes: status(0x08, 0x08), condition: 'printer-fault' },
    { shown: 'an error that needs repair', bytes: status(0x08, 0x20), condition: 'printer-fault' },
    { shown: 'a stuck mechanism', bytes: status(0x08, 0x04), condition: 'printer-fault' },
    { shown: 'a black mark that is missing', bytes: status(0x08, 0, 0x08), condition: 'printer-fault' },
    { shown: 'a head that is up', bytes: status(0x08, 0, 0x02), condition: 'printer-fault' },
    { shown: 'a jam', bytes: status(0x08, 0, 0x04), condition: 'printer-fault' },
    { shown: 'a head that is too hot', bytes: status(0x08, 0x40), condition: 'paused' },
    { shown: 'offline', bytes: status(0x08), condition: 'printer-offline' }
  ])('is $condition when it shows $shown', async ({ bytes, condition }) => {
    const requests: number[][] = []
    const read = new StarPrntStatus().readCondition((request) => {
      requests.push([...request])
      return Promise.resolve(Uint8Array.from(bytes))
    })
    expect(await read).toBe(condition)
    expect(requests).toEqual([[0x1b, 0x06, 0x01]])
    // Sent without a request it shows the same, but what may pass by itself does not spoil a slip.
    const [unasked] = new StarPrntStatus().receive(Uint8Array.from(bytes))
    expect(unasked?.fault).toBe(condition === 'printer-offline' || condition === 'paused' ? null : condition)
  })
})
