/** Finding what is too small to be touched. */
import type { Page } from 'playwright-core'

/** Smallest side of what a finger touches, in CSS pixels. */
const LEAST = 44

/** A control that is too small, and its size in CSS pixels. */
interface SmallTarget {
  readonly what: string
  readonly width: number
  readonly height: number
}

/**
 * Controls in sight whose place to touch is smaller than 44 × 44 pixels. A box to tick is as large as the label that
 * ticks it too, and a link within a sentence is exempt (WCAG 2.2, 2.5.8).
 */
export const smallTargets = (page: Page): Promise<SmallTarget[]> =>
  page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, summary, [role="button"], [role="tab"], [role="radio"], [role="switch"]'
    )
    const inSight = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('[inert], .spoken') === null
    return [...controls].flatMap((control) => {
      if (!inSight(control)) return []
      if (control instanceof HTMLInputElement && control.type === 'hidden') return []
      if (control instanceof HTMLAnchorElement && getComputedStyle(control).display === 'inline') return []
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      const boxes = [control, ...labels].map((element) => element.getBoundingClientRect())
      const width = Math.max(...boxes.map((box) => box.width))
      const height = Math.max(...boxes.map((box) => box.height))
      // Sizes may end on fractions of a pixel.
      if (width + 0.5 >= least && height + 0.5 >= least) return []
      const what = `${control.tagName} ${control.getAttribute('aria-label') ?? control.innerText}`.slice(
        0,
        60
      )
      return [{ what, width: Math.round(width), height: Math.round(height) }]
    })
  }, LEAST)
