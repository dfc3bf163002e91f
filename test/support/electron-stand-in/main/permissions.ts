import type { Protocol } from '../chromium/connection.ts'
import { chromium, runtime } from '../runtime.ts'
import { refuse } from '../strict.ts'
import { originOf, toChromium } from './scheme-map.ts'

type Descriptor = Protocol.Browser.PermissionDescriptor

/** What a page can ask for: Electron's name, and the names by which Chromium keeps it. */
const PERMISSIONS: readonly (readonly [electron: string, ...chromium: Descriptor[]])[] = [
  ['media', { name: 'camera' }, { name: 'microphone' }],
  ['geolocation', { name: 'geolocation' }],
  ['notifications', { name: 'notifications' }],
  ['clipboard-read', { name: 'clipboard-read' }],
  ['clipboard-sanitized-write', { name: 'clipboard-write', allowWithoutSanitization: false }],
  ['midi', { name: 'midi' }],
  ['midiSysex', { name: 'midi', sysex: true }],
  ['idle-detection', { name: 'idle-detection' }],
  ['window-management', { name: 'window-management' }],
  ['storage-access', { name: 'storage-access' }]
]

/** What a request handler gets for media, one after the other; both must be allowed for either to be. */
const DETAILS: Readonly<Record<string, object>> = {
  media: { mediaTypes: ['video', 'audio'], mediaType: 'video' }
}

export type RequestHandler = (
  webContents: unknown,
  permission: string,
  callback: (granted: boolean) => void,
  details: object
) => void
export type CheckHandler = (
  webContents: unknown,
  permission: string,
  requestingOrigin: string,
  details: object
) => boolean

const handlers: { request: RequestHandler | null; check: CheckHandler | null } = {
  request: null,
  check: null
}
/** origins that have a page now, and who asks for them; a handler set later applies to these at once */
const known = new Map<string, { url: string; webContentsId: number }>()
let findWebContents: (id: number) => unknown = () => null

/** Sets the function that finds the WebContents for a permission handler. */
export function setWebContentsFinder(finder: (id: number) => unknown): void {
  findWebContents = finder
}

export function setRequestHandler(handler: unknown): void {
  handlers.request = handlerOrNull(handler) as RequestHandler | null
  void reapply()
}

export function setCheckHandler(handler: unknown): void {
  handlers.check = handlerOrNull(handler) as CheckHandler | null
  void reapply()
}

function handlerOrNull(handler: unknown): unknown {
  if (handler !== null && typeof handler !== 'function') throw new TypeError('Must pass null or function')
  return handler
}

/** The origins, as Chromium knows them, of all pages shown so far. */
export function shownOrigins(): string[] {
  return [...known.keys()].map((origin) => originOf(toChromium(`${origin}/`)))
}

async function reapply(): Promise<void> {
  if (!runtime.chromium) return
  await Promise.all([...known.values()].map(({ url, webContentsId }) => applyPermissions(url, webContentsId)))
}

/**
 * Asks the app's handlers for the permissions of a page and sets them in Chromium, before the page's scripts run.
 * Without handlers everything is granted, as in Electron. Chromium cannot ask later: see the README.
 */
export async function applyPermissions(url: string, webContentsId: number): Promise<void> {
  const origin = originOf(url)
  if (origin === 'null') return
  known.set(origin, { url, webContentsId })
  const chromiumOrigin = originOf(toChromium(`${origin}/`))
  const decided = PERMISSIONS.map(async ([permission, ...descriptors]) => {
    const tell = async (granted: boolean): Promise<void> => {
      const setting = granted ? 'granted' : 'denied'
      const settings = descriptors.map(
        (each) => ({ permission: each, setting, origin: chromiumOrigin }) as const
      )
      await Promise.all(
        settings.map((each) =>
          chromium()
            .send('Browser.setPermission', each)
            .catch(() => undefined)
        )
      )
    }
    const answer = isGranted(permission, origin, url, webContentsId)
    const soon = await Promise.race([
      answer,
      new Promise<undefined>((resolve) => setImmediate(resolve, undefined))
    ])
    // A handler that takes its time (it may ask a person) must not hold up the page.
    if (soon === undefined) void answer.then(tell)
    await tell(soon ?? false)
  })
  await Promise.all(decided)
}

async function isGranted(
  permission: string,
  origin: string,
  url: string,
  webContentsId: number
): Promise<boolean> {
  const contents = findWebContents(webContentsId)
  const details = {
    isMainFrame: true,
    requestingUrl: url,
    securityOrigin: `${origin}/`,
    ...DETAILS[permission]
  }
  if (handlers.check) {
    const answer: unknown = handlers.check(contents, permission, `${origin}/`, details)
    if (typeof answer !== 'boolean') refuse(`a permission check handler that returns ${typeof answer}`)
    if (!answer) return false
  }
  const { request } = handlers
  if (!request) return true
  return new Promise((resolve) => request(contents, permission, resolve, details))
}
