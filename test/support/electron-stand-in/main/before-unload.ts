import type { PageTarget } from './page-target.ts'

/**
 * Runs the page's beforeunload handlers and returns whether one objects. As in a browser, only a page with user
 * activation can object. The event is created here, because Chromium's own opens a dialog, which a test driver answers
 * before the app can.
 */
const OBJECTS = `(() => {
  const event = document.createEvent('BeforeUnloadEvent')
  event.initEvent('beforeunload', false, true)
  window.dispatchEvent(event)
  return navigator.userActivation.hasBeenActive && (event.defaultPrevented || event.returnValue !== '')
})()`

/** Asks a page whether it may be closed. @returns false when it objects; a page that is gone does not */
export async function mayClose(page: PageTarget): Promise<boolean> {
  try {
    const { result } = await page.send('Runtime.evaluate', { expression: OBJECTS, returnByValue: true })
    return result.value !== true
  } catch {
    return true
  }
}
