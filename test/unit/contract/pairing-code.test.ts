import { expect, test } from 'vitest'
import { beginsPairingCode, pairingCodeIn } from '../../../electron/contract/pairing-code.ts'

test.each([
  ['WDJB-MJHT'],
  ['wdjbmjht'],
  [' WDJB MJHT '],
  ['wd jb mj ht'],
  ['W-D-J-B.M_J/H T'],
  ['WDJB\u2013MJHT'],
  ['\u2066WDJB\u200b-\u00a0MJHT\u2069\n'],
  ['ＷＤＪＢ－ＭＪＨＴ']
])('%j is a pairing code', (text) => {
  expect(pairingCodeIn(text)).toBe('WDJBMJHT')
})

test.each(['WDJA-MJHT', 'WDJB-MJH', 'WDJB-MJHTT', 'WDJB-MJH7', 'demo', ''])(
  '%j is no pairing code',
  (text) => {
    expect(pairingCodeIn(text)).toBeNull()
  }
)

test.each([
  ['', true],
  ['wdj', true],
  ['WDJB-', true],
  ['WDJB-MJHT', true],
  ['WDJB-MJHTX', false],
  ['eyJh', false],
  ['WDJB7', false]
])('%j begins like a pairing code: %s', (text, expected) => {
  expect(beginsPairingCode(text)).toBe(expected)
})
