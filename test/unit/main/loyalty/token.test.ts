import { expect, test } from 'vitest'
import { parseToken } from '../../../../electron/main/loyalty/index.ts'

test.each([
  ['abc', 'abc'],
  [' eyJh.bGci-_~+/== \n', 'eyJh.bGci-_~+/==']
])('%j is %s', (text, value) => {
  expect(parseToken(text)).toEqual({ ok: true, value })
})

test.each([
  ['', 'missing'],
  [' \t\n', 'missing'],
  ['a b', 'malformed'],
  ['a\r\nx-evil: 1', 'malformed'],
  ['a\u0000', 'malformed'],
  ['clé', 'malformed'],
  ['a\u200bb', 'malformed']
])('%j is %s', (text, fault) => {
  expect(parseToken(text)).toEqual({ ok: false, failure: { kind: 'invalid-input', field: 'token', fault } })
})
