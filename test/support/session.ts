/** What a `Session` works with, without a disk and a network. Vitest is not loaded here. */
import type { Result } from '../../electron/contract/failure.ts'
import type { Account } from '../../electron/contract/loyalty.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import type { Credentials } from '../../electron/main/loyalty/credentials.ts'
import type { ServiceConnector } from '../../electron/main/session/service-connector.ts'
import { hashPin } from '../../electron/main/staff/pin.ts'
import { DEFAULT_SETTINGS, type StoredSettings } from '../../electron/main/settings/settings-schema.ts'

/** Settings in memory. */
export class MemorySettings {
  values: StoredSettings

  constructor(values: Partial<StoredSettings> = {}) {
    this.values = { ...DEFAULT_SETTINGS, ...values }
  }

  update(change: Partial<StoredSettings>): void {
    this.values = { ...this.values, ...change }
  }
}

/** Hashes a PIN at a cost that takes no time. */
export const hashCheaply: typeof hashPin = (pin) =>
  hashPin(pin, { cost: 16, blockSize: 8, parallelization: 1 })

/** A client that answers `GET /account` without a request. No other request is answered. */
export class AccountClient extends LoyaltyClient {
  readonly #answer: () => Result<Account>

  constructor(answer: () => Result<Account>) {
    super({
      baseUrl: 'https://shop.example/api/',
      token: 'token',
      languages: { screen: 'en' },
      fetch: () => Promise.reject(new TypeError('fetch failed'))
    })
    this.#answer = answer
  }

  override account(): Promise<Result<Account>> {
    return Promise.resolve(this.#answer())
  }
}

/** Connects to a business by `connect`, and to the training service by `connectTraining`, or as to a business. */
export const connectorOf = (
  connect: ServiceConnector['connect'],
  connectTraining: ServiceConnector['connectTraining'] = () =>
    Promise.resolve(connect({ baseUrl: 'training', token: 'training' } satisfies Credentials))
): Pick<ServiceConnector, 'connect' | 'connectTraining'> => ({ connect, connectTraining })
