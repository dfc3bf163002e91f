/** A till that makes slips without a connection, with its journal, slips and key in a folder. Vitest is not loaded here. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { err } from '../../electron/contract/failure.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import {
  DEFAULT_SETTINGS,
  parseSettings,
  type StoredSettings
} from '../../electron/main/settings/settings-schema.ts'
import { createOfflineKeys } from '../support/offline-keys.ts'
import { business } from '../support/sample-business.ts'
import { openTestSlips, type SlipDoubles } from '../support/slip-service.ts'

/** Settings in a file that a kill leaves old or new. */
class FileSettings {
  readonly #file: string
  values: StoredSettings

  constructor(file: string) {
    this.#file = file
    const stored: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    this.values = parseSettings(stored)?.values ?? DEFAULT_SETTINGS
  }

  update(change: Partial<StoredSettings>): void {
    this.values = { ...this.values, ...change }
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.values))
    renameSync(`${this.#file}.new`, this.#file)
  }
}

/** Opens the till at a service that is reached while `line.isCut` is false. @param folder with the till's token in `token` */
export function openOfflineTill(folder: string, baseUrl: string, changes: Partial<SlipDoubles> = {}) {
  const line = { isCut: false }
  const offlineKeys = createOfflineKeys({
    settings: new FileSettings(join(folder, 'settings.json')),
    session: {
      mode: 'business',
      accepted: true,
      businessKey: 'b1',
      get offlineSince() {
        return line.isCut ? '2026-11-21T12:00:00.000Z' : null
      }
    }
  })
  const token = readFileSync(join(folder, 'token'), 'utf8')
  const client = new LoyaltyClient({ baseUrl, token, fetch, languages: { screen: 'en' }, readRetries: 0 })
  const slips = openTestSlips(folder, {
    currentBusiness: () => ({ ...business, extensions: ['codes/1', 'offline-codes/1'] }),
    issueCode: (key, asked) =>
      line.isCut ? Promise.resolve(err({ kind: 'offline' })) : client.issueCode(key, asked),
    offlineKey: (asked) => client.offlineKey(asked),
    reportOfflineCodes: (codes) => client.reportOfflineCodes(codes),
    offlineKeys,
    retryDelaysMs: [5, 20, 50],
    ...changes
  })
  return { slips, line }
}
