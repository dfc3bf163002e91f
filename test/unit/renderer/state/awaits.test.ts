/**
 * Whatever the page awaits, something else may be typed, chosen or connected meanwhile. Each method that does something after an
 * await has a row here: the test of what happens then, or why nothing can go wrong. A new one without a row fails.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../../../resources/scripts/tools.ts'
import { testTitles } from '../../security/test-titles.ts'
import { awaitsOf } from '../support/awaits.ts'

/** By the title of the test, or its beginning. */
const TESTED: Readonly<Record<string, string>> = {
  'Attention.load': 'a page that was asked for before a slip changed is read again',
  'Attention.more': 'lists no slip again that was done with while the next page was read',
  'Attention.#act': 'a pending action keeps the row',
  'Attention.#refresh': 'sends one more count request when several slips change during a request',
  'Attention.#readAgain': 'a list that grows while its pages are read again has each slip once',
  'UnansweredOperations.refresh': 'of two reads of unanswered operations the later one counts',
  'Batches.submit': 'a batch that was started after its form was closed is not opened',
  'BillLinks.take': 'a bill asks before it replaces what was typed while it was fetched',
  'Checkout.readCustomer': 'keeps the balance that an operation told meanwhile',
  'Checkout.chooseOnlyMatch': 'Enter for an earlier text does nothing',
  'Checkout.enterSearch': 'does not move the focus to the rows of an earlier one',
  'Checkout.register': 'a customer who was registered after the form was closed is not chosen',
  'Checkout.print': 'that fails leaves the focus where the next customer is typed',
  'Checkout.restoreSlip': 'changes nothing when %s came meanwhile',
  'AttentionRow.restoreSlip': 'changes nothing when %s came meanwhile',
  'CodeCheck.check': 'the result of a code that was replaced is not shown',
  'ConnectionSetup.check': 'what was typed during a check stays, and is checked next',
  'CustomerSearch.searchNow': 'Enter for an earlier text does nothing',
  'CustomerSearch.#run': 'ignores the result of an earlier text',
  'CustomerList.readChosen': 'details that are read again do not come back for a customer who was left',
  'DraftSync.#restore': 'DraftSync replaces nothing that was typed before the draft could be read',
  'DraftSync.#save': 'DraftSync saves what was refused while locked',
  'IssuedSlips.#act': 'that was dismissed stays so when its attempt %s',
  'IssuedToday.#read': 'is read at the start and after a slip with a code, once for all that come meanwhile',
  'IpcClient.invoke': 'a call that waits for the manager’s PIN is not made after it was taken back',
  'AsyncRequest.run': 'ignores the result of a request that a later one replaced',
  'LocalInterfaceForm.savePort': 'that was typed while another one is saved stays',
  'ProgramPairing.start': 'a code that comes after the dialog was closed is withdrawn',
  'MovedPrinterQuestion.accept': 'a slip that waits for the printer since the question was answered',
  'NewPinForm.#submitRepeated': 'a second dialog of the manager’s PIN closes with the first one',
  'PinForm.submit': 'that was left opens nothing when it is answered',
  'PagedList.restart': 'restart ignores the result of the pending request',
  'PagedList.#readMissing': 'none is skipped when one is added while a block is read',
  'PhoneRequest.ask': 'a question that failed after it was stopped does not end the next one',
  'PointsForm.#askForCredit': 'leave what is said of the points that were typed before the PIN',
  'PointsForm.#deliver': 'leaves nothing to the next customer, whose form its slip does not touch',
  'PointsForm.#issue': 'leaves nothing to the next customer, whose form its answer does not touch',
  'PointsRuleForm.save': 'PointsRuleForm that is turned off while its first rule is saved',
  'PrinterForm.choose': 'a printer that is chosen while another one is saved stays chosen',
  'PrinterForm.saveTyped': 'an address that was typed while another one is saved stays',
  'PrinterSearch.start': 'a start that failed after it was stopped does not close the next one',
  'RedeemForm.redeem': 'an answer does not replace a later state that was told before it',
  'RedeemForm.#readCost': 'asks again only once the new cost of a dearer reward is known',
  'Report.read': 'the report of days that were left is not shown',
  'ScanDispatcher.#lookUp': 'a customer who is typed while a scan is looked up stays',
  'ScanDispatcher.#checkCode': 'a code that is typed while a scan is checked stays',
  SlipList: 'a search that is answered after all slips were asked for again',
  'SlipSettingsForm.#requestPreview': 'SlipSettingsForm shows the preview that was requested last',
  'StaffForm.add': 'the name of the next cashier stays when the first one was added',
  'StaffForm.#change': 'of two changes at once the second one is not made',
  'StaffLock.reset': 'a reset of the manager’s PIN that was left closes the prompt',
  'ForgottenPinForm.submit': 'that was left opens nothing when it is answered',
  'Till.set': 'options that are changed while another change is saved are all saved',
  'Till.#change': 'is accepted from the answer to a change that another call superseded',
  'AttentionList.discard': 'the dialog of another slip stays when the first slip was discarded',
  'CashierRow.rename': 'another name of a cashier stays when the first one was saved',
  'UpdateSettings.keep': 'another update server stays when the first one was saved',
  focusAfter: 'the focus stays in the address when the token of another one was refused',
  VirtualList: 'keeps the focus on a row when its placeholder is replaced',
  'RovingFocus.#moveTo': 'keeps the focused row while two keys lead to a row',
  'RovingFocus.#focusRow': 'does not take the focus back when it moved out of the list'
}

