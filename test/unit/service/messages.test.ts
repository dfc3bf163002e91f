import { describe, expect, it } from 'vitest'
import { ar, de, el, en, es, fr, messageIn } from '../../../electron/service/messages.ts'

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort()

describe.each(Object.entries({ ar, de, el, es, fr }))('messages in %s', (_language, messages) => {
  it('have words of their own and the placeholders of the English ones', () => {
    for (const [key, text] of Object.entries(messages)) {
      const english = Object.entries(en).find(([name]) => name === key)?.[1] ?? ''
      expect([key, placeholders(text)]).toEqual([key, placeholders(english)])
      expect(text).not.toBe(english)
    }
  })
})

describe('a message', () => {
  it('has its placeholders filled in', () => {
    expect(messageIn('de', 'points-too-many', { most: 9_999_999 })).toBe(
      'points darf nicht über 9999999 liegen'
    )
  })
})
