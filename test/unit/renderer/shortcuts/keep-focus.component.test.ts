import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFocus } from '../../../../renderer/src/shortcuts/keep-focus.ts'

let stop: () => void
let resting = false

beforeEach(() => {
  resting = false
  document.body.innerHTML =
    '<nav><a href="#till" aria-current="page">Till</a></nav><main><input data-home><button>Print</button></main>'
  stop = keepFocus(window, () => resting)
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
})

const find = (selector: string): HTMLElement => {
  const element = document.querySelector<HTMLElement>(selector)
  if (!element) throw new Error(selector)
  return element
}
const focused = () => vi.waitFor(() => expect(document.activeElement).not.toBe(document.body))

test('a button that is gone leaves the focus to the home of the place', async () => {
  find('button').focus()
  find('button').remove()
  await focused()
  expect(document.activeElement).toBe(find('[data-home]'))
})

test('a tap on an empty place leaves it where it was', async () => {
  const button = find('button')
  button.focus()
  document.dispatchEvent(new Event('pointerdown'))
  button.blur()
  document.dispatchEvent(new Event('pointerup'))
  await focused()
  expect(document.activeElement).toBe(button)
})

test('where a place has no home, it is the first thing to type in, to press, or the place itself', async () => {
  find('[data-home]').remove()
  find('button').focus()
  find('button').remove()
  await focused()
  expect(document.activeElement).toBe(find('nav a'))
})

test('nothing is taken from a dialog, nor while the till is locked', async () => {
  resting = true
  find('button').focus()
  find('button').remove()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(document.activeElement).toBe(document.body)
  resting = false
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'alertdialog')
  document.body.append(dialog)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(document.activeElement).toBe(document.body)
  dialog.remove()
  await focused()
})