/** By why nothing can go wrong. */
const SAFE: Readonly<Record<string, readonly string[]>> = {
  'of several calls the latest counts, and the answer depends on nothing that is typed or chosen': [
    'Batches.#read',
    'CustomerOperations.follow.read',
    'CustomerPrivacy.forget',
    'CustomerSearch.more',
    'PrinterForm.readPrinters',
    'RecentSlips.read',
    'RecentlyServed.read',
    'Rewards.open',
    'Rewards.read',
    'Rewards.stop'
  ],
  'the answer is the whole state of the till': [
    'ConnectionSetup.save',
    'LocalInterfaceForm.#change',
    'StaffLock.#run',
    'Till.retryConnection'
  ],
  'the answer is kept for what was asked for': [
    'Batches.#act',
    'IssuedSlips.cancelPrint',
    'Report.print',
    'Rewards.choose',
    'Rewards.#readDetails'
  ],
  'of two states the one with the higher revision counts': [
    'RedeemForm.undo',
    'ReturnForm.take',
    'UndoCreditForm.undo'
  ],
  'one at a time, with disabled buttons or in a modal dialog': [
    'ConnectionForm.save',
    'LinkPhoneDialog.link',
    'Reprint.print',
    'UpdateActions.install'
  ],
  'what follows reads again': [
    'UnansweredOperations.askAgain',
    'UnansweredOperations.discard',
    'UpdateActions.saveFeed'
  ],
  'returns the answer, and changes nothing': ['CustomerList', 'IpcClient.#call', 'IssuedSlips.print'],
  'compares a number that each later call raises': ['CustomerDisplayApp', 'CustomerDisplayApp.show', 'load'],
  'the fault, whose field takes the focus, was found before the call': [
    'PointsSettings.save',
    'PointsSettings.saveQuickKeys',
    'ReceiptConnectionForm.save'
  ],
  'waits for code or a frame, not for the main process': [
    'LazyScreen.loadOrReport',
    'TillNumberPad.inField',
    'chooseReading',
    'listenForScans.end'
  ]
}

const pathsOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: PROJECT }).map((path) => join(PROJECT, path))

describe('what follows an await', () => {
  it('has one row for each method of the page', () => {
    const found = pathsOf('renderer/src/**/*.{ts,svelte}').flatMap(awaitsOf)
    expect([...Object.keys(TESTED), ...Object.values(SAFE).flat()].toSorted()).toEqual(found.toSorted())
  })

  it('is tested where a row says so', () => {
    const titles = pathsOf('test/unit/renderer/**/*.test.ts').flatMap(testTitles)
    const missing = Object.values(TESTED).filter(
      (title) => !titles.some((one) => one.slice(1).startsWith(title))
    )
    expect(missing).toEqual([])
  })

  it('is found in methods and functions, unless nothing follows', () => {
    const file = join(import.meta.dirname, '../support/awaits.example.txt')
    expect(awaitsOf(file)).toEqual(['Example.acts', 'Example.loops', 'Example.uses', 'follows'])
  })
})
