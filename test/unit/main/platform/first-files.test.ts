import { expect, test } from 'vitest'
import { fontsAtFirst } from '../../../../electron/main/platform/first-files.ts'

const LATIN = 'inter-latin-wght-normal-'

test.each([
  [['English', 'Café Œuvre ıß'], []],
  [['English', 'Łódź'], ['inter-latin-ext-wght-normal-']],
  [['Ελληνικά'], ['inter-greek-wght-normal-']],
  [['English', 'Kiosk', 'София'], ['inter-cyrillic-wght-normal-']],
  [['العربية', '喫茶店'], []]
])('of the font, %j need Latin and %j', (words, others) => {
  expect(fontsAtFirst(words)).toEqual([LATIN, ...others])
})
