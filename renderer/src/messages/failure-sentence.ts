import type { Failure, InputFault, InputField } from '../../../electron/contract/failure.ts'
import { formatNumber } from '../format/numbers.ts'
import { printFaultSentence } from './print-fault-sentence.ts'
import type { Sentence } from './sentence.ts'

export type { Sentence } from './sentence.ts'

/**
 * Every failure in words a cashier understands. `silentSince` is the time of day since when the service has not
 * answered, for the failures that mean silence.
 */
export function failureSentence(failure: Failure, silentSince?: string): Sentence {
  switch (failure.kind) {
    case 'offline':
    case 'timeout':
      return {
        sentence: silentSince
          ? `No answer from the points service since ${silentSince}.`
          : 'No answer from the points service.',
        next: 'Check the network and try again. What you typed is kept.'
      }
    case 'tls':
      return {
        sentence: 'The points service’s certificate is not trusted here, so nothing was sent.',
        next: 'Ask a manager to check the address and the clock of this till.'
      }
    case 'unauthorised':
      return {
        sentence: 'The points service no longer accepts this till.',
        next: 'Ask a manager to reconnect it.'
      }
    case 'forbidden':
      return {
        sentence: 'The points service does not allow this to this till.',
        next: 'Ask a manager what the token may do.'
      }
    case 'not-found':
      return { sentence: 'The points service does not know it.', next: 'Check what you typed.' }
    case 'already-exists':
      return { sentence: 'This phone is registered already.', next: 'Find the customer by phone.' }
    case 'points-too-many':
      return {
        sentence: `One slip can carry at most ${formatNumber(failure.maximum)} points.`,
        next: 'Type fewer points, or print two slips.'
      }
    case 'rejected':
      return {
        sentence: failure.message
          ? `The points service refused: ${failure.message}`
          : 'The points service refused.',
        next: 'Check what you typed and try again.'
      }
    case 'busy':
      return {
        sentence: 'The points service has too much to do.',
        next:
          failure.retryAfterSeconds === null
            ? 'Try again in a moment.'
            : `Try again in ${formatNumber(failure.retryAfterSeconds)} seconds.`
      }
    case 'service-down':
      return { sentence: 'The points service has a fault of its own.', next: 'Try again in a moment.' }
    case 'bad-response':
      return {
        sentence: 'The points service gave an answer this till cannot read.',
        next: failure.path
          ? `Try again; if it stays, tell a manager: “${failure.path}” is missing or odd.`
          : 'Try again; if it stays, tell a manager.'
      }
    case 'unknown-outcome':
      return {
        sentence: 'The answer was lost, so we don’t know whether this was done.',
        next: 'Look first, then try again.'
      }
    case 'not-connected':
      return { sentence: 'This till is not connected to a business.', next: 'Connect it in Settings.' }
    case 'invalid-input':
      return inputSentence(failure.field, failure.fault)
    case 'not-saved':
      return NOT_SAVED[failure.what]
    case 'not-printed':
      return printFaultSentence(failure.fault, failure.mayStillPrint)
    case 'no-encryption':
      return {
        sentence: 'This machine offers no encryption to keep the token with.',
        next: 'A manager can accept that once, below.'
      }
    case 'internal':
      return { sentence: 'Something in this till went wrong.', next: 'Try again; the log has the details.' }
  }
}

const NOT_SAVED = {
  settings: {
    sentence: 'This till could not save its settings.',
    next: 'Ask a manager whether its folder can be written.'
  },
  journal: {
    sentence: 'This till could not write its list of slips, so no slip was printed.',
    next: 'Ask a manager whether its folder can be written.'
  },
  slip: {
    sentence: 'The slip could not be written.',
    next: 'The code is kept: press Print now once its folder can be written.'
  },
  export: {
    sentence: 'The list could not be written there.',
    next: 'Choose another folder, and export again.'
  }
} as const satisfies Readonly<Record<string, Sentence>>

const FIELDS: Readonly<Record<InputField, string>> = {
  name: 'name',
  phone: 'phone',
  points: 'points',
  amount: 'amount',
  'base-address': 'service address',
  token: 'token',
  code: 'code',
  country: 'country',
  setting: 'setting'
}

function inputSentence(field: InputField, fault: InputFault): Sentence {
  const name = FIELDS[field]
  switch (fault) {
    case 'missing':
      return { sentence: `Type the ${name} first.` }
    case 'too-long':
      return { sentence: `The ${name} is too long.`, next: 'Shorten it.' }
    case 'not-a-phone':
      return {
        sentence: 'This cannot be a phone.',
        next: 'Type its digits, with the country if it is foreign.'
      }
    case 'not-a-whole-number':
      return {
        sentence: 'Points are whole numbers.',
        next: 'Type digits only, without a comma or full stop.'
      }
    case 'below-one':
      return { sentence: 'A slip carries at least 1 point.', next: 'Type 1 or more.' }
    case 'not-an-address':
      return { sentence: 'This is no web address.', next: 'It begins with https:// and ends with /api.' }
    case 'not-https':
      return {
        sentence: 'The token would travel unprotected to this address.',
        next: 'Use the address that begins with https://.'
      }
    case 'malformed':
      return { sentence: `This cannot be a ${name}.`, next: 'Check it for typing mistakes.' }
  }
}
