import { describe, expect, test } from 'vitest'
import { restoreMessage } from '../../../../electron/main/app/restore-message.ts'

describe('the dialog after --restore-journal', () => {
  test('names the number of slips, the file, and the previous journal', () => {
    const { type, message, detail } = restoreMessage(
      { kind: 'restored', slips: 12, keptAs: 'journal.replaced-x.sqlite' },
      '/b.sqlite'
    )
    expect(type).toBe('info')
    expect(message).toBe('12 slips were restored.')
    expect(detail).toContain('/b.sqlite')
    expect(detail).toContain('journal.replaced-x.sqlite')
  })

  test('names no previous journal if there was none', () => {
    expect(restoreMessage({ kind: 'restored', slips: 0, keptAs: null }, '/b').detail).not.toContain('kept')
  })

  test.each(['not-found', 'damaged', 'newer', 'not-saved'] as const)(
    'names the reason of a failure: %s',
    (reason) => {
      const { type, message, detail } = restoreMessage({ kind: 'not-restored', reason }, '/b')
      expect(type).toBe('error')
      expect(message).toBe('The slips were not restored. Nothing was changed.')
      expect(detail.length).toBeGreaterThan('\n/b'.length)
    }
  )
})
