import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { createRawSnippet, tick } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import VirtualList from '../../../../renderer/src/components/VirtualList.svelte'
import '../support/english.ts'

const row = createRawSnippet((text: () => string, tabindex: () => number) => ({
  render: () => `<button tabindex="${String(tabindex())}">${text()}</button>`
}))
const texts = (count: number) => Array.from({ length: count }, (_, index) => `row ${index + 1}`)
const renderList = (rows: readonly (string | undefined)[], more = {}) =>
  render(VirtualList, {
    rows: { length: rows.length, at: (index: number) => rows[index] },
    label: 'Rows',
    row,
    keyOf: (text: string) => text,
    ...more
  })
const rowsProps = (rows: readonly (string | undefined)[]) => ({
  rows: { length: rows.length, at: (index: number) => rows[index] }
})

/** All rendered rows, including those hidden until they are measured. */
const renderedRows = () => screen.getAllByRole('listitem', { hidden: true })

beforeEach(() => {
  // jsdom has no layout and no ResizeObserver.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {
        this.disconnect()
      }
      unobserve(): void {
        this.disconnect()
      }
      disconnect(): void {
        // Sizes never change in jsdom.
      }
    }
  )
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('VirtualList with few rows', () => {
  test('renders all rows in a list with an accessible name', () => {
    renderList(texts(60))
    expect(screen.getByRole('list', { name: 'Rows' })).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(60)
  })

  test('renders two rows that have the same key', () => {
    renderList(['same', 'same', 'other'])
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'same',
      'same',
      'other'
    ])
  })

  test('is one tab stop, and arrow keys move the focus from row to row', async () => {
    renderList(texts(3))
    expect(screen.getAllByRole('button').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1])
    screen.getAllByRole('button')[1]?.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('row 3')
  })

  test('keeps the focus on a row when its placeholder is replaced', async () => {
    const { rerender } = renderList(['row 1', undefined])
    const waiting = screen.getByRole('button', { name: 'Loading' })
    waiting.focus()
    await rerender(rowsProps(['row 1', 'row 2']))
    await vi.waitFor(() => {
      expect(document.activeElement?.textContent).toBe('row 2')
    })
  })

  test('keeps the focus when a placeholder is replaced right after an arrow key moved the focus to it', async () => {
    const frames: FrameRequestCallback[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
    const { rerender } = renderList(['row 1', undefined])
    screen.getByRole('button', { name: 'row 1' }).focus()
    await userEvent.keyboard('{ArrowDown}')
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Loading' }))
    })
    await rerender(rowsProps(['row 1', 'row 2']))
    // At once, before keepFocus would move the lost focus to the data-home element.
    expect(document.activeElement?.textContent).toBe('row 2')
    await vi.waitFor(() => {
      for (const frame of frames.splice(0)) frame(0)
      expect(frames).toEqual([])
    })
    expect(document.activeElement?.textContent).toBe('row 2')
  })

  test('does not take the focus back when it moved out of the list before a placeholder is replaced', async () => {
    const { rerender } = renderList(['row 1', undefined])
    const outside = document.body.appendChild(document.createElement('button'))
    screen.getByRole('button', { name: 'Loading' }).focus()
    outside.focus()
    await rerender(rowsProps(['row 1', 'row 2']))
    expect(document.activeElement).toBe(outside)
    outside.remove()
  })
})

describe('VirtualList with many rows', () => {
  test.each([
    ['a list of 61 rows', 61, {}],
    ['a list without a known end', 20, { endless: true }]
  ])('%s renders only the visible rows', async (_, count, more) => {
    renderList(texts(count), more)
    await tick()
    expect(screen.getByRole('list', { name: 'Rows' })).toBeTruthy()
    expect(renderedRows().length).toBeLessThan(count)
  })

  test('sets aria-posinset and aria-setsize of each row', async () => {
    renderList(texts(100))
    await tick()
    const first = renderedRows()[0]
    expect(first?.getAttribute('aria-posinset')).toBe('1')
    expect(first?.getAttribute('aria-setsize')).toBe('100')
  })

  test('sets aria-setsize to -1 when the number of rows is unknown', async () => {
    renderList(texts(100), { endless: true })
    await tick()
    expect(renderedRows()[0]?.getAttribute('aria-setsize')).toBe('-1')
  })

  test('keeps the focused row while two keys lead to a row that cannot take the focus yet', async () => {
    renderList(texts(100))
    await tick()
    const first = renderedRows()[0]?.querySelector('button')
    first?.focus()
    const scroller = document.documentElement
    // jsdom does not scroll, and focuses what is hidden.
    scroller.scrollTo = () => undefined
    const focus = vi.spyOn(HTMLElement.prototype, 'focus').mockReturnValue()
    await userEvent.keyboard('{End}{End}')
    scroller.scrollTop = 5000
    scroller.dispatchEvent(new Event('scroll'))
    await vi.waitFor(() => {
      expect(renderedRows().some((item) => item.dataset['row'] === '1')).toBe(false)
    })
    expect(document.activeElement).toBe(first)
    focus.mockRestore()
  })

  test('stays where the user has scrolled when the focused placeholder is replaced', async () => {
    const frames: FrameRequestCallback[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
    const scrollIntoView = vi.fn()
    HTMLElement.prototype.scrollIntoView = scrollIntoView
    const rows = texts(100)
    const { rerender } = renderList(rows.map(() => undefined))
    await tick()
    renderedRows()[0]?.querySelector('button')?.focus()
    await rerender(rowsProps(rows))
    await vi.waitFor(() => {
      expect(document.activeElement?.textContent).toBe('row 1')
      for (const frame of frames.splice(0)) frame(0)
    })
    await tick()
    expect(scrollIntoView).not.toHaveBeenCalled()
  })
})
