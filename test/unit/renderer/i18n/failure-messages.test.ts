import { describe, expect, test } from 'vitest'
import {
  INPUT_FAULTS,
  INPUT_FIELDS,
  type Failure,
  type FailureKind
} from '../../../../electron/contract/failure.ts'
import {
  PRINT_FAULTS,
  type PrintDestination,
  type PrintFault
} from '../../../../electron/contract/printing.ts'
import { networkPrinter } from '../../../support/network-printer.ts'
import '../support/english.ts'
import {
  connectionFailureMessage,
  failureMessage,
  printerSettingsFaultMessage,
  printoutFaultMessage,
  testPageFaultMessage
} from '../../../../renderer/src/i18n/failure-messages.ts'

const EVERY_FAILURE: { readonly [Kind in FailureKind]: Extract<Failure, { kind: Kind }> } = {
  offline: { kind: 'offline' },
  timeout: { kind: 'timeout' },
  tls: { kind: 'tls' },
  unauthorised: { kind: 'unauthorised' },
  forbidden: { kind: 'forbidden' },
  'not-found': { kind: 'not-found' },
  'points-too-many': { kind: 'points-too-many', maximum: 9_999_999 },
  rejected: { kind: 'rejected', status: 422, message: '' },
  busy: { kind: 'busy', retryAfterSeconds: null },
  'service-full': { kind: 'service-full' },
  'service-down': { kind: 'service-down', status: 503 },
  'bad-response': { kind: 'bad-response', path: '' },
  'unknown-outcome': { kind: 'unknown-outcome', cause: 'timeout' },
  'not-connected': { kind: 'not-connected' },
  'invalid-input': { kind: 'invalid-input', field: 'phone', fault: 'not-a-phone' },
  'not-saved': { kind: 'not-saved', what: 'journal' },
  'not-printed': { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: true },
  'no-encryption': { kind: 'no-encryption' },
  managed: { kind: 'managed' },
  locked: { kind: 'locked', needs: 'manager' },
  'wrong-pin': { kind: 'wrong-pin', waitSeconds: 0 },
  'too-many-tries': { kind: 'too-many-tries', waitSeconds: 30 },
  'other-business': { kind: 'other-business' },
  'not-offered': { kind: 'not-offered' },
  'operation-refused': { kind: 'operation-refused', reason: 'points-too-few' },
  aborted: { kind: 'aborted' },
  internal: { kind: 'internal' }
}

