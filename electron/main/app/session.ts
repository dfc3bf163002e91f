/** The connection to the Loyalty Points Service, and what the till caches of its responses. */
import { app } from 'electron'
import type { Account, Customer } from '../../contract/loyalty.ts'
import { Images, LogoCache } from '../images/images.ts'
import { readServiceState, type ServiceState } from '../ipc/app-state.ts'
import { toRendererAccount } from '../ipc/connection.ts'
import { toRendererCustomer } from '../ipc/customers.ts'
import type { FileLogger } from '../log/log-file.ts'
import type { Fetch } from '../loyalty/buffered-fetch.ts'
import { resolveCountry } from '../loyalty/country.ts'
import { LoyaltyClient, createPageReader } from '../loyalty/loyalty-client.ts'
import { PairingClient } from '../loyalty/pairing.ts'
import { electronFetch } from '../platform/fetch.ts'
import { sendCatalogue } from '../platform/ipc.ts'
import type { AppPaths } from '../platform/paths.ts'
import { CatalogueCache, RewardCatalogue } from '../rewards/reward-catalogue.ts'
import { TrainingConnection } from '../session/connection.ts'
import { DailyProfileRead } from '../session/daily-profile-read.ts'
import { systemClock, type RequestObserver } from '../session/reachability.ts'
import { RecentCustomers } from '../session/recent-customers.ts'
import { Session, type Credentials } from '../session/session.ts'
import type { Persistence } from './persistence.ts'

export interface SessionServicesDependencies {
  readonly paths: AppPaths
  readonly persistence: Persistence
  readonly now: () => Date
  /** called when the service, the profile, the reachability or what a balance buys changed */
  readonly onChange: () => void
  /** also receives each token, to redact it */
  readonly log: FileLogger
}

/** Creates the session and the services that read from it. Sends no request. */
export function createSessionServices(dependencies: SessionServicesDependencies) {
  const { paths, persistence, now, onChange, log } = dependencies
  const { settings, staff, language, slipLanguage } = persistence
  const training = new TrainingConnection(paths.training, (error) => log.error('training-fault', { error }))

  const createClient = (credentials: Credentials, fetch: Fetch, observe?: RequestObserver): LoyaltyClient =>
    new LoyaltyClient({
      ...credentials,
      fetch,
      watch: observe,
      language,
      log
    })
  const connect = (credentials: Credentials, observe?: RequestObserver): LoyaltyClient => {
    // Not the token of training mode: it is the word "training", which the log needs.
    log.addSecret(credentials.token)
    return createClient(credentials, electronFetch, observe)
  }

  const session = new Session<LoyaltyClient>({
    readState: () => settings.values,
    updateState: (change) => settings.update(change),
    connect,
    openTraining: async () => {
      const { fetch, ...credentials } = await training.open()
      return createClient(credentials, fetch)
    },
    onChange
  })

  const fetchImage = async (request: Request): Promise<Response> =>
    training.owns(request.url) ? (await training.open()).fetch(request) : electronFetch(request)
  const logos = new LogoCache(paths.logos)
  // Only the logo of the business is stored on disk, no avatar of a customer.
  const isLogo = (link: string): boolean => link === session.business?.logo
  const serviceUrl = (): string | null => session.candidate?.credentials.baseUrl ?? settings.values.baseUrl
  const images = new Images(fetchImage, serviceUrl, {
    get: (link) => (isLogo(link) ? logos.get(link) : null),
    set(link, bytes) {
      if (isLogo(link)) void logos.set(link, bytes)
    }
  })
  /** Identifies the training service or the connected business. */
  const servedBy = (): string => [session.mode, settings.values.baseUrl, session.business?.id].join(' ')

  const catalogue = new RewardCatalogue({
    readPage: createPageReader((page, signal) =>
      session.ask((client) => client.listRewards(page, signal), signal)
    ),
    readDetail: (id, signal) => session.ask((client) => client.reward(id, signal), signal),
    owner: () =>
      session.mode === 'onboarding'
        ? null
        : {
            key: `${servedBy()} ${language()}`,
            cached: session.mode === 'business' && session.business !== null
          },
    cache: new CatalogueCache(paths.rewards),
    now,
    onChange: sendCatalogue,
    onAffordableChange: onChange
  })

  /** Country of the shop, ISO 3166-1 alpha-2. */
  const country = (): string =>
    resolveCountry({
      setting: settings.values.country,
      accountCountry: session.business?.address.country ?? null,
      accountTimeZone: session.business?.timeZone ?? null,
      systemCountry: app.getLocaleCountryCode(),
      systemLocale: app.getLocale()
    })

  const dailyProfileRead = new DailyProfileRead({
    clock: systemClock,
    session,
    // The logo may have changed behind the same link.
    onRead: () => session.business?.logo && void images.refresh(session.business.logo)
  })

  const accountForRenderer = (account: Account): Account => toRendererAccount(account, images)

  return {
    training,
    connect,
    pairing: new PairingClient({ fetch: electronFetch, language, log }),
    session,
    dailyProfileRead,
    images,
    catalogue,
    recent: new RecentCustomers(servedBy),
    country,
    accountForRenderer,
    customerForRenderer: (customer: Customer): Customer => toRendererCustomer(customer, images, country()),
    serviceState: (): ServiceState =>
      readServiceState({
        settings,
        session,
        staff,
        language,
        slipLanguage,
        country,
        toRendererAccount: accountForRenderer
      }),
    connectionStore: {
      seal: (token: string, acceptWeak: boolean) => persistence.tokens.seal(token, acceptWeak),
      keep: (connection: Parameters<typeof settings.update>[0]) =>
        settings.update({ ...connection, mode: 'business' }),
      forget: () => {
        settings.update({ mode: 'onboarding', baseUrl: null, token: null, business: null })
        void catalogue.clear()
      }
    }
  }
}

export type SessionServices = ReturnType<typeof createSessionServices>
