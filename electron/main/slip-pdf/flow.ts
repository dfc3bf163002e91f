/** Divides what is laid out in one column into parts that continue in another column or on another page. */
import type { Flow, PlacedItem } from './column.ts'

/** A part of a flow, in dots from its top. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** Divides `flow` at its breaks into parts of at most `maxHeight`; higher is only what has no break. */
export function divide({ breaks, height }: Flow, maxHeight: number): Part[] {
  const ends = [...breaks, height]
  const parts: Part[] = []
  for (let from = 0; from < height;) {
    const isNext = (end: number): boolean => end > from
    const to = ends.findLast((end) => isNext(end) && end <= from + maxHeight) ?? ends.find(isNext) ?? height
    parts.push({ from, to })
    from = to
  }
  return parts
}

/** Returns an item `x` dots to the right and `y` dots below its place. */
export const moved = (item: PlacedItem, x: number, y: number): PlacedItem => {
  const box = { ...item.box, x: item.box.x + x, y: item.box.y + y }
  return item.kind === 'text' ? { ...item, box, baseline: item.baseline + y } : { ...item, box }
}
