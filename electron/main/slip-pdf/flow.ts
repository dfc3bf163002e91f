/** Divides what is laid out in one column into parts that continue in another column or on another page. */
import type { Break, Flow, Part, PlacedItem } from './column.ts'

/** A part, and the heading that is repeated above it. */
export interface HeadedPart extends Part {
  readonly heading: Part | null
}

/** Divides `flow` at its breaks into parts of at most `maxHeight` with their headings; higher is only what has no break. */
export function divide({ breaks, height }: Flow, maxHeight: number): HeadedPart[] {
  const ends: readonly Break[] = [...breaks, { at: height, heading: null }]
  const parts: HeadedPart[] = []
  let heading: Part | null = null
  for (let from = 0; from < height;) {
    const room: number = maxHeight - heightOf(heading)
    const next = ends.filter(({ at }) => at > from)
    const to: Break | undefined = next.findLast(({ at }) => at <= from + room) ?? next[0]
    parts.push({ from, to: to?.at ?? height, heading })
    from = to?.at ?? height
    heading = to?.heading ?? null
  }
  return parts
}

const heightOf = (part: Part | null): number => (part === null ? 0 : part.to - part.from)

/** Returns the items of `flow` in a part, the part's top at 0, below its heading. */
export const itemsOf = ({ items }: Flow, { from, to, heading }: HeadedPart): PlacedItem[] => [
  ...(heading === null ? [] : itemsBetween(items, heading, 0)),
  ...itemsBetween(items, { from, to }, heightOf(heading))
]

const itemsBetween = (items: readonly PlacedItem[], { from, to }: Part, top: number): PlacedItem[] =>
  items.filter(({ box }) => box.y >= from && box.y < to).map((item) => moved(item, 0, top - from))

/** Returns an item `x` dots to the right and `y` dots below its place. */
export const moved = (item: PlacedItem, x: number, y: number): PlacedItem => {
  const box = { ...item.box, x: item.box.x + x, y: item.box.y + y }
  return item.kind === 'text' ? { ...item, box, baseline: item.baseline + y } : { ...item, box }
}
