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
const open = (rows: readonly (string | undefined)[], more = {}) =>
  render(VirtualList, {
    rows: { length: rows.length, at: (index: number) => rows[index] },
    label: 'Rows',
    row,
    keyOf: (text: string) => text,
    ...more
  })
const other = (rows: readonly (string | undefined)[]) => ({
  rows: { length: rows.length, at: (index: number) => rows[index] }
})

/** The places that are in the page; what was never measured is hidden. */
const placesHere = () => screen.getAllByRole('listitem', { hidden: true })

beforeEach(() => {
  // jsdom lays nothing out, and has nothing that watches sizes.
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
        // no size ever changes
      }
    }
  )
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a short list', () => {
  test('is in the page as a whole, as a list with its name', () => {
    open(texts(60))
    expect(screen.getByRole('list', { name: 'Rows' })).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(60)
  })

  test('draws two rows of one name', () => {
    open(['same', 'same', 'other'])
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'same',
      'same',
      'other'
    ])
  })

  test('is one stop of the Tab key: the arrows go on from there', async () => {
    open(texts(3))
    expect(screen.getAllByRole('button').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1])
    screen.getAllByRole('button')[1]?.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('row 3')
  })

  test('keeps the focus where a row comes that was awaited', async () => {
    const { rerender } = open(['row 1', undefined])
    const waiting = screen.getByRole('button', { name: 'Loading' })
    waiting.focus()
    await rerender(other(['row 1', 'row 2']))
    await vi.waitFor(() => {
      expect(document.activeElement?.textContent).toBe('row 2')
    })
  })

  test('keeps the focus where a row comes in the moment in which a key has led to its place', async () => {
    const frames: FrameRequestCallback[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
    const { rerender } = open(['row 1', undefined])
    screen.getByRole('button', { name: 'row 1' }).focus()
    await userEvent.keyboard('{ArrowDown}')
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Loading' }))
    })
    await rerender(other(['row 1', 'row 2']))
    // Before anything else: the focus that is nowhere for a moment goes to the home of the place.
    expect(document.activeElement?.textContent).toBe('row 2')
    await vi.waitFor(() => {
      for (const frame of frames.splice(0)) frame(0)
      expect(frames).toEqual([])
    })
    expect(document.activeElement?.textContent).toBe('row 2')
  })

  test('leaves the focus where the cashier took it', async () => {
    const { rerender } = open(['row 1', undefined])
    const elsewhere = document.body.appendChild(document.createElement('button'))
    screen.getByRole('button', { name: 'Loading' }).focus()
    elsewhere.focus()
    await rerender(other(['row 1', 'row 2']))
    expect(document.activeElement).toBe(elsewhere)
    elsewhere.remove()
  })
})

describe('a long list', () => {
  test.each([
    ['beyond sixty rows', 61, {}],
    ['without a known end', 20, { endless: true }]
  ])('%s leaves out of the page what is not in sight', async (_, count, more) => {
    open(texts(count), more)
    await tick()
    expect(screen.getByRole('list', { name: 'Rows' })).toBeTruthy()
    expect(placesHere().length).toBeLessThan(count)
  })

  test('says of each row where it stands, and of how many', async () => {
    open(texts(100))
    await tick()
    const first = placesHere()[0]
    expect(first?.getAttribute('aria-posinset')).toBe('1')
    expect(first?.getAttribute('aria-setsize')).toBe('100')
  })

  test('whose end nobody knows says that', async () => {
    open(texts(100), { endless: true })
    await tick()
    expect(placesHere()[0]?.getAttribute('aria-setsize')).toBe('-1')
  })
})
