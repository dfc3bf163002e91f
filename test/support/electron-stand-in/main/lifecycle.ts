import type { EventEmitter } from 'node:events'
import type { Chromium } from '../chromium/launch.ts'
import { runtime } from '../runtime.ts'
import { makeEvent } from '../strict.ts'
import { singleInstance } from './single-instance.ts'
import { windows } from './windows.ts'

/** How Electron's browser process quits (shell/browser/browser.cc): who is asked, in which order, and who may object. */
const state = { quitting: false, exiting: false, over: false, exitCode: 0 }
let browser: Chromium | undefined
let app: EventEmitter | undefined
const endProcess = process.exit.bind(process)

/** Sets the object that emits the lifecycle events. */
export function tellLifeOn(emitter: EventEmitter): void {
  app = emitter
}

/** Remembers the Chromium to stop at the end. */
export function ownChromium(chromium: Chromium): void {
  browser = chromium
  void chromium.ended.then(() => {
    if (state.over) return
    // A visible Chromium ends with its last window: a person closed it, and the app gets the same events.
    if (runtime.commandLine.visible) {
      windows.allGone()
      return
    }
    console.error('electron stand-in: Chromium ended unexpectedly; the app ends too')
    exit(1)
  })
}

/** True once the quit can no longer be prevented. */
export function isOver(): boolean {
  return state.over
}

/** app.quit(): asks before-quit, closes every window, asks will-quit. Each may object, and then the app goes on. */
export function quit(): void {
  if (state.quitting) return
  state.quitting = asked('before-quit')
  if (!state.quitting) return
  const open = windows.all()
  if (open.length === 0) notifyAndShutDown()
  else for (const window of open) if (!window.isDestroyed()) window.close()
}

/** app.exit(): destroys every window without asking. */
export function exit(code = 0): void {
  state.exitCode = code
  state.quitting = true
  state.exiting = true
  const open = windows.all()
  if (open.length === 0) shutDown()
  else for (const window of open) if (!window.isDestroyed()) window.destroy()
}

/**
 * Windows ends the session: every window emits `session-end`, and then the process ends at once unless the app is
 * quitting (WM_ENDSESSION in `shell/browser/native_window_views_win.cc`).
 */
export function endSession(): void {
  for (const window of windows.all()) window.emit('session-end', makeEvent({ reasons: ['shutdown'] }))
  if (!state.quitting) process.kill(process.pid, 'SIGKILL')
}

/** A window objected to being closed, so the app does not quit either. */
export function closeCancelled(): void {
  state.quitting = false
}

windows.onAllClosed(() => {
  if (state.exiting) shutDown()
  else if (state.quitting) notifyAndShutDown()
  else if (app?.emit('window-all-closed')) return
  else quit()
})

function asked(event: 'before-quit' | 'will-quit'): boolean {
  const details = makeEvent({})
  app?.emit(event, details)
  return !details.defaultPrevented
}

function notifyAndShutDown(): void {
  if (state.over) return
  if (asked('will-quit')) shutDown()
  else state.quitting = false
}

function shutDown(): void {
  if (state.over) return
  state.over = true
  state.quitting = true
  app?.emit('quit', makeEvent({}), state.exitCode)
  void finish()
}

async function finish(): Promise<void> {
  singleInstance.release()
  await browser?.stop()
  endProcess(state.exitCode)
}
