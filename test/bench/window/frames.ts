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

/** Moves a plain list of twenty rows up and down above the page; the same step, the same window. */
export const movePlain = (page: Page, motion: Motion): Promise<readonly number[]> =>
  page.evaluate(async ({ step, most }) => {
    const box = document.createElement('div')
    Object.assign(box.style, {
      position: 'fixed',
      inset: '100px 300px',
      overflow: 'auto',
      background: 'white',
      zIndex: '10'
    })
    for (let row = 1; row <= 20; row++) {
      const line = document.createElement('div')
      line.style.height = '65px'
      line.textContent = `Row ${String(row)}`
      box.append(line)
    }
    document.body.append(box)
    const frames: number[] = []
    await new Promise<void>((resolve) => {
      let before: number | null = null
      let begun: number | null = null
      let direction = step
      const frame = (now: number): void => {
        begun ??= now
        if (before !== null) frames.push(Math.round((now - before) * 10) / 10)
        before = now
        const at = box.scrollTop
        box.scrollBy({ top: direction, behavior: 'instant' })
        if (box.scrollTop === at) direction = -direction
        if (now - begun >= most) resolve()
        else requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })
    box.remove()
    return frames
  }, motion)
