import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeFromText, codeFromUrl, isCodeUsed } from '../../../../electron/main/loyalty/points-code.ts'

describe('a URL', () => {
  test.each([
    ['https://points.example/q/AB12', 'AB12'],
    ['https://points.example/q/AB12/', 'AB12'],
    ['HTTPS://POINTS.EXAMPLE/Q/ab12', 'ab12'],
    [' https://points.example/AB12?lang=fr#top\r\n', 'AB12'],
    ['https://points.example/claim?code=AB12&x=1', 'AB12'],
    ['https://points.example/claim?Code=AB%2F12', 'AB/12'],
    ['https://points.example/claim?code=', 'claim'],
    ['https://points.example/q/AB%2F12', 'AB/12'],
    ['https://points.example/q/100%', '100%'],
    ['points.example/q/AB12', 'AB12'],
    ['tillpoints://qr/AB12', 'AB12'],
    ['https://points.example', null],
    ['https://points.example/', null],
    ['https://', null],
    ['AB12', null],
    ['ada@points.example', null],
    ['mailto:ada@points.example', null],
    ['see https://points.example/AB12', null]
  ])('%j holds %s', (text, code) => {
    expect(codeFromUrl(text)).toBe(code)
  })
})

describe('a text', () => {
  test.each([
    ['https://points.example/q/AB12', 'AB12'],
    ['AB12CD', 'AB12CD'],
    [' ab12cd\n', 'ab12cd'],
    ['0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d', '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d'],
    ['QWERTYUI', 'QWERTYUI'],
    ['xYzAbC', 'xYzAbC'],
    ['qr_abc', 'qr_abc'],
    ['Anna', null],
    ['Anna-Maria', null],
    ['McDonald', null],
    ['christopher', null],
    ['Anna 12', null],
    ['a1', null],
    ['ada1@points.example', null],
    ['+33612345678', null],
    ['Ελλάδα1', null],
    ['', null]
  ])('%j holds %s', (text, code) => {
    expect(codeFromText(text)).toBe(code)
  })

  test('of any kind never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })),
        (text) => {
          expect(codeFromText(text)).not.toBe('')
        }
      )
    )
  })
})

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
  expect(isCodeUsed(qr)).toBe(used)
})
