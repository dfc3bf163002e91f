import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFocus } from '../../../../renderer/src/shortcuts/focus.ts'

let stop: () => void
let locked = false

beforeEach(() => {
  locked = false
  document.body.innerHTML =
    '<nav><a href="#till" aria-current="page">Till</a></nav><main><input data-home><button>Print</button></main>'
  stop = keepFocus(window, () => locked)
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

test('keepFocus moves the focus to the data-home element when the focused button is removed', async () => {
  find('button').focus()
  find('button').remove()
  await focused()
  expect(document.activeElement).toBe(find('[data-home]'))
})

test('keepFocus restores the focus after a tap on an empty area', async () => {
  const button = find('button')
  button.focus()
  document.dispatchEvent(new Event('pointerdown'))
  button.blur()
  document.dispatchEvent(new Event('pointerup'))
  await focused()
  expect(document.activeElement).toBe(button)
})

test('keepFocus falls back to the current navigation link without a data-home element, field or button', async () => {
  find('[data-home]').remove()
  find('button').focus()
  find('button').remove()
  await focused()
  expect(document.activeElement).toBe(find('nav a'))
})

test('keepFocus moves the focus while rows are loading, for as long as the service is slow', async () => {
  find('main').insertAdjacentHTML('beforeend', '<section><ul aria-busy="true"></ul></section>')
  find('button').focus()
  find('button').remove()
  await focused()
  expect(document.activeElement).toBe(find('[data-home]'))
})

test('keepFocus does nothing while a screen is loading', async () => {
  find('button').focus()
  find('main').innerHTML = '<div aria-busy="true"></div>'
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(document.activeElement).toBe(document.body)
  find('main').innerHTML = '<input data-home>'
  await focused()
})

test('keepFocus keeps the focus in a dialog, and on its button once that is enabled again', async () => {
  document.body.insertAdjacentHTML(
    'beforeend',
    '<div role="dialog" tabindex="-1"><button id="retry">Try again</button></div>'
  )
  const [dialog, retry] = [find('[role="dialog"]'), find('#retry')]
  retry.focus()
  // As browsers do: jsdom leaves the focus on a disabled button.
  retry.blur()
  retry.setAttribute('disabled', '')
  await focused()
  expect(document.activeElement).toBe(dialog)
  retry.removeAttribute('disabled')
  await vi.waitFor(() => expect(document.activeElement).toBe(retry))
})

test('keepFocus does nothing while the till is locked, or for a dialog that takes no focus', async () => {
  locked = true
  find('button').focus()
  find('button').remove()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(document.activeElement).toBe(document.body)
  locked = false
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'alertdialog')
  document.body.append(dialog)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(document.activeElement).toBe(document.body)
  dialog.remove()
  await focused()
})
