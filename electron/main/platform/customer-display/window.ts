/** The customer display's window: opened, moved and closed as the setting and the screens of the machine say. */
import { screen, type BrowserWindow, type Rectangle } from 'electron'
import type { CustomerDisplayView, CustomerScreen } from '../../../contract/customer-display.ts'
import type { TillSettings } from '../../../contract/settings.ts'
import { tillWindow } from '../windows.ts'
import { createScreenNumbers } from './identify-displays.ts'
import { openPage, tellView, type PageParts } from './page.ts'

export { answerCustomerDisplay } from './page.ts'

interface CustomerDisplayWindowOptions extends Omit<PageParts, 'dark'> {
  readonly dark: () => boolean
  readonly setting: () => TillSettings['customerDisplay']
  /** the screen to open on; null for none */
  readonly choose: (screens: readonly CustomerScreen[], chosenId: number | null) => CustomerScreen | null
  /** called when the display came, went, or could go elsewhere now */
  readonly onChange: () => void
}

export interface CustomerDisplayWindow {
  /** Begins to follow the setting and the screens: there is a till now. */
  start(): void
  /** Whether customers can see it: its page is painted. */
  isOpen(): boolean
  /** Opens, moves or closes the window, as the setting and the screens say now. */
  follow(): void
  screens(): readonly CustomerScreen[]
  /** Shows each screen's number on it for a moment. */
  showNumbers(): void
  tell(view: CustomerDisplayView): void
  /** Closes all that belongs to it, and follows nothing any more until it is started again. */
  close(): void
}

/** Follows the screens of this machine from now on. Call after the app is ready. */
export function createCustomerDisplayWindow(options: CustomerDisplayWindowOptions): CustomerDisplayWindow {
  const { dark, setting, choose, onChange, ...parts } = options
  const page = (): PageParts => ({ ...parts, dark: dark() })
  const numbers = createScreenNumbers(page)
  let following = false
  let open: { readonly window: BrowserWindow; readonly bounds: Rectangle; shown: boolean } | null = null

  const target = (): Rectangle | null => {
    const { shown, screenId } = setting()
    const chosen = following && shown ? choose(listScreens(), screenId) : null
    return screen.getAllDisplays().find(({ id }) => id === chosen?.id)?.bounds ?? null
  }

  const closeWindow = (): void => {
    const { window, shown } = open ?? {}
    open = null
    if (window?.isDestroyed() === false) window.destroy()
    if (shown === true) onChange()
  }

  const openOn = (bounds: Rectangle): void => {
    const window = openPage(
      // On macOS a kiosk takes the whole machine, the till's own screen with it: there the window lies on top.
      { ...bounds, ...(process.platform === 'darwin' ? { alwaysOnTop: true } : { kiosk: true }) },
      page(),
      () => {
        if (open?.window !== window) return
        open.shown = true
        onChange()
      }
    )
    if (process.platform === 'darwin') window.setAlwaysOnTop(true, 'screen-saver')
    open = { window, bounds, shown: false }
    window.once('closed', () => {
      if (open?.window === window) closeWindow()
    })
  }

  const follow = (): void => {
    const bounds = target()
    if (open !== null && bounds !== null && isSame(open.bounds, bounds)) return
    if (open !== null) closeWindow()
    // Telling of the one that closed may have opened the next already.
    if (open === null && bounds !== null) openOn(bounds)
  }

  const screensChanged = (): void => {
    follow()
    // The settings list other screens now, whether the display moved or not.
    onChange()
  }
  screen.on('display-added', screensChanged)
  screen.on('display-removed', screensChanged)
  screen.on('display-metrics-changed', screensChanged)

  return {
    start() {
      following = true
      follow()
    },
    isOpen: () => open?.shown === true,
    follow,
    screens: listScreens,
    showNumbers: () => numbers.show(),
    tell(view) {
      if (open !== null) tellView(open.window, view)
    },
    close() {
      following = false
      numbers.close()
      closeWindow()
    }
  }
}

const isSame = (one: Rectangle, other: Rectangle): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height

/* from screens.ts: The screens of this machine, as the settings list them. */

/** All screens, numbered as the system lists them. */
function listScreens(): CustomerScreen[] {
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
