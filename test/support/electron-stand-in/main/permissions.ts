import type { Protocol } from '../chromium/connection.ts'
import { chromium } from '../runtime.ts'
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

type RequestHandler = (
  webContents: object,
  permission: string,
  callback: (granted: boolean) => void,
  details: object
) => void
type CheckHandler = (webContents: object, permission: string, origin: string, details: object) => boolean

/** The app's handlers; null where it has set none. */
export const permissionHandlers: { request: RequestHandler | null; check: CheckHandler | null } = {
  request: null,
  check: null
}

/**
 * Asks the app's handlers for the permissions of a page and sets them in Chromium, before the page's scripts run.
 * Without handlers everything is granted, as in Electron. Chromium cannot ask later: see the README.
 */
export async function applyPermissions(url: string, webContents: object): Promise<void> {
  const origin = originOf(url)
  if (origin === 'null') return
  const decided = PERMISSIONS.flatMap(([permission, ...descriptors]) => {
    const setting = isGranted(permission, origin, url, webContents) ? 'granted' : 'denied'
    return descriptors.map((descriptor) => ({
      permission: descriptor,
      setting,
      origin: originOf(toChromium(`${origin}/`))
    })) satisfies Protocol.Browser.setPermissionParameters[]
  })
  await Promise.all(
    decided.map((each) =>
      chromium()
        .send('Browser.setPermission', each)
        .catch(() => undefined)
    )
  )
}

function isGranted(permission: string, origin: string, url: string, webContents: object): boolean {
  const { request, check } = permissionHandlers
  const details = { isMainFrame: true, requestingUrl: url, securityOrigin: `${origin}/` }
  if (check && !check(webContents, permission, `${origin}/`, details)) return false
  if (!request) return true
  let answer: boolean | undefined
  request(webContents, permission, (granted) => (answer = granted), details)
  return answer ?? refuse('a permission request handler that answers later')
}
