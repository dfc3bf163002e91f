/** Loaded before the till's main script (`-r`): tells which calls of the page main has not answered. */
import { ipcMain } from 'electron'

const pending = new Map<string, number>()
const handle = ipcMain.handle.bind(ipcMain)

ipcMain.handle = (channel, listener) =>
  handle(channel, async (event, ...inputs: unknown[]): Promise<unknown> => {
    pending.set(channel, (pending.get(channel) ?? 0) + 1)
    try {
      return (await listener(event, ...inputs)) as unknown
    } finally {
      const left = (pending.get(channel) ?? 0) - 1
      if (left > 0) pending.set(channel, left)
      else pending.delete(channel)
    }
  })

Object.assign(globalThis, { monkey: { pending: () => [...pending.keys()] } })
