import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  codeForUrl,
  isCodeLike,
  isUrl,
  type IssuedCodes
} from '../../../../electron/main/loyalty/points-code.ts'

const NOTHING_ISSUED: IssuedCodes = { byUrl: () => null, newestCodes: () => [] }

describe('the code of a URL that this till did not issue, without any issued code', () => {
  test.each([
    ['https://points.example/q/AB12', 'AB12'],
    ['https://points.example/q/AB12/', 'AB12'],
    ['HTTPS://POINTS.EXAMPLE/Q/ab12', 'ab12'],
    [' https://points.example/AB12?lang=fr#top\r\n', 'AB12'],
    ['https://points.example/claim?code=AB12&x=1', 'AB12'],
    ['https://points.example/claim?Code=AB%2F12', 'AB/12'],
    ['https://points.example/claim?code=', 'claim'],
    ['https://points.example/collect?qr=AB12', 'AB12'],
    ['https://points.example/q?c=3', '3'],
    ['https://points.example/#/q/AB12', 'AB12'],
    ['https://points.example/#//AB12', 'AB12'],
    ['https://points.example/app#!/claim?code=AB12', 'AB12'],
    ['https://points.example/q/AB%2F12', 'AB/12'],
    ['https://points.example/q/100%', '100%'],
    ['points.example/q/AB12', 'AB12'],
    ['tillpoints://qr/AB12', 'AB12'],
    ['https://points.example', null],
    ['https://points.example/', null]
  ])('%j is guessed as %s', (text, code) => {
    expect(codeForUrl(text, NOTHING_ISSUED)).toEqual({ code, isGuess: true })
  })
})

describe('the code of a URL', () => {
  test('that this till issued is the one in the journal, whatever the URL looks like', () => {
    const pair = { code: 'AB12', url: 'https://short.example/x9Zk' }
    const issued: IssuedCodes = {
      byUrl: (url) => (url === pair.url ? pair : null),
      newestCodes: () => [pair]
    }
    expect(codeForUrl(` ${pair.url}\n`, issued)).toEqual({ code: 'AB12', isGuess: false })
    expect(codeForUrl('https://short.example/other', issued)).toEqual({ code: 'other', isGuess: true })
  })

  test.each([
    ['https://points.example/collect?qr=ABCD', 'https://points.example/collect?qr=EF34&utm=1'],
    ['https://points.example/#/q/ABCD', 'https://points.example/#/q/EF34'],
    ['https://points.example/app?view=ABCD&lang=en', 'https://points.example/app?view=EF34&lang=el'],
    ['https://points.example/ABCD/collect', 'https://points.example/EF34/collect'],
    ['https://points.example/slip-ABCD.html', 'https://points.example/slip-EF34.html']
  ])('is where it is in an issued one: %s', (url, other) => {
    const issued = { ...NOTHING_ISSUED, newestCodes: () => [{ code: 'ABCD', url }] }
    expect(codeForUrl(other, issued)).toEqual({ code: 'EF34', isGuess: false })
  })

  test('of a few characters is a whole part of the URL', () => {
    const url = 'https://points3.example:3000/v3/q?c=3'
    const issued = { ...NOTHING_ISSUED, newestCodes: () => [{ code: '3', url }] }
    expect(codeForUrl('https://points3.example:3000/v3/q?c=41', issued)).toEqual({
      code: '41',
      isGuess: false
    })
  })

  test('is decoded if the issued one is encoded', () => {
    const issued = {
      ...NOTHING_ISSUED,
      newestCodes: () => [{ code: 'A/1', url: 'https://p.example/q/A%2F1' }]
    }
    expect(codeForUrl('https://p.example/q/B%2F2', issued)).toEqual({ code: 'B/2', isGuess: false })
  })

  test('follows the newest pattern that fits', () => {
    const issued = {
      ...NOTHING_ISSUED,
      newestCodes: () => [
        { code: 'N123', url: 'https://new.example/c/N123' },
        { code: null, url: null },
        { code: 'O123', url: 'https://old.example/take/O123/now' }
      ]
    }
    expect(codeForUrl('https://old.example/take/O456/now', issued).code).toBe('O456')
    expect(codeForUrl('https://new.example/c/N456', issued).code).toBe('N456')
  })

  test('of any kind is found or not, without an exception', () => {
    const url = fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true }))
    fc.assert(
      fc.property(url, url, fc.string(), (text, issuedUrl, code) => {
        const issued = { ...NOTHING_ISSUED, newestCodes: () => [{ code, url: issuedUrl }] }
        expect(codeForUrl(text, issued).code).not.toBe('')
      }),
      { numRuns: 30 }
    )
  })
})

test.each([
  ['https://points.example/q/AB12', true],
  ['points.example/AB12', true],
  [' tillpoints://qr/AB12\n', true],
  ['https://', false],
  ['AB12', false],
  ['ada@points.example', false],
  ['mailto:ada@points.example', false],
  ['see https://points.example/AB12', false]
])('%j is a URL: %s', (text, is) => {
  expect(isUrl(text)).toBe(is)
})

test.each([
  ['AB12CD', true],
  [' ab12cd\n', true],
  ['0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d', true],
  ['QWERTYUI', true],
  ['xYzAbC', true],
  ['qr_abc', true],
  ['Anna', false],
  ['Anna-Maria', false],
  ['McDonald', false],
  ['christopher', false],
  ['Anna 12', false],
  ['a1', false],
  ['ada1@points.example', false],
  ['+33612345678', false],
  ['Ελλάδα1', false],
  ['', false]
])('%j looks like a code: %s', (text, looks) => {
  expect(isCodeLike(text)).toBe(looks)
})
