import { expect, test } from 'vitest'
import { maskPhone } from '../../../../renderer/src/format/people.ts'

test.each([
  ['+30 690 123 4567', '+30 ••• ••• 4567'],
  ['+44 20 7946 0958', '+44 •• •••• 0958'],
  ['+7 912 345-67-89', '+7 ••• •••-67-89'],
  ['690 123 4567', '••• ••• 4567'],
  ['+306901234567', '+••••••••4567'],
  // A short one keeps half of itself back.
  ['+30 12345', '+30 •••45'],
  ['+30 1', '+30 •'],
  ['', ''],
  ['unknown', 'unknown']
])('%s is shown as %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
})
