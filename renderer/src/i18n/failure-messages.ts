import type { Failure, InputFault, InputField } from '../../../electron/contract/failure.ts'
import {
  outputOf,
  reportsBack,
  type PrintDestination,
  type PrintFault
} from '../../../electron/contract/printing.ts'
import { isolateName } from '../../../electron/contract/text.ts'
import { pluralArguments } from '../format/numbers.ts'
import { m } from './messages.ts'

/** A sentence, and the next step if there is one. */
export interface UserMessage {
  readonly sentence: string
  readonly next?: string
}

/**
 * Returns the message of a failure. `silentSince` is the time of day since which the service has not responded.
 */
export function failureMessage(failure: Failure, silentSince?: string): UserMessage {
  switch (failure.kind) {
    case 'offline':
    case 'timeout':
      return {
        sentence: silentSince ? m.failureNoResponseSince({ time: silentSince }) : m.failureNoResponse(),
        next: m.failureNoResponseNext()
      }
    case 'tls':
      return { sentence: m.failureTls(), next: m.failureTlsNext() }
    case 'unauthorised':
      return { sentence: m.failureUnauthorised(), next: m.failureUnauthorisedNext() }
    case 'forbidden':
      return { sentence: m.failureForbidden(), next: m.failureForbiddenNext() }
    case 'not-found':
      return { sentence: m.failureNotFound(), next: m.failureNotFoundNext() }
    case 'points-too-many':
      return {
        sentence: m.failurePointsTooMany(pluralArguments(failure.maximum)),
        next: m.failurePointsTooManyNext()
      }
    case 'rejected':
      return {
        sentence: failure.message
          ? m.failureRejectedSaying({ message: failure.message })
          : m.failureRejected(),
        next: m.failureRejectedNext()
      }
    case 'busy':
      return {
        sentence: m.failureBusy(),
        next:
          failure.retryAfterSeconds === null
            ? m.tryAgainSoon()
            : m.failureBusyNext(pluralArguments(failure.retryAfterSeconds))
      }
    case 'service-full':
      return { sentence: m.failureServiceFull(), next: m.failureServiceFullNext() }
    case 'service-down':
      return { sentence: m.failureServiceDown(), next: m.tryAgainSoon() }
    case 'bad-response':
      return {
        sentence: m.failureBadResponse(),
        next: failure.path ? m.failureBadResponseNextPath({ path: failure.path }) : m.failureBadResponseNext()
      }
    case 'unknown-outcome':
      return { sentence: m.failureUnknownOutcome(), next: m.failureUnknownOutcomeNext() }
    case 'not-connected':
      return { sentence: m.failureNotConnected(), next: m.failureNotConnectedNext() }
    case 'invalid-input':
      return inputSentence(failure.field, failure.fault)
    case 'not-saved':
      return {
        sentence: m.failureNotSaved(failure),
        next: m.failureNotSavedNext({ ...failure, press: m.printNow({ to: 'folder' }) })
      }
    case 'not-printed':
      return printFaultMessage(failure)
    case 'no-encryption':
      return { sentence: m.failureNoEncryption(), next: m.failureNoEncryptionNext() }
    case 'locked':
      return { sentence: m.failureLocked(failure), next: m.failureLockedNext(failure) }
    case 'wrong-pin':
      return { sentence: m.failureWrongPin(), next: pinWait(failure.waitSeconds) }
    case 'too-many-tries':
      return { sentence: m.failureTooManyTries(), next: pinWait(failure.waitSeconds) }
    case 'other-business':
      return { sentence: m.failureOtherBusiness(), next: m.failureOtherBusinessNext() }
    case 'not-offered':
      return { sentence: m.failureNotOffered(), next: m.failureNotOfferedNext() }
    case 'operation-refused':
      return { sentence: m.failureRedemptionRefused(failure), next: m.failureRedemptionRefusedNext(failure) }
    case 'managed':
      return { sentence: m.failureManaged(), next: m.failureManagedNext() }
    // Never shown: a later request superseded this one.
    case 'aborted':
    case 'internal':
      return { sentence: m.failureInternal(), next: m.failureInternalNext() }
  }
}

/** Returns the field that a failure is about; null if it is about none. */
function fieldOf(failure: Failure): InputField | null {
  switch (failure.kind) {
    case 'invalid-input':
      return failure.field
    case 'points-too-many':
      return 'points'
    case 'wrong-pin':
    case 'too-many-tries':
      return 'pin'
    case 'other-business':
      return 'token'
    default:
      return null
  }
}

