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
    /** calls `step` in each frame with its time, ms, until it returns false; gives the milliseconds from frame to frame */
    benchFrames?: (step: (sinceFirst: number) => boolean) => Promise<number[]>
    /** what scrolls an element */
    benchScroller?: (row: Element | undefined) => HTMLElement | null
  }
}

/** Puts into the page what both motions need. */
const prepare = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.benchFrames = (step) =>
      new Promise((resolve) => {
        const frames: number[] = []
        let [before, begun]: (number | null)[] = [null, null]
        const frame = (now: number): void => {
          begun ??= now
          if (before !== null && before !== undefined) frames.push(Math.round((now - before) * 10) / 10)
          before = now
          if (step(now - begun)) requestAnimationFrame(frame)
          else resolve(frames)
        }
        requestAnimationFrame(frame)
      })
    window.benchScroller = (row) => {
      let parent = row?.parentElement ?? null
      while (parent && !/auto|scroll/u.test(getComputedStyle(parent).overflowY)) parent = parent.parentElement
      return parent
    }
  })

/** Begins to move the list of customers; what was seen is asked for with `moved`. */
export async function move(page: Page, motion: Motion): Promise<void> {
  await prepare(page)
  await page.evaluate(({ step, most }) => {
    let [rows, end]: [number, number | null] = [0, null]
    let scroller: HTMLElement | null = null
    const moving = window.benchFrames?.((sinceFirst) => {
      const places = document.querySelectorAll('ul[aria-label="Customers"] li')
      rows = Math.max(rows, places.length)
      if (!scroller?.isConnected) scroller = window.benchScroller?.(places[0]) ?? null
      const last = places[places.length - 1]
      const isWhole = last !== undefined && last.ariaSetSize !== '-1'
      const left = scroller ? scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop : 1
      if (isWhole && left < 1) end = Number(last.ariaPosInSet)
      else if (sinceFirst < most) {
        scroller?.scrollBy({ top: step, behavior: 'instant' })
        return true
      }
      return false
    })
    if (moving) window.benchMoved = moving.then((frames) => ({ frames, rows, end }))
  }, motion)
}

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
export async function moveBareRows(page: Page, motion: Motion): Promise<readonly number[]> {
  await prepare(page)
  return page.evaluate(async ({ step, most }) => {
    const shown = [...document.querySelectorAll('ul[aria-label="Customers"] li')]
    const scroller = window.benchScroller?.(shown[0])
    const rows = shown.slice(0, 20).map((row) => {
      const copy = document.createElement('div')
      copy.innerHTML = row.innerHTML
      return copy
    })
    const [first] = rows
    if (!scroller || first === undefined) throw new Error('There is no list to copy')
    const { top, left, width, height: space } = scroller.getBoundingClientRect()
    const box = document.createElement('div')
    box.style.cssText = `position: fixed; overflow: auto; background: white; z-index: 10; top: ${String(top)}px;
      left: ${String(left)}px; width: ${String(width)}px; height: ${String(space)}px`
    box.append(...rows)
    document.body.append(box)
    const height = first.offsetHeight
    let [place, offset] = [0, 0]
    const frames = await window.benchFrames?.((sinceFirst) => {
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
      return sinceFirst < most
    })
    box.remove()
    return frames ?? []
  }, motion)
}
