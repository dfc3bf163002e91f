/** All that makes a paper: laying slips and reports out, and drawing them. Long work, so it is done in a process of its own. */
import { createDrawing, type Drawing } from '../../printing/drawing.ts'
import { createLayOut, type LayingOut } from '../../slips/print-jobs/lay-out.ts'

/** Each call by its name; every input and output can be copied from one process to another. */
export type PaperWork = LayingOut & Drawing

/** The name of a call. */
export type PaperCall = keyof PaperWork

/** A call whose arguments and answer are not known here: both ends are compiled from `PaperWork`. */
export type AnyPaperCall = (...values: readonly unknown[]) => unknown

/** Makes the work, here. `fontsFolder` holds the font files. */
export const createPaperWork = (fontsFolder: string): PaperWork => ({
  ...createLayOut(fontsFolder),
  ...createDrawing()
})
