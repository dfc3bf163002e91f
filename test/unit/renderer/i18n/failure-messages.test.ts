import { describe, expect, test } from 'vitest'
import type { Failure, FailureKind, InputFault, InputField } from '../../../../electron/contract/failure.ts'
import { PRINT_FAULTS } from '../../../../electron/contract/printing.ts'
import '../support/english.ts'
import { connectionFailureMessage, failureMessage } from '../../../../renderer/src/i18n/failure-messages.ts'

const EVERY_FAILURE: { readonly [Kind in FailureKind]: Extract<Failure, { kind: Kind }> } = {
  offline: { kind: 'offline' },
  timeout: { kind: 'timeout' },
  tls: { kind: 'tls' },
  unauthorised: { kind: 'unauthorised' },
  forbidden: { kind: 'forbidden' },
  'not-found': { kind: 'not-found' },
  'already-exists': { kind: 'already-exists' },
  'points-too-many': { kind: 'points-too-many', maximum: 9_999_999 },
  rejected: { kind: 'rejected', status: 422, message: '' },
  busy: { kind: 'busy', retryAfterSeconds: null },
  'service-down': { kind: 'service-down', status: 503 },
  'bad-response': { kind: 'bad-response', path: '' },
  'unknown-outcome': { kind: 'unknown-outcome', cause: 'timeout' },
  'not-connected': { kind: 'not-connected' },
  'invalid-input': { kind: 'invalid-input', field: 'phone', fault: 'not-a-phone' },
  'not-saved': { kind: 'not-saved', what: 'journal' },
  'not-printed': { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: true },
  'no-encryption': { kind: 'no-encryption' },
  locked: { kind: 'locked', needs: 'manager' },
  'wrong-pin': { kind: 'wrong-pin', waitSeconds: 0 },
  'too-many-tries': { kind: 'too-many-tries', waitSeconds: 30 },
  'other-business': { kind: 'other-business' },
  aborted: { kind: 'aborted' },
  internal: { kind: 'internal' }
}

/** Whole sentences on the cashier's side: no codes, no blame, no exclamation marks. */
const reads = (text: string): void => {
  expect(text).toMatch(/^[A-Z].*[.?]$/u)
  expect(text).not.toMatch(/!|error|invalid|request|failed|\b[45]\d\d\b|undefined|null|'/iu)
}

describe('the sentence of a failure', () => {
  test.each(Object.values(EVERY_FAILURE))('$kind reads well', (failure) => {
    const { sentence, next } = failureMessage(failure)
    reads(sentence)
    if (next !== undefined) reads(next)
  })

  test('names since when the service has been silent', () => {
    expect(failureMessage({ kind: 'offline' }, '14:02').sentence).toBe(
      'No answer from the points service since 14:02.'
    )
  })

  test('gives the service’s own words where it has some', () => {
    expect(failureMessage({ kind: 'rejected', status: 422, message: 'Closed today' }).sentence).toContain(
      'Closed today'
    )
  })

  test('groups the maximum of points', () => {
    expect(failureMessage({ kind: 'points-too-many', maximum: 9_999_999 }).sentence).toContain('9,999,999')
  })

  test('says how long to wait', () => {
    expect(failureMessage({ kind: 'busy', retryAfterSeconds: 30 }).next).toContain('30 seconds')
  })

  test('names the field that was odd in an answer', () => {
    expect(failureMessage({ kind: 'bad-response', path: 'data.0.id' }).next).toContain('data.0.id')
  })

  test.each(PRINT_FAULTS)('a slip that did not come out reads well: %s', (fault) => {
    const { sentence, next } = failureMessage({ kind: 'not-printed', fault, mayStillPrint: false })
    reads(sentence)
    reads(next ?? '')
    expect(`${sentence} ${next ?? ''}`).not.toContain('may still print')
  })

  test.each(PRINT_FAULTS)(
    'a job that was given up may still print, and the sentence says so: %s',
    (fault) => {
      const { sentence, next } = failureMessage({ kind: 'not-printed', fault, mayStillPrint: true })
      reads(sentence)
      reads(next ?? '')
      expect(sentence).toContain('may still print')
    }
  )

  const fields: InputField[] = [
    'name',
    'phone',
    'points',
    'amount',
    'base-url',
    'token',
    'code',
    'country',
    'setting'
  ]
  const faults: InputFault[] = [
    'missing',
    'too-long',
    'not-a-phone',
    'not-a-whole-number',
    'below-one',
    'not-an-address',
    'not-https',
    'malformed'
  ]
  test.each(fields)('what is wrong with the field %s reads well', (field) => {
    for (const fault of faults) {
      const { sentence, next } = failureMessage({ kind: 'invalid-input', field, fault })
      // "invalid" and its like must not slip in through a field's name.
      reads(sentence)
      if (next !== undefined) reads(next)
    }
  })
})

describe('while a connection is checked', () => {
  test('a refused token is not blamed on the till', () => {
    const said = connectionFailureMessage({ kind: 'unauthorised' })
    expect(said?.sentence).toContain('token')
    reads(said?.sentence ?? '')
  })

  test('other failures keep their own sentence', () => {
    expect(connectionFailureMessage({ kind: 'tls' })).toBeUndefined()
  })
})
