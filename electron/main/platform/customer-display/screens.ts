/** The screens of this machine, as the settings list them. */
import { screen } from 'electron'
import type { CustomerScreen } from '../../../contract/customer-display.ts'
import { tillWindow } from '../windows.ts'

/** All screens, numbered as the system lists them. */
export function listScreens(): CustomerScreen[] {
  const primary = screen.getPrimaryDisplay().id
  const till = tillWindow()
  const tillIsOn = till ? screen.getDisplayMatching(till.getBounds()).id : primary
  return screen.getAllDisplays().map(({ id, label, size }, index) => ({
    id,
    label,
    number: index + 1,
    width: size.width,
    height: size.height,
    primary: id === primary,
    tillIsHere: id === tillIsOn
  }))
}