/** Returns what is wrong with the value of a field, with the next step; null if the failure is another one. */
export function fieldMessage(failure: Failure | null, field: InputField): string | null {
  if (failure === null || fieldOf(failure) !== field) return null
  const { sentence, next } = failureMessage(failure)
  return next === undefined ? sentence : `${sentence} ${next}`
}

/** Returns when a PIN can be tried again. Long waits are in minutes, rounded up. */
function pinWait(seconds: number): string {
  if (seconds === 0) return m.failureWrongPinNext()
  return seconds < 120
    ? m.failurePinWait(pluralArguments(seconds))
    : m.failurePinWaitMinutes(pluralArguments(Math.ceil(seconds / 60)))
}

function inputSentence(field: InputField, fault: InputFault): UserMessage {
  switch (fault) {
    case 'missing':
      return { sentence: m.inputMissing({ field }) }
    case 'required-by-service':
      return { sentence: m.inputRequiredByService() }
    case 'too-long':
      return { sentence: m.inputTooLong({ field }), next: m.inputTooLongNext() }
    case 'not-a-phone':
      return { sentence: m.inputNotAPhone(), next: m.inputNotAPhoneNext() }
    case 'not-a-whole-number':
      return { sentence: m.inputNotAWholeNumber(), next: m.inputNotAWholeNumberNext() }
    case 'below-one':
      return { sentence: m.inputBelowOne(), next: m.inputBelowOneNext() }
    case 'not-an-address':
      return { sentence: m.inputNotAnAddress(), next: m.inputNotAnAddressNext() }
    case 'not-https':
      return { sentence: m.inputNotHttps(), next: m.inputNotHttpsNext() }
    case 'malformed':
      return {
        sentence: m.inputMalformed({ field }),
        next: field === 'pin' ? m.inputPinNext() : m.inputMalformedNext()
      }
    case 'not-in-address':
      return { sentence: m.inputNotInAddress(), next: m.inputNotInAddressNext() }
    case 'pairing-code-unknown':
      return { sentence: m.inputPairingCodeUnknown(), next: m.inputPairingCodeUnknownNext() }
    case 'pairing-code-elsewhere':
      return { sentence: m.inputPairingCodeElsewhere(), next: m.inputPairingCodeElsewhereNext() }
    case 'customer-code-unknown':
    case 'customer-code-used':
    case 'customer-code-expired':
    case 'digits-unknown':
      return { sentence: m.phoneFault({ fault }), next: m.phoneFaultNext({ fault }) }
    case 'taken':
      return { sentence: m.inputTaken(), next: m.inputTakenNext() }
  }
}

/** A job that left its queue was printed or not; it will not print later. */
const hasLeftQueue = (fault: PrintFault): boolean => fault === 'left-queue'

type NotPrinted = Extract<Failure, { readonly kind: 'not-printed' }>

/** The list has the direction of its words: papers that of the screen's language, sizes from left to right. */
export const listed = (names: readonly string[]): string => names.join('\u00a0· ')

/** Why it was not printed, if need be in the words of the print service, and for a refused size what the queue takes. */
function printFaultSentence({ fault, offered, said }: NotPrinted): string {
  const sentence =
    said === undefined ? m.printFault({ fault }) : m.printFaultSaid({ said: isolateName(said) })
  if (offered === undefined) return sentence
  const papers = offered.papers.map((paper) => m.paperName({ paper }))
  if (papers.length > 0) return `${sentence} ${m.papersTaken({ papers: listed(papers) })}`
  const { sizes } = offered
  return `${sentence} ${sizes.length > 0 ? m.sizesOffered({ sizes: listed(sizes) }) : m.sizesUnknown()}`
}

/** Whether the till has no paper for the queue that refused its size. */
const takesNoPaper = ({ offered }: NotPrinted): boolean => offered?.papers.length === 0

/** The next step for a cashier. `press` is the label of the button that prints again. */
const printFaultNext = (failure: NotPrinted, press: string): string =>
  takesNoPaper(failure) ? m.noPaperTakenNext({ press }) : m.printFaultNext({ fault: failure.fault, press })

/**
 * Returns why a slip was not printed. A job that was given up may still print: then the next step begins with a
 * look at the printer, so that no slip is handed out twice.
 */
