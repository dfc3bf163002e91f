/** Whom the till asks: the business's service or training, and what it keeps of their answers. */
import { app } from 'electron'
import type { Logger } from '../log/log.ts'
import { resolveCountry } from '../loyalty/country.ts'
import { createLoyaltyClient, createPageReader, type LoyaltyClient } from '../loyalty/loyalty-client.ts'
import { createImages } from '../images/images.ts'
import { createLogoCache } from '../images/logo-cache.ts'
import { createTrainingDesk } from '../session/training-service.ts'
import { createRewardCatalogue } from '../rewards/reward-catalogue.ts'
import { createCatalogueCache } from '../rewards/catalogue-cache.ts'
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
  readonly log: Logger
  /** hears each token, so that no log has it */
  readonly addSecret: (token: string) => void
}

/** Makes the asking. Nobody is asked yet. */
export function openService({ where, memory, now, changed, log, addSecret }: ServiceParts) {
  const { settings, language } = memory
  const training = createTrainingDesk(where.training, (error) => log.error('training-fault', { error }))
  const connect = (
    credentials: Credentials,
    watch?: RequestObserver,
    fetch = electronFetch
  ): LoyaltyClient => {
    addSecret(credentials.token)
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
  const pictures = createImages(
    async (request) =>
      training.owns(request.url) ? (await training.open()).fetch(request) : electronFetch(request),
    // Of customers no picture stays on the disk.
    {
      kept: (link) => (link === session.business?.logo ? logo.kept(link) : null),
      keep(link, bytes) {
        if (link === session.business?.logo) logo.keep(link, bytes)
      }
    }
  )
  const logo = createLogoCache(where.logos, async (link) => {
    const key = pictures.path(link)?.split('/').at(-1)
    return key === undefined ? undefined : (await pictures.read(key))?.bytes
  })
  /** Differs between training and any two businesses. */
  const whoServes = (): string => [session.mode, settings.values.baseUrl, session.business?.id].join(' ')
  const catalogue = createRewardCatalogue({
    readPage: createPageReader((asked, signal) =>
      session.ask((service) => service.listRewards(asked, signal), signal)
    ),
    owner: () => ({ key: whoServes(), kept: session.mode === 'business' && session.business !== null }),
    kept: createCatalogueCache(where.rewards),
    now,
    tell: sendCatalogue
  })
  return {
    training,
    connect,
    session,
    pictures,
    logo,
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
        void catalogue.forget()
      }
    }
  }
}

/** Whom the till asks. */
export type Service = ReturnType<typeof openService>
