import { strict } from '../strict.ts'
import { recorder } from './recorder.ts'

/** Electron's `shell`. Nothing leaves the app: each call is recorded. */
export const shell = strict('shell', {
  openExternal(url: string, options: object = {}): Promise<void> {
    if (typeof url !== 'string' || !URL.canParse(url)) throw new TypeError('Invalid URL')
    recorder.record('shell.openExternal', { url, options })
    const failure = recorder.take('shell.openExternal', [url], () => undefined)
    return failure instanceof Error ? Promise.reject(failure) : Promise.resolve()
  },
  openPath(path: string): Promise<string> {
    recorder.record('shell.openPath', { path })
    return Promise.resolve(String(recorder.take('shell.openPath', [path], () => '')))
  },
  showItemInFolder: (path: string): void => recorder.record('shell.showItemInFolder', { path }),
  beep: (): void => recorder.record('shell.beep'),
  trashItem(path: string): Promise<void> {
    recorder.record('shell.trashItem', { path })
    return Promise.resolve()
  }
})