/** Expects a complete sentence without status codes, technical terms or exclamation marks. */
const expectPlainSentence = (text: string): void => {
  expect(text).toMatch(/^[A-Z].*[.?]$/u)
  expect(text).not.toMatch(/!|error|invalid|request|failed|\b[45]\d\d\b|undefined|null|'/iu)
}

describe('failureMessage', () => {
  test.each(Object.values(EVERY_FAILURE))('$kind is a plain sentence without technical terms', (failure) => {
    const { sentence, next } = failureMessage(failure)
    expectPlainSentence(sentence)
    if (next !== undefined) expectPlainSentence(next)
  })

  test('offline includes the time since when the service is silent', () => {
    expect(failureMessage({ kind: 'offline' }, '14:02').sentence).toBe(
      'No answer from the points service since 14:02.'
    )
  })

  test('rejected includes the message of the service', () => {
    expect(failureMessage({ kind: 'rejected', status: 422, message: 'Closed today' }).sentence).toContain(
      'Closed today'
    )
  })

  test('points-too-many shows the maximum with grouped digits', () => {
    expect(failureMessage({ kind: 'points-too-many', maximum: 9_999_999 }).sentence).toContain('9,999,999')
  })

  test('busy shows the seconds to wait', () => {
    expect(failureMessage({ kind: 'busy', retryAfterSeconds: 30 }).next).toContain('30 seconds')
  })

  test('bad-response shows the path of the invalid field', () => {
    expect(failureMessage({ kind: 'bad-response', path: 'data.0.id' }).next).toContain('data.0.id')
  })

  test.each(PRINT_FAULTS)('not-printed with the fault %s is a plain sentence', (fault) => {
    const { sentence, next } = failureMessage({ kind: 'not-printed', fault, mayStillPrint: false })
    expectPlainSentence(sentence)
    expectPlainSentence(next ?? '')
    expect(`${sentence} ${next ?? ''}`).not.toContain('may still print')
  })

  test('a slip that left its queue was printed or deleted, and will not print later', () => {
    const failure = { kind: 'not-printed', fault: 'left-queue', mayStillPrint: true } as const
    const messages = [failureMessage(failure), printoutFaultMessage(failure, 'Print now')]
    for (const message of messages) {
      expect(message?.sentence).toContain('it was printed or deleted')
      expect(message?.sentence).not.toContain('may still print')
      expect(message?.next).toMatch(/^Check the printer first\. Press .* only if no slip came out\.$/)
    }
  })

  test.each(PRINT_FAULTS.filter((fault) => fault !== 'left-queue'))(
    'not-printed with the fault %s warns that the slip may still print, if the job was given up',
    (fault) => {
      const { sentence, next } = failureMessage({ kind: 'not-printed', fault, mayStillPrint: true })
      expectPlainSentence(sentence)
      expectPlainSentence(next ?? '')
      expect(sentence).toContain('may still print')
    }
  )

  test.each([
    [
      ['58mm', 'A4'],
      ['A4'],
      'It takes: 58 mm roll\u00a0· A4 sheet.',
      'Select the paper in the printer in Settings'
    ],
    [[], ['59 × 102 mm'], 'It only has these sizes: 59 × 102 mm.', 'Ask a manager to select another printer'],
    [[], [], 'It does not say which sizes it has.', 'Ask a manager to select another printer']
  ] as const)(
    'not-printed says which papers a queue takes, or sizes it has: %o, %o',
    (papers, sizes, says, next) => {
      const offered = { papers, sizes }
      const failure = { kind: 'not-printed', fault: 'refused-size', mayStillPrint: false, offered } as const
      for (const message of [failureMessage(failure), printoutFaultMessage(failure, 'Print')]) {
        expect(message?.sentence).toBe(`The printer does not accept this paper size. ${says}`)
        expect(message?.next).toContain(next)
      }
    }
  )

  test.each(INPUT_FIELDS)('invalid-input in the field %s is a plain sentence for each fault', (field) => {
    for (const fault of INPUT_FAULTS) {
      const { sentence, next } = failureMessage({ kind: 'invalid-input', field, fault })
      // The message must not contain a technical term from the name of the field.
      expectPlainSentence(sentence)
      if (next !== undefined) expectPlainSentence(next)
    }
  })
})

describe('connectionFailureMessage', () => {
  test('unauthorised blames the token', () => {
    const message = connectionFailureMessage({ kind: 'unauthorised' })
    expect(message?.sentence).toContain('token')
    expectPlainSentence(message?.sentence ?? '')
  })

  test('other failures have no special message', () => {
    expect(connectionFailureMessage({ kind: 'tls' })).toBeUndefined()
  })
})

test.each(PRINT_FAULTS)('in the printer settings, %s asks no manager and names the button there', (fault) => {
  for (const mayStillPrint of [false, true]) {
    const failure = { kind: 'not-printed', fault, mayStillPrint } as const
    const message = printerSettingsFaultMessage(failure, 'Refresh')
    expectPlainSentence(message?.sentence ?? '')
    expectPlainSentence(message?.next ?? '')
    expect(message?.next).not.toMatch(/manager|Print now|in Settings/)
  }
})

test('a refusal of the print service that has no name is quoted', () => {
  const said = 'Unable to add job.'
  const failure = { kind: 'not-printed', fault: 'unknown', mayStillPrint: false, said } as const
  expect(failureMessage(failure).sentence).toContain(said)
  expect(failureMessage(failure).sentence).not.toContain('no reason')
})

describe('testPageFaultMessage', () => {
  const network = networkPrinter({ host: '10.0.0.5', port: 9100 })
  const nextOf = (destination: PrintDestination | null, fault: PrintFault = 'printer-offline') =>
    testPageFaultMessage({ kind: 'not-printed', fault, mayStillPrint: false }, destination)?.next ?? ''
  const SETTING = 'turn off “The printer reports its state”'

  test.each(['printer-offline', 'printer-busy'] as const)(
    'names the setting for a printer that never answers (%s)',
    (fault) => {
      expect(nextOf(network, fault)).toContain(SETTING)
      expectPlainSentence(nextOf(network, fault))
    }
  )

  test.each([
    ['another fault', nextOf(network, 'out-of-paper')],
    ['a printer that is not to report it', nextOf({ ...network, reportsState: false })],
    ['a raw queue', nextOf({ ...network, connection: { kind: 'raw-queue', name: 'Raw' } })],
    ['a queue', nextOf({ kind: 'queue', name: 'Office' })]
  ])('has the usual next step for %s', (_what, next) => {
    expect(next).not.toBe('')
    expect(next).not.toContain(SETTING)
  })

  test('leaves other failures to their own message', () => {
    expect(testPageFaultMessage({ kind: 'internal' }, network)).toBeUndefined()
  })
})
