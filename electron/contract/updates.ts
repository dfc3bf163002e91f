import * as v from 'valibot'

/** The address that updates of the till come from. */

/** Hosts of this very machine, which need no https. */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Reads the address of the folder on a web server that updates come from.
 * @returns the address with a slash at its end; null when it is not https (plain http counts on this machine alone),
 *   carries a name and password, or is no address
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

/* from updates.ts: Updates of the till itself: where they come from, and how far one has come. */

/** Settings of the updates. */
export const updatesSettingsSchema = v.strictObject({
  /** where updates come from; null: from where this installation was built to look, if anywhere */
  feed: v.nullable(
    v.pipe(
      v.string(),
      v.maxLength(2000),
      v.check((text) => parseFeedUrl(text) !== null),
      v.transform((text) => parseFeedUrl(text) ?? text)
    )
  )
})
type UpdatesSettings = Readonly<v.InferOutput<typeof updatesSettingsSchema>>

export const DEFAULT_UPDATES_SETTINGS: UpdatesSettings = { feed: null }

/** Why there is no update although one was looked for. */
export type UpdateFault =
  /** the server cannot be reached, or the download broke off */
  | 'unreachable'
  /** the server answers, and has no description of updates there that can be read */
  | 'no-feed'
  /** what came is not what the description says (SHA-512): thrown away */
  | 'damaged'
  /** Windows and macOS: it is not signed by who signed this till: thrown away */
  | 'untrusted'
  /** it could not be put in place */
  | 'not-installed'

/** How far an update has come. */
export type UpdateState =
  /** no feed is set: the till asks nobody */
  | { readonly kind: 'off' }
  /** this installation cannot replace itself: it was not packed, or the system's package manager looks after it */
  | { readonly kind: 'unsupported' }
  /** nobody has been asked since the start */
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'checking' }
  /** this is the newest; `checkedAt` ISO 8601, UTC */
  | { readonly kind: 'newest'; readonly checkedAt: string }
  /** comes in the background; whole percent */
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** lies here, checked; is installed when somebody says so, or when the till is closed */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'installing'; readonly version: string }
  | { readonly kind: 'failed'; readonly fault: UpdateFault; readonly checkedAt: string }

/** What a restart would disturb now. */
export type InstallObstacle =
  /** a customer is being served */
  | 'customer'
  /** a slip is on its way from the service or to the printer */
  | 'slip'
  /** many slips at once are being issued */
  | 'batch'

/** What a press of Restart and update came to. */
export type InstallResult =
  | { readonly kind: 'restarting' }
  | { readonly kind: 'wait'; readonly for: InstallObstacle }
  /** there is no update here to install */
  | { readonly kind: 'nothing' }
