/** The screens of the machine, as the stand-in has them: plugging in and pulling out. */
import type { ElectronApplication } from '@playwright/test'

/** How a till starts on these screens, the till's own first: `1280x800,800x480`. */
export const onScreens = (screens: string) => ({ env: { TILLPOINTS_STAND_IN_DISPLAYS: screens } })

/** Plugs screens in or out while the till runs. */
export const plug = (app: ElectronApplication, screens: string): Promise<void> =>
  app.evaluate((electron, text) => {
    const standIn = Reflect.get(electron, '__standIn') as { setDisplays(text: string): void }
    standIn.setDisplays(text)
  }, screens)

/** A window of the till that is not the cashier's. */
export interface OtherWindow {
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly kiosk: boolean
  readonly visible: boolean
  readonly focusable: boolean
  readonly focused: boolean
}

/** The windows that look towards customers. */
export const otherWindows = (app: ElectronApplication): Promise<readonly OtherWindow[]> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.webContents.getURL().startsWith('app://customer-display'))
      .map((window) => ({
        bounds: window.getBounds(),
        kiosk: window.isKiosk(),
        visible: window.isVisible(),
        focusable: window.isFocusable(),
        focused: window.isFocused()
      }))
  )
