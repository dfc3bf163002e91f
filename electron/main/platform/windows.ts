/**
 * Which window is which. The till's page holds names and phones; the customer display is read by strangers. What is
 * told to one never reaches the other, and neither may ask in the other's name.
 */
import { BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { ORIGINS, type WindowRole } from './scheme.ts'

const roles = new Map<number, WindowRole>()
let till: BrowserWindow | undefined

/** Notes what a window is for, from when it is made to when it is gone. */
export function enterWindow(role: WindowRole, window: BrowserWindow): void {
  const { id } = window
  roles.set(id, role)
  if (role === 'till') till = window
  window.once('closed', () => {
    roles.delete(id)
    if (till === window) till = undefined
  })
}

/** The till's window; undefined before it opens and after it was closed. */
export const tillWindow = (): BrowserWindow | undefined => till

/** Whether a call comes from the own page of a window of this role, in its main frame. */
export function isFrom(role: WindowRole, event: IpcMainInvokeEvent): boolean {
  const window = BrowserWindow.fromWebContents(event.sender)
  const frame = event.senderFrame
  return (
    window !== null &&
    roles.get(window.id) === role &&
    frame !== null &&
    frame.parent === null &&
    frame.url.startsWith(`${ORIGINS[role]}/`)
  )
}

/** Sends to one window, if its page is there to hear. */
export function sendTo(window: BrowserWindow | undefined, channel: string, value: unknown): void {
  if (window && !window.isDestroyed() && !window.webContents.isDestroyed()) {
    window.webContents.send(channel, value)
  }
}
