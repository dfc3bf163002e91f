/** The customer display: its window, which opens, moves and closes with the setting and the screens, and the IPC of its page. */
import {
  BrowserWindow,
  ipcMain,
  type IpcMainInvokeEvent,
  nativeTheme,
  type Rectangle,
  screen
} from 'electron'
import * as v from 'valibot'
import {
  CUSTOMER_DISPLAY_CHANNELS,
  type CustomerDisplayView,
  customerDisplayViewSchema,
  type CustomerScreen,
  NUMBERS_DISPLAY_MS,
  type PhoneKey,
  phoneKeySchema
} from '../../contract/customer-display.ts'
import type { TillSettings } from '../../contract/settings.ts'
import type { Logger } from '../log/log.ts'
import { ORIGINS } from './app-protocol.ts'
import { systemSupport } from './system.ts'
import {
  BACKGROUND,
  isFrom,
  registerWindow,
  reloadAfterCrash,
  sendTo,
  tillWindow,
  webPreferences
} from './windows.ts'

/** Side of the square window with the number, in device-independent pixels. */
const SIDE_PIXELS = 320

/** Shows a number on each screen for a moment, so that the user can tell the screens apart in the settings. */
class DisplayNumbers {
  #windows: BrowserWindow[] = []
  #timer: NodeJS.Timeout | undefined

  /** Shows the numbers, anew if they are shown already. */
  show(options: CustomerDisplayPageOptions): void {
    this.close()
    this.#windows = screen.getAllDisplays().map(({ workArea }, index) => {
      const side = Math.min(SIDE_PIXELS, workArea.width, workArea.height)
      const display: DisplayedContent = {
        view: () => ({ ...options.display.view(), shows: { kind: 'screen-number', number: index + 1 } }),
        pressKey: () => undefined
      }
      const placement = {
        x: Math.round(workArea.x + (workArea.width - side) / 2),
        y: Math.round(workArea.y + (workArea.height - side) / 2),
        width: side,
        height: side,
        fillsScreen: false
      }
      return openCustomerDisplayPage(placement, { ...options, display })
    })
    this.#timer = setTimeout(() => this.close(), NUMBERS_DISPLAY_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    const windows = this.#windows
    this.#windows = []
    for (const window of windows) if (!window.isDestroyed()) window.destroy()
  }
}

interface CustomerDisplayWindowDependencies {
  /** full path of the preload script */
  readonly preload: string
  readonly settings: { readonly values: Pick<TillSettings, 'customerDisplay'> }
  /** returns the screen to open on, or null for none */
  readonly chooseScreen: (
    screens: readonly CustomerScreen[],
    chosenId: number | null
  ) => CustomerScreen | null
  /** called when the display opened, closed, gained or lost its touch, or the screens changed */
  readonly onChange: () => void
  readonly log: Logger
}

const isSame = (one: Rectangle, other: Rectangle): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height

