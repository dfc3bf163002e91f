/** The edges of a box of the page, in CSS pixels from the corner of the window. */
export interface Edges {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Room that is left between two boxes, in CSS pixels. */
const GAP = 4

const overlap = (one: Edges, other: Edges): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top

/**
 * Returns by how much `box` has to be moved to cover none of `others`, in CSS pixels: as little as possible, and within the
 * window. No move if there is no such place.
 */
export function offsetBeside(
  { left, top, right, bottom }: Edges,
  others: readonly Edges[],
  window: { readonly width: number; readonly height: number }
): { readonly x: number; readonly y: number } {
  const moves = (edges: readonly (readonly [number, number])[]): readonly number[] => [0, ...edges.flat()]
  const across = moves(others.map((other) => [other.left - GAP - right, other.right + GAP - left]))
  const down = moves(others.map((other) => [other.top - GAP - bottom, other.bottom + GAP - top]))
  const [nearest] = across
    .flatMap((x) => down.map((y) => ({ x, y })))
    .filter(({ x, y }) => {
      const moved = { left: left + x, top: top + y, right: right + x, bottom: bottom + y }
      const isWithin =
        moved.left >= 0 && moved.top >= 0 && moved.right <= window.width && moved.bottom <= window.height
      return isWithin && !others.some((other) => overlap(moved, other))
    })
    .sort((one, other) => Math.hypot(one.x, one.y) - Math.hypot(other.x, other.y))
  return nearest ?? { x: 0, y: 0 }
}
