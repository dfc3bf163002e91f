import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  clearField,
  deleteBackward,
  focusedTextField,
  insertText
} from '../../../../renderer/src/shortcuts/text-input.ts'

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

describe('typing on behalf of a key', () => {
  test('replaces what is selected, and leaves the caret behind it', () => {
    const input = field('1999', 1, 3)
    insertText(input, '2')
    expect(input.value).toBe('129')
    expect(input.selectionStart).toBe(2)
    expect(input.selectionEnd).toBe(2)
  })

  test('holds to the longest text', () => {
    const input = field('12', 2)
    input.maxLength = 2
    insertText(input, '3')
    expect(input.value).toBe('12')
  })
})

describe('erasing', () => {
  test.each([
    ['the letter before the caret', 2, 2, '13', 1],
    ['what is selected', 0, 2, '3', 0],
    ['nothing at the beginning', 0, 0, '123', 0]
  ])('takes %s', (_, start, end, left, caret) => {
    const input = field('123', start, end)
    deleteBackward(input)
    expect(input.value).toEqual(left)
    expect(input.selectionStart).toEqual(caret)
  })

  test('all of it tells the field once', () => {
    const input = field('123', 1)
    const heard = vi.fn()
    input.addEventListener('input', heard)
    clearField(input)
    clearField(input)
    expect(input.value).toBe('')
    expect(heard).toHaveBeenCalledTimes(1)
  })
})

describe('the field that is typed into', () => {
  test('is the one with the focus', () => {
    const input = field('', 0)
    expect(focusedTextField(document)).toBe(input)
  })

  test.each([{ readOnly: true }, { type: 'checkbox' }])(
    'is none where nothing can be typed: %o',
    (change) => {
      Object.assign(field('', 0), change)
      expect(focusedTextField(document)).toBeNull()
    }
  )
})
