/** Frames of the page while a list scrolls: a script in the page moves the list in each frame, and notes its time. */
import type { Page } from '@playwright/test'

/** How a list is moved. */
export interface Motion {
  /** CSS pixels a frame */
  readonly step: number
  /** ms; it ends earlier at the end of the list */
  readonly most: number
}

/** What was seen of it. */
export interface Moved {
  /** milliseconds from each frame to the next, by the frames' own clock */
  readonly frames: readonly number[]
  /** most rows of the list that were in the page in any frame */
  readonly rows: number
  /** the place of the last row, from 1, where the motion came to the end of the list; otherwise null */
  readonly end: number | null
}

declare global {
  interface Window {
    benchMoved?: Promise<Moved>
  }
}

/** Begins to move the list of customers; what was seen is asked for with `moved`. */
export const move = (page: Page, motion: Motion): Promise<void> =>
  page.evaluate(({ step, most }) => {
    const rowsNow = (): NodeListOf<HTMLElement> => document.querySelectorAll('ul[aria-label="Customers"] li')
    const scrollerOf = (row: HTMLElement | undefined): HTMLElement | null => {
      let parent = row?.parentElement ?? null
      while (parent && !/auto|scroll/u.test(getComputedStyle(parent).overflowY)) parent = parent.parentElement
      return parent
    }
    window.benchMoved = new Promise((resolve) => {
      const frames: number[] = []
      let rows = 0
      let before: number | null = null
      let begun: number | null = null
      let scroller: HTMLElement | null = null
      const frame = (now: number): void => {
        begun ??= now
        if (before !== null) frames.push(Math.round((now - before) * 10) / 10)
        before = now
        const places = rowsNow()
        rows = Math.max(rows, places.length)
        if (!scroller?.isConnected) scroller = scrollerOf(places[0])
        const last = places[places.length - 1]
        const isWhole = last !== undefined && last.ariaSetSize !== '-1'
        const left = scroller ? scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop : 1
        if (isWhole && left < 1) resolve({ frames, rows, end: Number(last.ariaPosInSet) })
        else if (now - begun >= most) resolve({ frames, rows, end: null })
        else {
          scroller?.scrollBy({ top: step, behavior: 'instant' })
          requestAnimationFrame(frame)
        }
      }
      requestAnimationFrame(frame)
    })
  }, motion)

/** What was seen since `move`; resolves when the motion ended. */
export const moved = async (page: Page): Promise<Moved> => {
  const seen = await page.evaluate(() => window.benchMoved)
  if (!seen) throw new Error('Nothing moves')
  return seen
}

/**
 * Moves twenty rows of the list without the list, in its place: the same markup, whose first row goes behind the last one
 * with another text as soon as it is out of sight. It is the least that other rows cost.
 */
export const moveBareRows = (page: Page, motion: Motion): Promise<readonly number[]> =>
  page.evaluate(async ({ step, most }) => {
    const shown = [...document.querySelectorAll('ul[aria-label="Customers"] li')]
    let scroller = shown[0]?.parentElement
    while (scroller && !/auto|scroll/u.test(getComputedStyle(scroller).overflowY))
      scroller = scroller.parentElement
    if (!scroller) throw new Error('There is no list to copy')
    const { top, left, width, height: space } = scroller.getBoundingClientRect()
    const box = document.createElement('div')
    Object.assign(box.style, {
      position: 'fixed',
      top: `${String(top)}px`,
      left: `${String(left)}px`,
      width: `${String(width)}px`,
      height: `${String(space)}px`,
      overflow: 'auto',
      background: 'white',
      zIndex: '10'
    })
    const rows = shown.slice(0, 20).map((row) => {
      const copy = document.createElement('div')
      copy.innerHTML = row.innerHTML
      return copy
    })
    box.append(...rows)
    document.body.append(box)
    const [first] = rows
    if (first === undefined) throw new Error('There is no row to copy')
    const height = first.offsetHeight
    const frames: number[] = []
    let place = 0
    await new Promise<void>((resolve) => {
      let before: number | null = null
      let begun: number | null = null
      let offset = 0
      const frame = (now: number): void => {
        begun ??= now
        if (before !== null) frames.push(Math.round((now - before) * 10) / 10)
        before = now
        offset += step
        const passed = Math.floor(offset / height)
        offset -= passed * height
        for (const row of rows.splice(0, passed)) {
          place++
          for (const text of row.querySelectorAll('bdi')) text.textContent = `Maria ${String(place)}`
          rows.push(row)
          box.append(row)
        }
        box.scrollTo({ top: offset, behavior: 'instant' })
        if (now - begun >= most) resolve()
        else requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })
    box.remove()
    return frames
  }, motion)
