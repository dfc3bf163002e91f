import { describe, expect, it } from 'vitest'
import { IPC_METHODS } from '../../../../electron/contract/bridge.ts'
import { DEFAULT_TILL_SETTINGS } from '../../../../electron/contract/settings.ts'
import { requiredRole } from '../../../../electron/main/staff/permissions.ts'

/** Returns every call of the bridge that requires this role. */
const callsWith = (role: string): string[] =>
  Object.entries(IPC_METHODS).flatMap(([group, calls]) =>
    calls
      .filter((call) => requiredRole(group, call, { country: 'GR' }, DEFAULT_TILL_SETTINGS) === role)
      .map((call) => `${group}.${call}`)
  )

describe('requiredRole', () => {
  it('is manager for a credit above the limit of a day', () => {
    expect(requiredRole('credits', 'credit', { isApproved: true }, DEFAULT_TILL_SETTINGS)).toBe('manager')
    expect(requiredRole('credits', 'credit', { isApproved: false }, DEFAULT_TILL_SETTINGS)).toBe('cashier')
  })

  it('is manager for settings, connection, batches, discards, exports and staff', () => {
    expect(callsWith('manager')).toEqual([
      'till.startTraining',
      'till.leaveTraining',
      'till.set',
      'connection.check',
      'connection.save',
      'connection.forget',
      'slips.discard',
      'slips.exportCsv',
      'slips.exportCollections',
      'redemptions.undo',
      'credits.undo',
      'returns.take',
      'operations.discard',
      'batches.start',
      'batches.resume',
      'batches.cancel',
      'batches.printRest',
      'printers.printTestPage',
      'printers.startFinding',
      'diagnostics.save',
      'staff.addCashier',
      'staff.changeCashier',
      'staff.removeCashier',
      'privacy.exportCustomer',
      'privacy.forgetCustomer',
      'localInterface.startPairing',
      'localInterface.stopPairing',
      'localInterface.setCaller',
      'localInterface.removeCaller'
    ])
  })

  it('is not required for the calls of the lock screen', () => {
    expect(callsWith('none')).toEqual([
      'till.state',
      'till.rendererReady',
      'connection.refresh',
      'connection.retryConnection',
      'slips.attention',
      'operations.attention',
      'printers.stopFinding',
      'customerDisplay.serving',
      'customerDisplay.stopAskingForPhone',
      'staff.lock',
      'staff.lockManager',
      'staff.active',
      'staff.unlock',
      'staff.unlockManager',
      'staff.reset'
    ])
  })

  it.each([
    [{ theme: 'dark' }, 'cashier'],
    [{ theme: 'dark', tourSeen: true }, 'cashier'],
    [{ lockAfterMinutes: null }, 'manager'],
    [{ theme: 'dark', copies: 2 }, 'manager']
  ])('for the settings %j is %s', (change, role) => {
    expect(requiredRole('till', 'set', change, DEFAULT_TILL_SETTINGS)).toBe(role)
  })

  it.each([
    [true, 'cashier'],
    [false, 'manager']
  ])('for redeeming, when cashiers may: %s, is %s', (byCashiers, role) => {
    const settings = { redemptions: { byCashiers, slip: false } }
    expect(requiredRole('redemptions', 'redeem', {}, settings)).toBe(role)
  })

  it('is manager for a call that is missing in the table', () => {
    expect(requiredRole('slips', 'constructor', undefined, DEFAULT_TILL_SETTINGS)).toBe('manager')
    expect(requiredRole('other', 'call', undefined, DEFAULT_TILL_SETTINGS)).toBe('manager')
  })
})
