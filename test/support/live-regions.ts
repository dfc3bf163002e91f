/** What a screen reader says by itself: the changes of the live regions of a page. */
import type { Page } from 'playwright-core'

/** `said` was spoken; `lost` came together with its region, which most screen readers do not speak. */
export interface Announcement {
  readonly kind: 'said' | 'lost'
  readonly text: string
}

/**
 * Listens to the live regions of a page, also of those after it in the same tab. A region is spoken when its text changes
 * while it is in the accessibility tree; an alert when it appears, too. Returns a function that resolves with the
 * announcements so far, in their order.
 */
export async function listenToLiveRegions(page: Page): Promise<() => Promise<Announcement[]>> {
  const heard: Announcement[] = []
  await page.exposeFunction('heardByScreenReader', (announcement: Announcement) => heard.push(announcement))
  await page.evaluate(() => {
    const LIVE = '[aria-live], [role="status"], [role="alert"], [role="log"], output'
    const isLive = (element: Element): boolean => {
      const live = element.getAttribute('aria-live')
      return element.matches(LIVE) && live !== 'off'
    }
    const regionOf = (node: Node): Element | null => {
      for (let at = node instanceof Element ? node : node.parentElement; at; at = at.parentElement) {
        if (at.hasAttribute('aria-live') || at.matches(LIVE)) return isLive(at) ? at : null
      }
      return null
    }
    const isExposed = (element: Element): boolean => {
      const modal = document.querySelector('dialog:modal')
      return (
        element.checkVisibility() &&
        element.closest('[inert], [aria-hidden="true"]') === null &&
        (modal === null || modal.contains(element))
      )
    }
    /** The text of a node as it is spoken: what is hidden is not. */
    const textOf = (node: Node): string => {
      if (node instanceof Text) return node.data
      if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
      if (!node.checkVisibility()) return ''
      const label = node.getAttribute('aria-label')
      return label ?? [...node.childNodes].map(textOf).join(' ')
    }
    const clean = (text: string): string =>
      text
        .replace(/[\u2066-\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .trim()
    const known = new WeakSet<Element>(document.querySelectorAll(LIVE))
    const tell = (kind: 'said' | 'lost', text: string): void => {
      const words = clean(text)
      if (words === '') return
      const { heardByScreenReader } = window as unknown as {
        heardByScreenReader: (announcement: { kind: string; text: string }) => void
      }
      heardByScreenReader({ kind, text: words })
    }
    new MutationObserver((records) => {
      const changed = new Set<Element>()
      const added = new Map<Element, Node[]>()
      const fresh = new Set<Element>()
      for (const { type, target, addedNodes } of records) {
        const nodes = type === 'characterData' ? [target] : [...addedNodes]
        for (const node of nodes) {
          if (!node.isConnected) continue
          const region = regionOf(node)
          if (region) {
            changed.add(region)
            added.set(region, [...(added.get(region) ?? []), node])
          }
          if (node instanceof Element)
            for (const inner of node.querySelectorAll(LIVE)) if (isLive(inner)) fresh.add(inner)
        }
        if (type === 'attributes' && target instanceof Element && isLive(target) && !known.has(target))
          fresh.add(target)
      }
      for (const region of new Set([...changed, ...fresh])) {
        const isKnown = known.has(region)
        known.add(region)
        if (!isExposed(region)) continue
        if (!isKnown) tell(region.matches('[role="alert"]') ? 'said' : 'lost', textOf(region))
        else if (region.matches('[role="status"], [role="alert"], [aria-atomic="true"]'))
          tell('said', textOf(region))
        else for (const node of added.get(region) ?? []) tell('said', textOf(node))
      }
    }).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['role', 'aria-live']
    })
  })
  return async () => {
    // What the page has changed by now is delivered.
    await page.evaluate(() => new Promise(requestAnimationFrame))
    return [...heard]
  }
}
