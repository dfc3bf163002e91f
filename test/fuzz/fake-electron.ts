/** The part of Electron that the IPC handlers use, with senders that a test creates. */

/** The origin of the till's page, repeated here: a mock of `electron` must not import modules that import `electron`. */
const ORIGIN = 'app://till'

/** The part of a frame that main reads. */
export interface FakeFrame {
  readonly url: string
  readonly parent: FakeFrame | null
}

/** The event of an IPC message, with its sender. */
export interface FakeEvent {
  readonly sender: unknown
  readonly senderFrame: FakeFrame | null
}

type Handler = (event: FakeEvent, input: unknown) => Promise<unknown>

/** The registered handlers by channel. */
export const handlers = new Map<string, Handler>()

/** The `webContents` of the till's window. */
const OWN_CONTENTS = { own: true }
/** The part of the till's window that main reads. */
export const TILL_WINDOW = {
  id: 1,
  once: () => undefined,
  isDestroyed: () => false,
  webContents: { isDestroyed: () => true, send: () => undefined }
}

export const ipcMain = {
  handle: (channel: string, handler: Handler): void => {
    handlers.set(channel, handler)
  }
}
export const BrowserWindow = {
  fromWebContents: (contents: unknown): object | null => (contents === OWN_CONTENTS ? TILL_WINDOW : null),
  getAllWindows: (): object[] => [TILL_WINDOW]
}
export const app = undefined
export const shell = undefined
export const protocol = undefined
// electron-store uses the default export.
export default { app, ipcMain, shell }

const frame = (url: string, parent: FakeFrame | null = null): FakeFrame => ({ url, parent })

/** An event of the till's own page. */
export const ownPage = (): FakeEvent => ({ sender: OWN_CONTENTS, senderFrame: frame(`${ORIGIN}/`) })

const disposed = (): never => {
  throw new Error('Render frame was disposed before WebFrameMain could be accessed')
}

/** Events of other senders, by the difference to the till's page. */
export const STRANGERS: Readonly<Record<string, () => FakeEvent>> = {
  'a page of no window': () => ({ ...ownPage(), sender: {} }),
  'a sender that was destroyed': () => ({ ...ownPage(), sender: undefined }),
  'a frame that is gone': () => ({ sender: OWN_CONTENTS, senderFrame: null }),
  'a frame that was disposed of': () => ({
    sender: OWN_CONTENTS,
    senderFrame: { get url() { return disposed() }, get parent() { return disposed() } } // prettier-ignore
  }),
  'a frame inside the page': () => ({
    sender: OWN_CONTENTS,
    senderFrame: frame(`${ORIGIN}/`, frame(`${ORIGIN}/`))
  }),
  ...Object.fromEntries(
    [
      '',
      'about:blank',
      'https://evil.example/',
      'https://evil.example/app://till/',
      'app://till.evil.example/',
      'app://tillpoints/',
      'app://till@evil.example/',
      'app://till:80@evil.example/',
      'app:/till/',
      'APP://TILL',
      'file:///app://till/',
      'data:text/html,app://till/'
    ].map((url) => [`a page at "${url}"`, () => ({ sender: OWN_CONTENTS, senderFrame: frame(url) })])
  )
}