function printFaultMessage(failure: NotPrinted): Required<UserMessage> {
  const { fault, mayStillPrint } = failure
  const sentence = printFaultSentence(failure)
  const press = m.printNow({ to: 'printer' })
  const next = fault === 'out-of-paper' ? m.slipKeptOutOfPaper({ press }) : printFaultNext(failure, press)
  if (!mayStillPrint) return { sentence, next }
  return {
    sentence: hasLeftQueue(fault) ? sentence : `${sentence} ${m.slipMayStillPrint()}`,
    next: `${m.checkPrinterFirst()} ${next}`
  }
}

/**
 * Returns the same for a copy, a report or a test page. `press` is the label of the button that prints or saves it again.
 * Returns undefined if neither the printer nor the folder is the cause.
 */
export function printoutFaultMessage(failure: Failure, press: string): Required<UserMessage> | undefined {
  if (failure.kind === 'not-saved' && failure.what === 'slip') {
    return { sentence: m.failureNotSaved(failure), next: m.failureNotSavedNext({ ...failure, press }) }
  }
  if (failure.kind !== 'not-printed') return undefined
  const sentence = printFaultSentence(failure)
  const next = printFaultNext(failure, press)
  if (!failure.mayStillPrint) return { sentence, next }
  return {
    sentence: hasLeftQueue(failure.fault) ? sentence : `${sentence} ${m.reportMayStillPrint()}`,
    next: `${m.checkPrinterFirst()} ${next}`
  }
}

/** The faults whose next step is another one for the manager at the printer settings than for a cashier. */
const MANAGER_FAULTS = [
  'unknown-queue',
  'print-system-down',
  'insecure-connection',
  'printer-busy',
  'queue-rejecting',
  'quota-reached',
  'too-many-jobs',
  'printer-fault',
  'refused-size',
  'refused-pdf',
  'refused-commands',
  'aborted',
  'bad-document',
  'permission-denied'
] as const satisfies readonly PrintFault[]

/**
 * Returns the message of a failure in the printer settings, where a manager reads it: `printoutFaultMessage`, without asking
 * a manager. `press` is the label of the button there that tries again.
 */
export function printerSettingsFaultMessage(
  failure: Failure,
  press: string
): Required<UserMessage> | undefined {
  const message = printoutFaultMessage(failure, press)
  const fault =
    failure.kind === 'not-printed' ? MANAGER_FAULTS.find((known) => known === failure.fault) : undefined
  if (message === undefined || fault === undefined || failure.kind !== 'not-printed') return message
  const next = takesNoPaper(failure)
    ? m.noPaperTakenManagerNext({ press })
    : m.printFaultManagerNext({ fault, press })
  return { ...message, next: failure.mayStillPrint ? `${m.checkPrinterFirst()} ${next}` : next }
}

const SILENT: ReadonlySet<PrintFault> = new Set(['printer-offline', 'printer-busy'])

/**
 * Returns the message of a test page that was not printed at `destination`; undefined for other failures. Names the setting
 * for a receipt printer that never answers: such a printer looks like one that is off or in use.
 */
export function testPageFaultMessage(
  failure: Failure,
  destination: PrintDestination | null
): Required<UserMessage> | undefined {
  const to = destination === null ? 'printer' : outputOf(destination)
  const message = printerSettingsFaultMessage(failure, m.printTestPage({ to }))
  const isSilent = failure.kind === 'not-printed' && SILENT.has(failure.fault)
  if (message === undefined || !isSilent) return message
  if (destination?.kind !== 'receipt-printer' || !reportsBack(destination)) return message
  return { ...message, next: `${message.next} ${m.reportsStateNext({ setting: m.reportsState() })}` }
}

/**
 * Returns the message of a failure that means something else while a connection is checked; undefined for the
 * others.
 */
export function connectionFailureMessage(failure: Failure): UserMessage | undefined {
  switch (failure.kind) {
    case 'unauthorised':
      return { sentence: m.connectionRefused(), next: m.connectionRefusedNext() }
    case 'offline':
    case 'timeout':
      return { sentence: m.connectionNoResponse(), next: m.connectionNoResponseNext() }
    case 'not-found':
    case 'bad-response':
      return { sentence: m.connectionNoService(), next: m.connectionNoServiceNext() }
    default:
      return undefined
  }
}
