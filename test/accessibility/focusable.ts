/** Finds controls that cannot be scrolled into view or are covered. */
import type { Page } from 'playwright-core'

/** Returns the controls whose centre is not hit by a click, after scrolling to them. */
export const unreachableControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const modal = document.querySelector('[role="dialog"], [role="alertdialog"]')
    const controls = [
      ...(modal ?? document).querySelectorAll<HTMLElement>(
        'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), [tabindex="0"]'
      )
    ].filter(
      (control) =>
        control.checkVisibility({ visibilityProperty: true }) &&
        control.closest('[inert], [aria-hidden="true"], .spoken') === null
    )
    return controls.flatMap((control) => {
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const box = control.getBoundingClientRect()
      const left = Math.max(0, box.left)
      const right = Math.min(innerWidth, box.right)
      const top = Math.max(0, box.top)
      const bottom = Math.min(innerHeight, box.bottom)
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      const isHit = [control, ...labels].some((one) => one.contains(hit) || (hit?.contains(one) ?? false))
      const isWhole = box.left >= -1 && box.right <= innerWidth + 1
      if (hit !== null && isHit && isWhole) return []
      const name = control.getAttribute('aria-label') ?? control.innerText
      return [
        `${control.tagName} ${name.slice(0, 40)} at ${String(Math.round(box.left))},${String(Math.round(box.top))}`
      ]
    })
  })
