/** The connection that sets a till up from its environment, without user input. Imported before Chromium starts. */
import { readFileSync, statSync } from 'node:fs'

/** What the environment contained. */
export interface Provisioning {
  /** null without a base URL and a token; the token is empty if its file cannot be read */
  readonly connection: { readonly baseUrl: string; readonly token: string } | null
  /** the variables that were removed from the environment; a restart needs them again */
  readonly removed: Readonly<Record<string, string>>
}

/** Longer than any token; a file of this size is read in an instant. */
const MAX_TOKEN_FILE_BYTES = 64 * 1024

/** Returns a file's text; empty unless it is a regular file of at most 64 kB. Reading a pipe or device may never end. */
const readTokenFile = (file: string): string => {
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= MAX_TOKEN_FILE_BYTES ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}

/**
 * Reads `TILLPOINTS_BASE_URL` and the token from `TILLPOINTS_TOKEN` or from the file that `TILLPOINTS_TOKEN_FILE` names.
 * Removes the token from `environment`, which every process that the till starts would inherit.
 */
export function takeProvisioning(environment: NodeJS.ProcessEnv): Provisioning {
  const baseUrl = environment['TILLPOINTS_BASE_URL']?.trim()
  const file = environment['TILLPOINTS_TOKEN_FILE']
  const given = environment['TILLPOINTS_TOKEN']
  delete environment['TILLPOINTS_TOKEN']
  const token = (given ?? (file ? readTokenFile(file) : '')).trim()
  return {
    connection: baseUrl && (token || file) ? { baseUrl, token } : null,
    removed: given === undefined ? {} : { TILLPOINTS_TOKEN: given }
  }
}
