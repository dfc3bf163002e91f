/** From what electron-updater throws to what is told. */
import type { UpdateFault } from '../../contract/updates.ts'

/** Its own codes, and HTTP's refusals, as `builder-util-runtime` names them. */
const CODES: Readonly<Record<string, UpdateFault>> = {
  ERR_CHECKSUM_MISMATCH: 'damaged',
  ERR_UPDATER_INVALID_SIGNATURE: 'untrusted',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'no-feed',
  ERR_UPDATER_INVALID_VERSION: 'no-feed',
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: 'no-feed',
  ERR_UPDATER_NO_FILES_PROVIDED: 'no-feed',
  ERR_UPDATER_ASSET_NOT_FOUND: 'no-feed',
  ERR_UPDATER_NO_CHECKSUM: 'no-feed'
}

/** The fault behind an error of a check or a download. */
export function updateFault(error: unknown): UpdateFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return CODES[code] ?? (code.startsWith('HTTP_ERROR_4') ? 'no-feed' : 'unreachable')
}
