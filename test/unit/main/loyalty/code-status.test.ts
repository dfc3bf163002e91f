import { expect, test } from 'vitest'
import { isCodeUsed } from '../../../../electron/main/loyalty/code-status.ts'

test.each([
  [{ usedDate: '2026-11-20T10:00:00.000Z', status: '' }, true],
  [{ usedDate: '2026-11-20T10:00:00.000Z', status: 'active' }, true],
  [{ usedDate: null, status: 'used' }, true],
  [{ usedDate: null, status: 'USED' }, true],
  [{ usedDate: null, status: 'Redeemed ' }, true],
  [{ usedDate: null, status: 'claimed' }, true],
  [{ usedDate: null, status: 'consumed' }, true],
  [{ usedDate: null, status: 'unused' }, false],
  [{ usedDate: null, status: 'NOT_USED' }, false],
  [{ usedDate: null, status: 'active' }, false],
  [{ usedDate: null, status: 'available' }, false],
  [{ usedDate: null, status: 'new' }, false],
  [{ usedDate: null, status: 'created' }, false],
  [{ usedDate: null, status: 'pending' }, false],
  [{ usedDate: null, status: 'valid' }, false],
  [{ usedDate: '0001-01-01T00:00:00Z', status: 'active' }, false],
  [{ usedDate: '1970-01-01T00:00:00Z', status: 'new' }, false],
  [{ usedDate: '0001-01-01T00:00:00Z', status: '' }, null],
  [{ usedDate: null, status: '' }, null],
  [{ usedDate: null, status: 'expired' }, null],
  [{ usedDate: null, status: 'περίπου' }, null],
  [{ usedDate: null, status: '1' }, null]
])('%j is %s', (qr, used) => {
  expect(isCodeUsed(qr)).toBe(used)
})

test.each([
  ['Used', true],
  ['NOT USED', false],
  ['Eingelöst', true],
  ['EINGELOEST', null],
  ['Nicht verwendet', false],
  ['Utilisé', true],
  ['UTILISE', true],
  ['Non utilisé', false],
  ['Usado', true],
  ['sin usar', false],
  ['Χρησιμοποιήθηκε', true],
  ['ΧΡΗΣΙΜΟΠΟΙΗΜΕΝΟΣ', true],
  ['Δεν έχει χρησιμοποιηθεί', false],
  ['مُستخدَم', true],
  ['غير مستخدم', false],
  ['Abgelaufen', null]
])('the status %j means used: %j', (status, used) => {
  expect(isCodeUsed({ status, usedDate: null })).toBe(used)
})
