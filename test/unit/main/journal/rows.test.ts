import { parse } from 'valibot'
import { expect, test } from 'vitest'
import { storedFailureSchema } from '../../../../electron/main/journal/rows.ts'

test.each([
  ['as it is', '{"kind":"tls"}', { kind: 'tls' }],
  [
    'of 0.1.0 with the kind of today',
    '{"kind":"redemption-refused","reason":"points-too-few"}',
    { kind: 'operation-refused', reason: 'points-too-few' }
  ],
  ['of another version as internal', '{"kind":"of-tomorrow"}', { kind: 'internal' }]
])('a stored failure is read: %s', (_name, stored, failure) => {
  expect(parse(storedFailureSchema, stored)).toEqual(failure)
})
