/** What main and the till's page give back once nobody works at the till. */
import { AT_REST } from '../../contract/bridge.ts'
import { collectGarbage } from './heap.ts'
import { sendTo, tillWindow } from './windows.ts'

/** Milliseconds without a word between main and the page. The paper process has ended by then (`paper/desk.ts`). */
export const REST = 75_000

let resting: NodeJS.Timeout | null = null

function giveBack(): void {
  resting = null
  collectGarbage()
  sendTo(tillWindow(), AT_REST, null)
}

/** Somebody works at the till, or main does: a word went between it and the page. */
export function stir(): void {
  if (resting) resting.refresh()
  else resting = setTimeout(giveBack, REST).unref()
}
