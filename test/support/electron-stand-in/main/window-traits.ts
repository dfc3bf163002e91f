import { makeEvent, StrictEmitter } from '../strict.ts'
import type { WindowOptions } from './window-options.ts'

/** What a window may or may not do, with Electron's defaults. */
const FLAGS = {
  resizable: true,
  movable: true,
  minimizable: true,
  maximizable: true,
  closable: true,
  fullscreenable: true,
  focusable: true,
  alwaysOnTop: false,
  modal: false,
  autoHideMenuBar: false,
  menuBarVisible: true
}

/** What a window is called and may do: its title, colour and abilities. */
export abstract class WindowTraits extends StrictEmitter {
  readonly #flags: typeof FLAGS
  #title: string
  #backgroundColor: string

  constructor(options: WindowOptions, title: string, events: readonly string[]) {
    super('BrowserWindow', events, ['id'])
    this.#flags = { ...FLAGS }
    for (const key of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
      const value: unknown = Reflect.get(options, key)
      if (typeof value === 'boolean') this.#flags[key] = value
    }
    this.#title = options.title ?? title
    this.#backgroundColor = options.backgroundColor ?? '#FFFFFF'
  }

  getTitle(): string {
    return this.#title
  }

  setTitle(title: string): void {
    this.#title = title
  }

  get title(): string {
    return this.#title
  }

  set title(title: string) {
    this.setTitle(title)
  }

  setBackgroundColor(color: string): void {
    this.#backgroundColor = color
  }

  getBackgroundColor(): string {
    return this.#backgroundColor
  }

  setResizable(on: boolean): void {
    this.#flags.resizable = on
  }

  isResizable(): boolean {
    return this.#flags.resizable
  }

  isMovable(): boolean {
    return this.#flags.movable
  }

  isMinimizable(): boolean {
    return this.#flags.minimizable
  }

  isMaximizable(): boolean {
    return this.#flags.maximizable
  }

  isClosable(): boolean {
    return this.#flags.closable
  }

  isFullScreenable(): boolean {
    return this.#flags.fullscreenable
  }

  setFocusable(on: boolean): void {
    this.#flags.focusable = on
  }

  isFocusable(): boolean {
    return this.#flags.focusable
  }

  isModal(): boolean {
    return this.#flags.modal
  }

  setAlwaysOnTop(on: boolean): void {
    if (this.#flags.alwaysOnTop === on) return
    this.#flags.alwaysOnTop = on
    this.emit('always-on-top-changed', makeEvent({}), on)
  }

  isAlwaysOnTop(): boolean {
    return this.#flags.alwaysOnTop
  }

  setMenuBarVisibility(visible: boolean): void {
    this.#flags.menuBarVisible = visible
  }

  isMenuBarVisible(): boolean {
    return this.#flags.menuBarVisible
  }

  setAutoHideMenuBar(hide: boolean): void {
    this.#flags.autoHideMenuBar = hide
  }

  isMenuBarAutoHide(): boolean {
    return this.#flags.autoHideMenuBar
  }
}
