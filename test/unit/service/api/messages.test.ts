import { describe, expect, it } from 'vitest'
import { formatServiceMessage, SERVICE_MESSAGES } from '../../../../electron/service/api/messages.ts'

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort()

const { en, ...translations } = SERVICE_MESSAGES
const english: Readonly<Record<string, string>> = en

describe.each(Object.entries(translations))('messages in %s', (_language, messages) => {
  it.each(Object.entries(messages))(
    '%s is translated and has the placeholders of the English message',
    (key, text) => {
      expect(placeholders(text)).toEqual(placeholders(english[key] ?? ''))
      expect(text).not.toBe(english[key])
    }
  )
})

describe('formatServiceMessage', () => {
  it('replaces placeholders', () => {
    expect(formatServiceMessage('de', 'points-too-many', { max: 9_999_999 })).toBe(
      'points darf nicht über 9999999 liegen'
    )
  })
})
