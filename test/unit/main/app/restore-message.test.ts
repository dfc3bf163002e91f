import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../../electron/contract/language.ts'
import { restoreMessage } from '../../../../electron/main/app/restore-message.ts'
import { messagesByLanguage } from '../../../../generated/messages/dialogs/all.js'

describe('the dialog after --restore-journal', () => {
  test('names the number of slips, the file, and the previous journal', () => {
    const { type, message, detail } = restoreMessage(
      { kind: 'restored', slips: 12, keptAs: 'journal.replaced-x.sqlite' },
      '/b.sqlite',
      'en'
    )
    expect(type).toBe('info')
    expect(message).toBe('12 slips were restored.')
    expect(detail).toContain('/b.sqlite')
    expect(detail).toContain('journal.replaced-x.sqlite')
    expect(detail).toContain('--restore-journal')
  })

  test('names no previous journal if there was none', () => {
    const { detail } = restoreMessage({ kind: 'restored', slips: 0, keptAs: null }, '/b', 'en')
    expect(detail).not.toContain('kept')
  })

  test('uses the singular for one slip', () => {
    const { message } = restoreMessage({ kind: 'restored', slips: 1, keptAs: null }, '/b', 'de')
    expect(message).toBe('1 Bon wurde wiederhergestellt.')
  })

  test.each(['not-found', 'damaged', 'newer', 'not-saved'] as const)(
    'names the reason of a failure: %s',
    (reason) => {
      const { type, message, detail } = restoreMessage({ kind: 'not-restored', reason }, '/b', 'en')
      expect(type).toBe('error')
      expect(message).toBe('The slips were not restored. Nothing was changed.')
      expect(detail.length).toBeGreaterThan('\n/b'.length)
    }
  )

  test.each(LANGUAGES)('is shown in the language of the till: %s', (language) => {
    const m = messagesByLanguage[language]
    const failure = restoreMessage({ kind: 'not-restored', reason: 'damaged' }, '/b', language)
    expect(failure.message).toBe(m.slipsNotRestored())
    expect(failure.detail).toBe(`${m.restoreFailure({ reason: 'damaged' })}\n/b`)
    const { detail } = restoreMessage({ kind: 'restored', slips: 3, keptAs: null }, '/b', language)
    expect(detail).toContain(m.restoredFrom({ file: '/b' }))
  })
})
