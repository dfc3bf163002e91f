import { expect, it, vi } from 'vitest'
import { messagesByLanguage } from '../../../generated/messages/pages/all.js'

it('the plural rules of a language are made once, and select by the number', () => {
  const select = vi.spyOn(Intl.PluralRules.prototype, 'select')
  const { en, ar } = messagesByLanguage
  const english = [1, 2].map((count) => en.gained({ count, number: String(count) }))
  expect(english).toEqual(['1 point', '2 points'])
  expect(ar.gained({ count: 2, number: '2' })).not.toBe(ar.gained({ count: 3, number: '2' }))
  const rules = select.mock.contexts
  expect(rules).toHaveLength(4)
  expect(new Set(rules).size).toBe(2)
})
