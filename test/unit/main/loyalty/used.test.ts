import { expect, test } from 'vitest'
import { usedFrom } from '../../../../electron/main/loyalty/index.ts'

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
  [{ usedDate: null, status: 'χρησιμοποιημένο' }, null]
])('%j is %s', (qr, used) => {
  expect(usedFrom(qr)).toBe(used)
})
