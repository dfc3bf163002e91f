import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { commandForKey, COMMANDS } from '../../../../renderer/src/shortcuts/commands.ts'
import { listenForShortcuts } from '../../../../renderer/src/shortcuts/keyboard.ts'

const perform = vi.fn()
let around = { helpOpen: false, locked: false }
let stop: () => void

beforeEach(() => {
  perform.mockReset()
  around = { helpOpen: false, locked: false }
  stop = listenForShortcuts(window, {
    perform,
    helpOpen: () => around.helpOpen,
    locked: () => around.locked,
    decimal: () => ','
  })
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
})

/** Presses a key where the focus is. Gives whether the page's own answer to it was kept away. */
const press = (key: string, change: KeyboardEventInit = {}): boolean => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...change })
  const target = document.activeElement ?? document.body
  target.dispatchEvent(event)
  return event.defaultPrevented
}

const field = (change: { value?: string; maxLength?: number; readOnly?: boolean } = {}): HTMLInputElement => {
  const input = Object.assign(document.createElement('input'), change)
  document.body.append(input)
  input.focus()
  return input
}

const openDialog = (): void => {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  document.body.append(dialog)
}

describe('a key of the table', () => {
  test.each(COMMANDS.map(({ key, id }) => [key, id] as const))('%s gives %s, from any field', (key, id) => {
    field()
    expect(press(key)).toBe(true)
    expect(perform.mock.calls).toEqual([[id]])
  })

  test('stands there once', () => {
    expect(new Set(COMMANDS.map(({ key }) => key)).size).toBe(COMMANDS.length)
    expect(commandForKey('F5')).toBeUndefined()
  })

  test.each([
    ['held down', { repeat: true }],
    ['with Alt', { altKey: true }],
    ['with Shift', { shiftKey: true }],
    ['while a word is composed', { isComposing: true }]
  ])('gives nothing %s', (_, change) => {
    press('F9', change)
    expect(perform).not.toHaveBeenCalled()
  })

  test('gives nothing that somebody else has dealt with', () => {
    const input = field()
    input.addEventListener('keydown', (event) => {
      event.preventDefault()
    })
    press('F2')
    expect(perform).not.toHaveBeenCalled()
  })

  test('gives nothing while the till is locked', () => {
    around.locked = true
    press('F9')
    expect(perform).not.toHaveBeenCalled()
  })
})

describe('while a dialog is open', () => {
  test('no command fires', () => {
    openDialog()
    for (const { key } of COMMANDS) press(key)
    expect(perform).not.toHaveBeenCalled()
  })

  test('Esc is left to the dialog, also when that closes before the key comes here', () => {
    openDialog()
    const close = (): void => {
      document.querySelector('[role=dialog]')?.remove()
    }
    document.addEventListener('keydown', close, { once: true })
    expect(press('Escape')).toBe(false)
    expect(perform).not.toHaveBeenCalled()
  })

  test('F1 closes the sheet that it opened', () => {
    openDialog()
    around.helpOpen = true
    press('F1')
    press('F2')
    expect(perform.mock.calls).toEqual([['help']])
  })
})

describe('the numpad', () => {
  test('types digits with NumLock off, where the caret is', () => {
    const input = field({ value: '15' })
    input.setSelectionRange(1, 1)
    expect(press('ArrowDown', { code: 'Numpad2' })).toBe(true)
    expect(input.value).toBe('125')
    expect(input.selectionStart).toBe(2)
  })

  test('types the decimal sign of the language', () => {
    const input = field({ value: '12' })
    press('Delete', { code: 'NumpadDecimal' })
    expect(input.value).toBe('12,')
  })

  test('tells the field, as typing does', () => {
    const input = field()
    const heard = vi.fn()
    input.addEventListener('input', heard)
    press('Home', { code: 'Numpad7' })
    expect(heard).toHaveBeenCalledOnce()
  })

  test('is left alone with NumLock on, with modifiers, and in a field that is full or read-only', () => {
    const input = field({ value: '12', maxLength: 2 })
    expect(press('5', { code: 'Numpad5' })).toBe(false)
    expect(press('Home', { code: 'Numpad7', shiftKey: true })).toBe(false)
    press('Home', { code: 'Numpad7' })
    expect(input.value).toBe('12')
    field({ readOnly: true })
    expect(press('Home', { code: 'Numpad7' })).toBe(false)
  })

  test('moves in lists with NumLock off: nothing is typed there', () => {
    const button = document.createElement('button')
    document.body.append(button)
    button.focus()
    expect(press('ArrowDown', { code: 'Numpad2' })).toBe(false)
  })
})
