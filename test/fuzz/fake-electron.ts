/** The part of Electron that the bridge's other end asks, with senders as a test makes them. */

/** The origin of the till's page, written out: a module that imports `electron` cannot be imported by its own mock. */
const ORIGIN = 'app://till'

/** A frame, as far as main looks at it. */
export interface FakeFrame {
  readonly url: string
  readonly parent: FakeFrame | null
}

/** What comes with a message: who sent it. */
export interface FakeEvent {
  readonly sender: unknown
  readonly senderFrame: FakeFrame | null
}

type Handler = (event: FakeEvent, input: unknown) => Promise<unknown>

/** The handlers that were wired last, by channel. */
export const handlers = new Map<string, Handler>()

/** The contents of the till's own window. */
const OWN_CONTENTS = { own: true }
/** The till's own window, as far as the bridge looks at it. */
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
// electron-store takes the default export.
export default { app, ipcMain, shell }

const frame = (url: string, parent: FakeFrame | null = null): FakeFrame => ({ url, parent })

/** The till's own page. */
export const ownPage = (): FakeEvent => ({ sender: OWN_CONTENTS, senderFrame: frame(`${ORIGIN}/`) })

const disposed = (): never => {
  throw new Error('Render frame was disposed before WebFrameMain could be accessed')
}

/** Everybody else, by what is wrong with them. */
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
