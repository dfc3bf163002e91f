import { expect } from 'vitest'
import { blankEdges, dotsOf } from '../../electron/contract/paper.ts'
import type { PrintDocument } from '../../electron/main/printing/print-job.ts'
import { inkBox } from './ink-box.ts'
import { slipPicture } from './read-slip.ts'

/** Expects nothing on any page where a printer need not print, to a dot. */
export async function expectBlankEdges(document: PrintDocument): Promise<void> {
  const { sides, ends } = blankEdges(document)
  const isInside = (first: number, last: number, blank: number, length: number): boolean =>
    first >= dotsOf(blank) - 1 && last <= dotsOf(length - blank) + 1
  for (let page = 0; page < (document.pages ?? 1); page++) {
    const box = inkBox(await slipPicture(document.pdf, undefined, page))
    expect({
      page,
      box,
      isInsideSides: isInside(box.left, box.right, sides, document.widthMillimetres),
      isInsideEnds: isInside(box.top, box.bottom, ends, document.heightMillimetres)
    }).toEqual({ page, box, isInsideSides: true, isInsideEnds: true })
  }
}
