import { expect, it } from 'vitest'
import { wordsOf } from '../../../../../electron/main/slips/journal/words.ts'

it.each([
  ['Μαρία  ΠΑΠΑΔΟΠΟΎΛΟΥ', ['μαρια', 'παπαδοπουλου']],
  ['Åse-Øst', ['ase', 'ost']],
  ['Łukasz Weiß', ['lukasz', 'weiss']],
  ['Νίκος', ['νικοσ']],
  ['Nguyễn', ['nguyen']],
  ['محمَّد', ['محمد']],
  ['李小龙', ['李小龙']],
  ['ไม้ ไม', ['ไม้', 'ไม']],
  ['O’Brien "x"', ['o', 'brien', 'x']],
  ['  ', []]
])('%s is found by %j', (name, words) => {
  expect(wordsOf(name)).toEqual(words.map((word) => word.normalize('NFKC')))
})