/** Stays closed until `start`. Create it after the app is ready. */
export class CustomerDisplayWindow {
  readonly #dependencies: CustomerDisplayWindowDependencies
  readonly #numbers = new DisplayNumbers()
  /** null: not started */
  #display: DisplayedContent | null = null
  #open: {
    readonly window: BrowserWindow
    readonly bounds: Rectangle
    isShown: boolean
    hasTouch: boolean
  } | null = null
  /** where its page crashed again and again: it stays closed there until the setting or the screens change */
  #givenUp: Rectangle | null = null

  constructor(dependencies: CustomerDisplayWindowDependencies) {
    this.#dependencies = dependencies
    const onScreensChanged = (): void => {
      this.update()
      // The settings list the screens, whether the display moved or not.
      dependencies.onChange()
    }
    screen.on('display-added', onScreensChanged)
    screen.on('display-removed', onScreensChanged)
    screen.on('display-metrics-changed', onScreensChanged)
  }

  /** Opens the display if it is enabled, and follows the setting and the screens from now on. */
  start(display: DisplayedContent): void {
    this.#display = display
    this.#givenUp = null
    this.update()
  }

  /** Returns whether customers can see it: its page has painted. */
  isOpen(): boolean {
    return this.#open?.isShown === true
  }

  /** Returns whether customers can type on it: its page says that it has touch. */
  hasTouch(): boolean {
    return this.isOpen() && this.#open?.hasTouch === true
  }

  /** Opens, moves or closes the window as the setting and the screens require. */
  update(): void {
    const target = this.#targetBounds()
    if (target === null || (this.#givenUp !== null && !isSame(this.#givenUp, target))) this.#givenUp = null
    const bounds = this.#givenUp === null ? target : null
    if (this.#open !== null && bounds !== null && isSame(this.#open.bounds, bounds)) return
    this.#closeWindow()
    // The callback of the window that closed may have opened the next one.
    if (this.#open === null && bounds !== null) this.#openOn(bounds)
  }

  screens(): readonly CustomerScreen[] {
    return listScreens()
  }

  /** Shows each screen's number on it for some seconds. */
  showNumbers(): void {
    if (this.#display && systemSupport().customerDisplay) this.#numbers.show(this.#pageOptions(this.#display))
  }

  /** Sends a new view to the page. */
  send(view: CustomerDisplayView): void {
    if (this.#open !== null) sendView(this.#open.window, view)
  }

  /** Closes its windows. It stays closed until it is started again. */
  close(): void {
    this.#display = null
    this.#numbers.close()
    this.#closeWindow()
  }

  #pageOptions(display: DisplayedContent): CustomerDisplayPageOptions {
    const { preload, log } = this.#dependencies
    return { preload, display, log }
  }

  #targetBounds(): Rectangle | null {
    const { settings, chooseScreen } = this.#dependencies
    const { shown, screenId } = settings.values.customerDisplay
    const isWanted = this.#display !== null && shown && systemSupport().customerDisplay
    const chosen = isWanted ? chooseScreen(listScreens(), screenId) : null
    return screen.getAllDisplays().find(({ id }) => id === chosen?.id)?.bounds ?? null
  }

  #openOn(bounds: Rectangle): void {
    if (this.#display === null) return
    const change = (next: { readonly isShown?: true; readonly hasTouch?: boolean }): void => {
      if (this.#open?.window !== window) return
      Object.assign(this.#open, next)
      this.#dependencies.onChange()
    }
    const window = openCustomerDisplayPage(
      { ...bounds, fillsScreen: true },
      this.#pageOptions(this.#display),
      {
        onShown: () => change({ isShown: true }),
        onTouch: (hasTouch) => change({ hasTouch }),
        onGivenUp: () => {
          this.#givenUp = bounds
        }
      }
    )
    this.#open = { window, bounds, isShown: false, hasTouch: false }
    // The page that is loaded next says it again.
    window.webContents.on('render-process-gone', () => change({ hasTouch: false }))
    window.once('closed', () => {
      if (this.#open?.window === window) this.#closeWindow()
    })
  }

  #closeWindow(): void {
    const open = this.#open
    this.#open = null
    if (open?.window.isDestroyed() === false) open.window.destroy()
    if (open?.isShown === true) this.#dependencies.onChange()
  }
}

/** Returns all screens, numbered in the order of the operating system. */
function listScreens(): CustomerScreen[] {
  const primary = screen.getPrimaryDisplay().id
  const till = tillWindow()
  const tillScreen = till ? screen.getDisplayMatching(till.getBounds()).id : primary
  return screen.getAllDisplays().map(({ id, label, size }, index) => ({
    id,
    label,
    number: index + 1,
    width: size.width,
    height: size.height,
    primary: id === primary,
    tillIsHere: id === tillScreen
  }))
}

/** What the page of a window shows, and what it reports. */
interface DisplayPage {
  readonly display: DisplayedContent
  readonly onTouch: (hasTouch: boolean) => void
}

/** The pages by the id of their contents. */
const pages = new Map<number, DisplayPage>()

/** Returns the page that made a call. Throws for a call of any other page. */
function pageOf(event: IpcMainInvokeEvent): DisplayPage {
  const page = isFrom('customer-display', event) ? pages.get(event.sender.id) : undefined
  if (!page) throw new Error('Refused: not the page of the customer display')
  return page
}

/** Removes everything that the schema does not name. */
const sanitize = (view: CustomerDisplayView): CustomerDisplayView => v.parse(customerDisplayViewSchema, view)

/**
 * Registers the handlers of the page's calls. What is neither a key nor a report of touch is ignored, without a failure that
 * would quote it. Call once, before a window opens.
 */
export function handleCustomerDisplayIpc(): void {
  const { view, touch, key } = CUSTOMER_DISPLAY_CHANNELS
  ipcMain.handle(view, (event): CustomerDisplayView => sanitize(pageOf(event).display.view()))
  ipcMain.handle(touch, (event, hasTouch: unknown): void => {
    const page = pageOf(event)
    if (typeof hasTouch === 'boolean') page.onTouch(hasTouch)
  })
  ipcMain.handle(key, (event, pressed: unknown): void => {
    const { display } = pageOf(event)
    if (v.is(phoneKeySchema, pressed)) display.pressKey(pressed)
  })
}

/** Sends a new view to a window. */
export const sendView = (window: BrowserWindow, view: CustomerDisplayView): void =>
  sendTo(window, CUSTOMER_DISPLAY_CHANNELS.viewChanged, sanitize(view))

/** What a window shows; implemented by `CustomerDisplay`. */
interface DisplayedContent {
  /** Returns the current view. */
  view(): CustomerDisplayView
  /** Takes a key that was pressed on the page. */
  pressKey(key: PhoneKey): void
}

export interface CustomerDisplayPageOptions {
  /** full path of the preload script */
  readonly preload: string
  readonly display: DisplayedContent
  readonly log: Logger
}

/** Where a window is, and whether it fills its screen. */
export interface Placement extends Rectangle {
  readonly fillsScreen: boolean
}

/** A kiosk window of macOS covers every screen, also that of the till: there the window stays on top instead. */
const HAS_KIOSK = process.platform !== 'darwin'

/** On macOS, lets a window cover the menu bar with square corners. */
const MAC_FULL_SIZE = { roundedCorners: false, enableLargerThanScreen: true, hasShadow: false }

interface PageListeners {
  /** called once the window is shown */
  readonly onShown?: () => void
  /** called when the page says whether it has touch */
  readonly onTouch?: (hasTouch: boolean) => void
  /** called before the window closes because its page crashes again and again */
  readonly onGivenUp?: () => void
}

/** Opens a frameless window that never takes the keyboard focus, and shows it once its page has painted. */
export function openCustomerDisplayPage(
  { fillsScreen, ...bounds }: Placement,
  { preload, display, log }: CustomerDisplayPageOptions,
  { onShown = () => undefined, onTouch = () => undefined, onGivenUp = () => undefined }: PageListeners = {}
): BrowserWindow {
  const window = new BrowserWindow({
    ...bounds,
    ...(fillsScreen && !HAS_KIOSK ? MAC_FULL_SIZE : {}),
    alwaysOnTop: !fillsScreen || !HAS_KIOSK,
    title: 'Tillpoints',
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    frame: false,
    focusable: false,
    skipTaskbar: true,
    show: false,
    webPreferences: webPreferences(preload)
  })
  const { id } = window.webContents
  registerWindow('customer-display', window)
  pages.set(id, { display, onTouch })
  window.once('closed', () => pages.delete(id))
  if (fillsScreen && !HAS_KIOSK) window.setAlwaysOnTop(true, 'screen-saver')
  window.once('ready-to-show', () => {
    // Linux shows a kiosk window at once, so it becomes one only when there is something to see.
    if (fillsScreen && HAS_KIOSK) window.setKiosk(true)
    window.showInactive()
    onShown()
  })
  const giveUp = (): void => {
    log.error('customer-display-closed-after-crashes', {})
    onGivenUp()
    window.destroy()
  }
  reloadAfterCrash(window, { name: 'customer-display', onGivenUp: giveUp, log })
  void window
    .loadURL(`${ORIGINS['customer-display']}/`)
    .catch((error: unknown) => log.error('customer-display-not-loaded', { error }))
  return window
}
