import { runtime } from '../runtime.ts'
import { makeEvent, strict, StrictEmitter } from '../strict.ts'

interface Point {
  readonly x: number
  readonly y: number
}

export interface Rectangle extends Point {
  readonly width: number
  readonly height: number
}

/** What of Electron's `Display` there is; other members throw. */
export interface Display {
  readonly id: number
  readonly label: string
  readonly bounds: Rectangle
  readonly workArea: Rectangle
  readonly size: { readonly width: number; readonly height: number }
  readonly workAreaSize: { readonly width: number; readonly height: number }
  readonly scaleFactor: number
}

/** Makes a display that has no panels beside its work area, unless one is given. */
export function makeDisplay(
  id: number,
  label: string,
  bounds: Rectangle,
  scaleFactor: number,
  workArea = bounds
): Display {
  return strict('Display', {
    id,
    label,
    bounds: { ...bounds },
    workArea: { ...workArea },
    size: { width: bounds.width, height: bounds.height },
    workAreaSize: { width: workArea.width, height: workArea.height },
    scaleFactor
  })
}

/**
 * Reads displays from a text such as `1920x1080,800x480@2`: sizes in device-independent pixels, side by side from left
 * to right, the first one primary, with an optional scale factor.
 * @throws when the text is not of that form
 */
export function parseDisplays(text: string): Display[] {
  let x = 0
  return text.split(',').map((part, index) => {
    const match = /^\s*(\d+)x(\d+)(?:@(\d+(?:\.\d+)?))?\s*$/.exec(part)
    if (!match)
      throw new Error(`electron stand-in: "${text}" is no list of displays such as 1920x1080,800x480@2`)
    const [width, height] = [Number(match[1]), Number(match[2])]
    const bounds = { x, y: 0, width, height }
    x += width
    return makeDisplay(index + 1, `Display ${index + 1}`, bounds, Number(match[3] ?? 1))
  })
}

function describedDisplays(): string {
  const described = process.env['TILLPOINTS_STAND_IN_DISPLAYS'] ?? ''
  return described === '' ? '1920x1080' : described
}

/** Electron's `screen`, over displays that TILLPOINTS_STAND_IN_DISPLAYS or a test describes. */
class Screen extends StrictEmitter {
  #displays = parseDisplays(describedDisplays())
  #onChange: () => void = () => undefined

  constructor() {
    super('screen', ['display-added', 'display-removed', 'display-metrics-changed'])
  }

  #usable(): void {
    if (!runtime.ready) throw new Error("The 'screen' module can't be used before the app 'ready' event")
  }

  getAllDisplays(): Display[] {
    this.#usable()
    return [...this.#displays]
  }

  getPrimaryDisplay(): Display {
    this.#usable()
    const [primary] = this.#displays
    if (!primary) throw new Error('electron stand-in: there is no display')
    return primary
  }

  getDisplayMatching(rectangle: Rectangle): Display {
    const centre = { x: rectangle.x + rectangle.width / 2, y: rectangle.y + rectangle.height / 2 }
    return this.#best((display) => overlap(display.bounds, rectangle) || -distance(display.bounds, centre))
  }

  #best(score: (display: Display) => number): Display {
    return this.getAllDisplays().reduce((best, each) => (score(each) > score(best) ? each : best))
  }

  /** For BrowserWindow: is called when displays were added, removed or changed. */
  static onChange(screen: Screen, handler: () => void): void {
    screen.#onChange = handler
  }

  /** Replaces the displays and emits the changes, as when a monitor is connected or disconnected. */
  static setDisplays(screen: Screen, displays: Display[]): void {
    const before = screen.#displays
    screen.#displays = displays
    for (const display of before.slice(screen.#displays.length))
      screen.emit('display-removed', makeEvent({}), display)
    for (const [index, display] of screen.#displays.entries()) {
      const old = before[index]
      if (!old) screen.emit('display-added', makeEvent({}), display)
      else if (JSON.stringify(old) !== JSON.stringify(display)) {
        const changed =
          old.scaleFactor === display.scaleFactor
            ? ['bounds', 'workArea']
            : ['bounds', 'workArea', 'scaleFactor']
        screen.emit('display-metrics-changed', makeEvent({}), display, changed)
      }
    }
    screen.#onChange()
  }
}

function distance({ x, y, width, height }: Rectangle, point: Point): number {
  const dx = Math.max(x - point.x, 0, point.x - (x + width - 1))
  const dy = Math.max(y - point.y, 0, point.y - (y + height - 1))
  return Math.hypot(dx, dy)
}

function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

export const screen = new Screen()
/** For tests, with the text that {@link parseDisplays} reads. */
export const setDisplays = (text: string): void => Screen.setDisplays(screen, parseDisplays(text))
export const useDisplays = (displays: Display[]): void => Screen.setDisplays(screen, displays)
export const onDisplaysChanged = (handler: () => void): void => Screen.onChange(screen, handler)
