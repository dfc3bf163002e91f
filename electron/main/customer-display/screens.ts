/** Which screen the customer display opens on. */
import type { CustomerScreen } from '../../contract/customer-display.ts'

/**
 * The screen to open on: the chosen one while it is there, or the first beside the till's own when none was chosen.
 * Null when there is none. A chosen screen that was unplugged has no substitute: what else is plugged in was not meant
 * for customers. Never the screen that the till's own window is on: nobody could serve behind the display.
 */
export function chooseScreen(
  screens: readonly CustomerScreen[],
  chosenId: number | null
): CustomerScreen | null {
  const possible = screens.filter(({ tillIsHere }) => !tillIsHere)
  return (chosenId === null ? possible[0] : possible.find(({ id }) => id === chosenId)) ?? null
}
