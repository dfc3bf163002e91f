/** When a window has drawn what it was told, or has settled: what is less urgent begins then, and not in the way of keys. */

/** Milliseconds that a window has for itself, and for who types at once. */
const SETTLING = 500

/** What is needed of a window: its clock, and when it has nothing else to do. */
export type Settling = Pick<
  Window,
  'setTimeout' | 'clearTimeout' | 'requestIdleCallback' | 'cancelIdleCallback'
>

/**
 * Calls `begin` once the window has settled, half a second from now or later. Gives what ends the waiting, or what
 * `begin` gave to end what it began.
 */
export function whenSettled(page: Settling, begin: () => (() => void) | undefined): () => void {
  let idle = 0
  let end: (() => void) | undefined
  const clock = page.setTimeout(() => {
    idle = page.requestIdleCallback(() => {
      end = begin()
    })
  }, SETTLING)
  return () => {
    page.clearTimeout(clock)
    page.cancelIdleCallback(idle)
    end?.()
  }
}

/** What is needed of a window: its frames, and its clock. */
export type Painting = Pick<
  Window,
  'requestAnimationFrame' | 'cancelAnimationFrame' | 'setTimeout' | 'clearTimeout'
>

/** Calls `then` once the next frame was painted. Gives what ends the waiting. */
export function afterPaint(page: Painting, then: () => void): () => void {
  let clock = 0
  const frame = page.requestAnimationFrame(() => {
    clock = page.setTimeout(then)
  })
  return () => {
    page.cancelAnimationFrame(frame)
    page.clearTimeout(clock)
  }
}
