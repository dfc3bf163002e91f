import * as v from 'valibot'

/** Loopback hosts, which do not need https. */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Parses the URL of an update server.
 * @returns the URL with a trailing slash; null if it is invalid, not https (http is allowed for loopback hosts), or has
 *   credentials, a query or a fragment
 */
export function parseFeedUrl(text: string): string | null {
  if (!URL.canParse(text.trim())) return null
  const url = new URL(text.trim())
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && THIS_MACHINE.has(url.hostname))
  if (!secure || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return null
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url.href
}

export const updatesSettingsSchema = v.strictObject({
  /** URL of the update server; null: the default of this installation, if it has one */
  feed: v.nullable(
    v.pipe(
      v.string(),
      v.maxLength(2000),
      v.check((text) => parseFeedUrl(text) !== null, 'An https address, such as "https://updates.example/"'),
      v.transform((text) => parseFeedUrl(text) ?? text)
    )
  )
})
type UpdatesSettings = Readonly<v.InferOutput<typeof updatesSettingsSchema>>

export const DEFAULT_UPDATES_SETTINGS: UpdatesSettings = { feed: null }

/**
 * The ring of updates that a till belongs to: electron-updater calls it a channel, and the files on the server are named by
 * it, such as `pilot.yml`. null: `latest`.
 */
export const updateRingSchema = v.nullable(
  v.pipe(
    v.string(),
    v.regex(/^[a-z][a-z\d-]{0,30}$/, 'A name of small letters, digits and hyphens, such as "pilot"')
  )
)

/** The reason why an update failed. */
export type UpdateFault =
  /** the server is unreachable, or the download was interrupted */
  | 'unreachable'
  /** the server has no valid description of updates */
  | 'no-feed'
  /** the checksum of the download is wrong (SHA-512): discarded */
  | 'damaged'
  /** Windows and macOS: the signature is not that of this till: discarded */
  | 'untrusted'
  /** the installation failed */
  | 'not-installed'

/** The state of an update. */
export type UpdateState =
  /** no update server is set */
  | { readonly kind: 'off' }
  /** this installation cannot update itself: it is not packaged, or managed by the system's package manager */
  | { readonly kind: 'unsupported' }
  /** not checked since the start */
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'checking' }
  /** up to date; `checkedAt` ISO 8601, UTC */
  | { readonly kind: 'newest'; readonly checkedAt: string }
  /** in the background; whole percent */
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** downloaded and verified; installed on request, or when the till closes */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'installing'; readonly version: string }
  | { readonly kind: 'failed'; readonly fault: UpdateFault; readonly checkedAt: string }

/** What a restart would interrupt. */
export type InstallObstacle =
  /** a customer is being served */
  | 'customer'
  /** a slip is being issued or printed */
  | 'slip'
  /** a batch is running */
  | 'batch'

/** The result of *Restart and update*. */
export type InstallResult =
  | { readonly kind: 'restarting' }
  | { readonly kind: 'wait'; readonly for: InstallObstacle }
  /** no update is ready */
  | { readonly kind: 'nothing' }
