/** What customers see: the display's window, and what stands in it. */
import { nativeTheme } from 'electron'
import type { CustomerDisplayView } from '../../contract/customer-display.ts'
import type { TillState } from '../../contract/till.ts'
import type { QrDrawing } from '../../contract/slips.ts'
import { chooseDisplayScreen, createCustomerDisplay } from '../customer-display/customer-display.ts'
import type { Logger } from '../log/log.ts'
import {
  answerCustomerDisplay,
  createCustomerDisplayWindow,
  type CustomerDisplayWindow
} from '../platform/customer-display/window.ts'
import type { AppPaths } from '../platform/paths.ts'
import type { Memory } from './persistence.ts'

/** What the display's window needs of the rest. */
export interface DisplayWindowParts {
  readonly where: AppPaths
  readonly memory: Memory
  /** what stands there when it opens */
  readonly view: () => CustomerDisplayView
  /** called when the display came, went, or could go elsewhere now */
  readonly changed: () => void
  readonly log: Logger
}

/** Makes the display's window; it opens when the till's own is there. */
export const prepareDisplayWindow = (parts: DisplayWindowParts): CustomerDisplayWindow =>
  createCustomerDisplayWindow({
    preload: parts.where.customerDisplayPreload,
    dark: () => nativeTheme.shouldUseDarkColors,
    setting: () => parts.memory.settings.values.customerDisplay,
    choose: chooseDisplayScreen,
    view: parts.view,
    onChange: parts.changed,
    log: parts.log
  })

/** What the display needs of the rest. */
export interface DisplayParts {
  readonly window: CustomerDisplayWindow
  readonly now: () => Date
  readonly state: () => TillState
  /** null as long as nothing can draw one */
  readonly drawQr: (url: string) => QrDrawing | null
}

/** Makes what stands on the display; nobody is served yet. */
export function prepareDisplay({ window, now, state, drawQr }: DisplayParts) {
  const shows = createCustomerDisplay({
    state,
    drawQr,
    isShown: () => window.isOpen(),
    tell: (view) => window.tell(view),
    now,
    after: (seconds, then) => {
      const clock = setTimeout(then, seconds * 1000)
      return () => clearTimeout(clock)
    }
  })
  answerCustomerDisplay()
  return { shows, window }
}

/** What customers see. */
export type Display = ReturnType<typeof prepareDisplay>
