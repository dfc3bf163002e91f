/** How the till ends: what is on its way is waited for, and everything is closed in order. */
import { app } from 'electron'
import type { Logger } from '../log/log.ts'
import type { Display } from './customer-display.ts'
import type { Help } from './diagnostics-and-updates.ts'
import type { Memory } from './persistence.ts'
import type { Service } from './session.ts'
import type { Issuing } from './slips.ts'

/** All that ends. */
export interface EndParts {
  readonly memory: Memory
  readonly service: Service
  readonly issuing: Issuing
  readonly help: Help
  readonly display: Display
  readonly log: Logger
}

/** Makes the ending; `parts` is read when it comes to that. */
export function prepareEnd(parts: () => EndParts) {
  let closed = false

  /** Closes what keeps files, in the order in which one needs the next. */
  const closeDown = async (): Promise<void> => {
    const { service, issuing, help, log } = parts()
    help.updates.stop()
    try {
      await issuing.close()
    } finally {
      await help.diagnostics.close()
      await service.training.close()
      closed = true
      log.info('till-stopped')
    }
  }

  return {
    closeDown,
    /** Follows the application to its end. */
    follow(): void {
      const { memory, service, display } = parts()
      app.on('before-quit', () => display.window.close())
      app.on('will-quit', (event) => {
        if (closed) return
        // A slip on its way is waited for; then the till quits again, for good.
        event.preventDefault()
        memory.staff.close()
        service.session.close()
        service.catalogue.close()
        void closeDown().finally(() => app.quit())
      })
    }
  }
}
