import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  commandForKey,
  COMMANDS,
  shortcutsOf,
  listenForShortcuts
} from '../../../../renderer/src/shortcuts/commands.ts'

const perform = vi.fn()
let state = { helpOpen: false, locked: false }
let stop: () => void

beforeEach(() => {
  perform.mockReset()
  state = { helpOpen: false, locked: false }
  stop = listenForShortcuts(window, {
    perform,
    helpOpen: () => state.helpOpen,
    locked: () => state.locked,
    decimal: () => ','
  })
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
})

/** Presses a key on the focused element. Returns whether the default was prevented. */
const press = (key: string, change: KeyboardEventInit = {}): boolean => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...change })
  const target = document.activeElement ?? document.body
  target.dispatchEvent(event)
  return event.defaultPrevented
}

/** Presses a key as the table of the commands names it. With Alt the keyboard's layout decides the character. */
const pressShortcut = (shortcut: string): boolean =>
  shortcut.startsWith('Alt+')
    ? press('¡', { altKey: true, code: shortcut.replace('Alt+', 'Digit') })
    : press(shortcut)

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

describe('listenForShortcuts', () => {
  test.each(COMMANDS.flatMap(({ id }) => shortcutsOf(id).map((key, index) => [key, id, index] as const)))(
    'the key %s runs the command %s, %s, while a field has the focus',
    (key, id, index) => {
      field()
      expect(pressShortcut(key)).toBe(true)
      expect(perform.mock.calls).toEqual([[id, index]])
    }
  )

  test('assigns each key to one command', () => {
    const keys = COMMANDS.flatMap(({ id }) => shortcutsOf(id))
    expect(new Set(keys).size).toBe(keys.length)
    expect(commandForKey('F5')).toBeUndefined()
  })

  test.each([
    ['held down', { repeat: true }],
    ['with Alt', { altKey: true }],
    ['with Shift', { shiftKey: true }],
    ['during a composition', { isComposing: true }]
  ])('ignores a key %s', (_, change) => {
    press('F9', change)
    expect(perform).not.toHaveBeenCalled()
  })

  test('ignores a key event whose default was prevented', () => {
    const input = field()
    input.addEventListener('keydown', (event) => {
      event.preventDefault()
    })
    press('F2')
    expect(perform).not.toHaveBeenCalled()
  })

  test('ignores keys while the till is locked', () => {
    state.locked = true
    press('F9')
    expect(perform).not.toHaveBeenCalled()
  })
})

describe('listenForShortcuts while a dialog is open', () => {
  test('runs no command', () => {
    openDialog()
    for (const { id } of COMMANDS) shortcutsOf(id).forEach(pressShortcut)
    expect(perform).not.toHaveBeenCalled()
  })

  test('leaves Escape to the dialog, also when the dialog closes before the event arrives', () => {
    openDialog()
    const close = (): void => {
      document.querySelector('[role=dialog]')?.remove()
    }
    document.addEventListener('keydown', close, { once: true })
    expect(press('Escape')).toBe(false)
    expect(perform).not.toHaveBeenCalled()
  })

  test('F1 closes the help dialog', () => {
    openDialog()
    state.helpOpen = true
    press('F1')
    press('F2')
    expect(perform.mock.calls).toEqual([['help', 0]])
  })
})

describe('numpad keys', () => {
  test('insert digits at the caret when NumLock is off', () => {
    const input = field({ value: '15' })
    input.setSelectionRange(1, 1)
    expect(press('ArrowDown', { code: 'Numpad2' })).toBe(true)
    expect(input.value).toBe('125')
    expect(input.selectionStart).toBe(2)
  })

  test('insert the decimal separator of the language', () => {
    const input = field({ value: '12' })
    press('Delete', { code: 'NumpadDecimal' })
    expect(input.value).toBe('12,')
  })

  test('dispatch an input event', () => {
    const input = field()
    const onInput = vi.fn()
    input.addEventListener('input', onInput)
    press('Home', { code: 'Numpad7' })
    expect(onInput).toHaveBeenCalledOnce()
  })

  test('are ignored with NumLock on, with modifiers, and in full or read-only fields', () => {
    const input = field({ value: '12', maxLength: 2 })
    expect(press('5', { code: 'Numpad5' })).toBe(false)
    expect(press('Home', { code: 'Numpad7', shiftKey: true })).toBe(false)
    press('Home', { code: 'Numpad7' })
    expect(input.value).toBe('12')
    field({ readOnly: true })
    expect(press('Home', { code: 'Numpad7' })).toBe(false)
  })

  test('insert nothing when the focused element is no text field', () => {
    const button = document.createElement('button')
    document.body.append(button)
    button.focus()
    expect(press('ArrowDown', { code: 'Numpad2' })).toBe(false)
  })
})
