import { describe, expect, test } from 'vitest'
import { restoredMessage } from '../../../../electron/main/app/restore-message.ts'

describe('what is said of restoring', () => {
  test('names the number of slips, the file, and what is kept of the list before', () => {
    const { type, message, detail } = restoredMessage(
      { kind: 'restored', slips: 12, keptAs: 'journal.replaced-x.sqlite' },
      '/b.sqlite'
    )
    expect([type, message]).toEqual(['info', 'The list of slips was restored, with 12 slips.'])
    expect(detail).toContain('/b.sqlite')
    expect(detail).toContain('journal.replaced-x.sqlite')
  })

  test('says nothing of a list before where there was none', () => {
    expect(restoredMessage({ kind: 'restored', slips: 0, keptAs: null }, '/b').detail).not.toContain('kept')
  })

  test.each(['not-found', 'damaged', 'newer', 'not-saved'] as const)(
    'says why it was not done: %s',
    (reason) => {
      const { type, message, detail } = restoredMessage({ kind: 'not-restored', reason }, '/b')
      expect([type, message]).toEqual(['error', 'The list of slips was not restored. It is as it was.'])
      expect(detail.length).toBeGreaterThan('\n/b'.length)
    }
  )
})
