import { describe, expect, test } from 'vitest'
import { parseBaseUrl, parseToken } from '../../../../electron/main/loyalty/credentials.ts'

test.each([
  ['https://points.example/api', 'https://points.example/api/'],
  ['https://points.example/api/', 'https://points.example/api/'],
  ['https://points.example/api//', 'https://points.example/api/'],
  ['https://points.example', 'https://points.example/'],
  ['  https://Points.Example:8443/v1/api \n', 'https://points.example:8443/v1/api/'],
  ['points.example/api', 'https://points.example/api/'],
  ['\u2066https://points.exam\u00adple/\u200b\u2069\u00a0', 'https://points.example/'],
  ['points.example:8443/api', 'https://points.example:8443/api/'],
  ['http://127.0.0.1:4010/api', 'http://127.0.0.1:4010/api/'],
  ['http://127.8.9.1/api', 'http://127.8.9.1/api/'],
  ['http://127.1/api', 'http://127.0.0.1/api/'],
  ['http://localhost:4010/api', 'http://localhost:4010/api/'],
  ['http://LOCALHOST/api', 'http://localhost/api/'],
  ['http://[::1]:4010/api', 'http://[::1]:4010/api/'],
  ['https://πόντοι.example/api', 'https://xn--uxahgcv0c.example/api/']
])('%j is %s', (text, value) => {
  expect(parseBaseUrl(text)).toEqual({ ok: true, value })
})

describe('refuses', () => {
  test.each([
    ['', 'missing'],
    ['   ', 'missing'],
    ['http://points.example/api', 'not-https'],
    ['http://192.168.1.5/api', 'not-https'],
    ['http://localhost.evil.example/api', 'not-https'],
    ['http://127.0.0.1.evil.example/api', 'not-https'],
    ['http://0.0.0.0/api', 'not-https'],
    ['ftp://points.example/api', 'not-https'],
    ['https://ada:secret@points.example/api', 'not-an-address'],
    ['ada@points.example/api', 'not-an-address'],
    ['https://points.example/api?x=1', 'not-an-address'],
    ['https://points.example/api?', 'not-an-address'],
    ['https://points.example/api#top', 'not-an-address'],
    ['https://', 'not-an-address'],
    ['https:///api', 'not-an-address'],
    ['https:/points.example/api', 'not-an-address'],
    ['https:points.example/api', 'not-an-address'],
    ['https:\\\\points.example\\api', 'not-an-address'],
    ['//points.example/api', 'not-an-address'],
    ['https://points example/api', 'not-an-address'],
    ['mailto:ada', 'not-an-address'],
    ['javascript:alert(1)', 'not-an-address'],
    ['https://points.example:99999/', 'not-an-address'],
    [`https://points.example/${'a'.repeat(2000)}`, 'too-long']
  ])('%j: %s', (text, fault) => {
    expect(parseBaseUrl(text)).toEqual({
      ok: false,
      failure: { kind: 'invalid-input', field: 'base-url', fault }
    })
  })
})

test.each([
  ['abc', 'abc'],
  [' eyJh.bGci-_~+/== \n', 'eyJh.bGci-_~+/=='],
  ['\u2066a\u200bb\u2069\ufeff', 'ab']
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
  ['a\u00a0b', 'malformed']
])('%j is %s', (text, fault) => {
  expect(parseToken(text)).toEqual({ ok: false, failure: { kind: 'invalid-input', field: 'token', fault } })
})
