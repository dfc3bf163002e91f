/** Whom the till asks: the business's service or training, and what it keeps of their answers. */
import { app } from 'electron'
import type { FileLogger } from '../log/log-file.ts'
import { resolveCountry } from '../loyalty/country.ts'
import { createLoyaltyClient, createPageReader, type LoyaltyClient } from '../loyalty/loyalty-client.ts'
import { Images } from '../images/images.ts'
import { LogoCache } from '../images/logo-cache.ts'
import { createTrainingDesk } from '../session/training-service.ts'
import { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import { CatalogueCache } from '../rewards/catalogue-cache.ts'
import { electronFetch } from '../platform/fetch.ts'
import { sendCatalogue } from '../platform/ipc.ts'
import type { AppPaths } from '../platform/paths.ts'
import { RecentCustomers } from '../session/recent-customers.ts'
import { Session, type Credentials } from '../session/session.ts'
import type { RequestObserver } from '../session/reachability.ts'
import type { Memory } from './persistence.ts'

/** What asking needs of the rest. */
export interface ServiceParts {
  readonly where: AppPaths
  readonly memory: Memory
  readonly now: () => Date
  /** called when whom the till serves changed, or how it is answered */
  readonly changed: () => void
  /** also receives each token, to redact it */
  readonly log: FileLogger
}

/** Makes the asking. Nobody is asked yet. */
export function openService({ where, memory, now, changed, log }: ServiceParts) {
  const { settings, language } = memory
  const training = createTrainingDesk(where.training, (error) => log.error('training-fault', { error }))
  const connect = (
    credentials: Credentials,
    watch?: RequestObserver,
    fetch = electronFetch
  ): LoyaltyClient => {
    log.addSecret(credentials.token)
    return createLoyaltyClient({
      ...credentials,
      fetch,
      watch,
      language,
      qrImageParameter: () => settings.values.qrImageParameter
    })
  }
  const session = new Session<LoyaltyClient>({
    memory: () => settings.values,
    remember: (change) => settings.update(change),
    connect,
    openTraining: async () => {
      const { fetch, ...credentials } = await training.open()
      return connect(credentials, undefined, fetch)
    },
    onChange: changed
  })
  const logos = new LogoCache(where.logos)
  // Only the business's logo is stored on disk, no customer's avatar.
  const isLogo = (link: string): boolean => link === session.business?.logo
  const images = new Images(
    async (request) =>
      training.owns(request.url) ? (await training.open()).fetch(request) : electronFetch(request),
    {
      get: (link) => (isLogo(link) ? logos.get(link) : null),
      set(link, bytes) {
        if (isLogo(link)) void logos.set(link, bytes)
      }
    }
  )
  /** Differs between training and any two businesses. */
  const whoServes = (): string => [session.mode, settings.values.baseUrl, session.business?.id].join(' ')
  const catalogue = new RewardCatalogue({
    readPage: createPageReader((asked, signal) =>
      session.ask((service) => service.listRewards(asked, signal), signal)
    ),
    owner: () => ({ key: whoServes(), cached: session.mode === 'business' && session.business !== null }),
    cache: new CatalogueCache(where.rewards),
    now,
    onChange: sendCatalogue
  })
  return {
    training,
    connect,
    session,
    images,
    catalogue,
    recent: new RecentCustomers(whoServes),
    /** the shop's, ISO 3166-1 alpha-2 */
    country: (): string =>
      resolveCountry({
        setting: settings.values.country,
        accountCountry: session.business?.address.country ?? null,
        accountTimeZone: session.business?.timeZone ?? null,
        systemCountry: app.getLocaleCountryCode(),
        systemLocale: app.getLocale()
      }),
    /** how a connection is kept, and forgotten */
    connectionStore: {
      seal: memory.tokens.seal,
      keep: (connection: Parameters<typeof settings.update>[0]) =>
        settings.update({ ...connection, mode: 'business' }),
      forget: () => {
        settings.update({ mode: 'onboarding', baseUrl: null, token: null, business: null })
        void catalogue.clear()
      }
    }
  }
}

/** Whom the till asks. */
export type Service = ReturnType<typeof openService>
