import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  clearField,
  deleteBackward,
  focusedTextField,
  insertText
} from '../../../../renderer/src/shortcuts/focus.ts'

const field = (value: string, start: number, end = start): HTMLInputElement => {
  const input = Object.assign(document.createElement('input'), { value })
  document.body.append(input)
  input.focus()
  input.setSelectionRange(start, end)
  return input
}
afterEach(() => {
  document.body.replaceChildren()
})

describe('insertText', () => {
  test('replaces the selection and puts the caret after the inserted text', () => {
    const input = field('1999', 1, 3)
    insertText(input, '2')
    expect(input.value).toBe('129')
    expect(input.selectionStart).toBe(2)
    expect(input.selectionEnd).toBe(2)
  })

  test('respects maxLength', () => {
    const input = field('12', 2)
    input.maxLength = 2
    insertText(input, '3')
    expect(input.value).toBe('12')
  })
})

describe('deleteBackward and clearField', () => {
  test.each([
    ['the character before the caret', 2, 2, '13', 1],
    ['the selection', 0, 2, '3', 0],
    ['nothing at the start', 0, 0, '123', 0]
  ])('deleteBackward removes %s', (_, start, end, left, caret) => {
    const input = field('123', start, end)
    deleteBackward(input)
    expect(input.value).toEqual(left)
    expect(input.selectionStart).toEqual(caret)
  })

  test('clearField dispatches one input event', () => {
    const input = field('123', 1)
    const onInput = vi.fn()
    input.addEventListener('input', onInput)
    clearField(input)
    clearField(input)
    expect(input.value).toBe('')
    expect(onInput).toHaveBeenCalledTimes(1)
  })
})

describe('focusedTextField', () => {
  test('returns the focused field', () => {
    const input = field('', 0)
    expect(focusedTextField(document)).toBe(input)
  })

  test.each([{ readOnly: true }, { type: 'checkbox' }])(
    'returns null for a field that accepts no text: %o',
    (change) => {
      Object.assign(field('', 0), change)
      expect(focusedTextField(document)).toBeNull()
    }
  )
})
