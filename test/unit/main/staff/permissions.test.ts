import { describe, expect, it } from 'vitest'
import { IPC_METHODS } from '../../../../electron/contract/bridge.ts'
import { requiredRole } from '../../../../electron/main/staff/permissions.ts'

/** Every call of the bridge that has this need, whatever it is given. */
const callsWith = (need: string): string[] =>
  Object.entries(IPC_METHODS).flatMap(([group, calls]) =>
    calls
      .filter((call) => requiredRole(group, call, { country: 'GR' }) === need)
      .map((call) => `${group}.${call}`)
  )

describe('what a call needs', () => {
  it('is the manager for settings, the connection, batches, discards, exports and the staff', () => {
    expect(callsWith('manager')).toEqual([
      'till.startTraining',
      'till.set',
      'connection.check',
      'connection.save',
      'connection.forget',
      'slips.discard',
      'slips.exportCsv',
      'batches.start',
      'batches.resume',
      'batches.cancel',
      'batches.printRest',
      'diagnostics.save',
      'staff.addCashier',
      'staff.changeCashier',
      'staff.removeCashier'
    ])
  })

  it('is nothing for what the page asks by itself behind the lock', () => {
    expect(callsWith('nothing')).toEqual([
      'till.state',
      'till.drawn',
      'connection.refresh',
      'connection.retryConnection',
      'slips.attention',
      'customerDisplay.serving',
      'staff.lock',
      'staff.lockManager',
      'staff.active',
      'staff.unlock',
      'staff.unlockManager',
      'staff.reset'
    ])
  })

  it.each([
    [{ theme: 'dark' }, 'counter'],
    [{ theme: 'dark', tourSeen: true }, 'counter'],
    [{ lockAfterMinutes: null }, 'manager'],
    [{ theme: 'dark', copies: 2 }, 'manager']
  ])('for the settings %j is the %s', (change, need) => {
    expect(requiredRole('till', 'set', change)).toBe(need)
  })

  it('is the manager for a call that nobody entered in the table', () => {
    expect([
      requiredRole('slips', 'constructor', undefined),
      requiredRole('other', 'call', undefined)
    ]).toEqual(['manager', 'manager'])
  })
})
