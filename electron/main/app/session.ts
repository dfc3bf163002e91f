/**
 * What every other part of the till is created on: what is stored between starts (settings, the encrypted token, the languages
 * and the staff), the connection to the Loyalty Points Service, and what is cached of its responses. Also creates the customer
 * display, which shows the session.
 */
import { app, safeStorage } from 'electron'
import { chooseDisplayScreen, CustomerDisplay, type QrDrawer } from '../customer-display/customer-display.ts'
import { Images, LogoCache } from '../images/images.ts'
import type { Notices, StateChanges } from '../ipc/app-state.ts'
import type { Lazy } from '../lazy.ts'
import type { FileLogger } from '../log/log.ts'
import { CustomerDisplayWindow, handleCustomerDisplayIpc } from '../platform/customer-display-window.ts'
import { electronFetch } from '../platform/fetch.ts'
import { send } from '../platform/ipc.ts'
import type { AppPaths } from '../platform/paths.ts'
import { onSystemLocked, systemLanguage, systemUse } from '../platform/system.ts'
import { CatalogueCache, RewardCatalogue } from '../rewards/reward-catalogue.ts'
import { OfflineKeys } from '../offline/offline-keys.ts'
import { ShopRules } from '../session/shop-rules.ts'
import { ServiceClock } from '../session/service-clock.ts'
import { ServiceConnector } from '../session/service-connector.ts'
import { PairingClient } from '../session/pairing-client.ts'
import { StoredConnection } from '../session/stored-connection.ts'
import { TrainingConnection } from '../session/training-connection.ts'
import { ProfileReads } from '../session/profile-reads.ts'
import { systemClock } from '../session/reachability.ts'
import { RecentCustomers } from '../session/recent-customers.ts'
import { Session } from '../session/session.ts'
import { Standings } from '../session/standings.ts'
import { ShopCountry } from '../loyalty/country.ts'
import { Languages, type Settings, TokenStore } from '../settings/index.ts'
import { Staff } from '../staff/staff.ts'

/**
 * Creates the staff and the token store on the settings. Call after the app is ready.
 * @param onChange called when the staff changed
 */
export function createPersistence(settings: Settings, onChange: () => void) {
  const staff = new Staff({ settings, system: systemUse, onChange })
  onSystemLocked(() => staff.handleSystemLock())
  return {
    settings,
    tokens: new TokenStore(safeStorage, process.platform),
    staff,
    languages: new Languages(settings, systemLanguage())
  }
}

export type Persistence = ReturnType<typeof createPersistence>

/** What every part of the till is created with. */
export interface TillContext {
  readonly paths: AppPaths
  readonly persistence: Persistence
  /** a service that changed a part of the till's state emits it there */
  readonly changes: StateChanges
  readonly notices: Notices
  readonly log: FileLogger
}

/** Creates the session and the services that read from it. Sends no request. */
export function createSessionServices({ paths, persistence, changes, notices, log }: TillContext) {
  const { settings, tokens, languages } = persistence
  const onChange = changes.emitChanged
  const training = new TrainingConnection(paths.training, (error) => log.error('training-fault', { error }))
  const clock = new ServiceClock({ notices })
  const connector = new ServiceConnector({ fetch: electronFetch, clock, training, languages, log })
  const session = new Session({ settings, connector, onChange })

  const fetchImage = (request: Request): Promise<Response> =>
    training.owns(request.url) ? training.fetch(request) : electronFetch(request)
  const logos = new LogoCache(paths.logos, session)
  const serviceUrl = (): string | null =>
    session.candidates.current?.credentials.baseUrl ?? settings.values.baseUrl
  const images = new Images(fetchImage, serviceUrl, logos, () => session.owner)
  const catalogue = new RewardCatalogue({
    session,
    languages,
    cache: new CatalogueCache(paths.rewards),
    onChange: (catalogue) => send('onRewards', catalogue),
    onAffordableChange: onChange
  })

  const country = new ShopCountry(settings, session, {
    country: app.getLocaleCountryCode(),
    locale: app.getLocale()
  })

  const profileReads = new ProfileReads({
    clock: systemClock,
    session,
    images
  })

  const shopRules = new ShopRules({
    ...{ session, settings, serviceClock: clock, clock: systemClock, onChange }
  })

  const recent = new RecentCustomers(session)

  const pairing = new PairingClient({ fetch: electronFetch, languages, log })

  return {
    training,
    connector,
    pairing,
    session,
    profileReads,
    shopRules,
    images,
    logos,
    catalogue,
    recent,
    standings: new Standings({ session, shopRules, recent }),
    offlineKeys: new OfflineKeys({ session, settings, tokens, clock, onChange }),
    country,
    connection: new StoredConnection({
      session,
      settings,
      tokens,
      pairing,
      onWaiting: (notice) => notices.add(notice)
    })
  }
}

export type SessionServices = ReturnType<typeof createSessionServices>

export interface CustomerDisplayServicesDependencies extends TillContext {
  readonly sessionServices: SessionServices
  readonly qr: Pick<Lazy<QrDrawer>, 'opened'>
}

/** Creates the customer display without opening it; `window.start` does. */
export function createCustomerDisplayServices(dependencies: CustomerDisplayServicesDependencies) {
  const { paths, persistence, sessionServices, qr, changes, log } = dependencies
  const { settings, staff, languages } = persistence
  const { session, country, images, catalogue } = sessionServices
  const window = new CustomerDisplayWindow({
    preload: paths.customerDisplayPreload,
    settings,
    chooseScreen: chooseDisplayScreen,
    onChange: changes.emitChanged,
    log
  })
  const display = new CustomerDisplay({
    session,
    settings,
    staff,
    languages,
    country,
    images,
    catalogue,
    qr,
    window,
    clock: systemClock,
    sendTypedPhone: (phone) => send('onTypedPhone', phone)
  })
  handleCustomerDisplayIpc()
  return { display, window }
}

export type CustomerDisplayServices = ReturnType<typeof createCustomerDisplayServices>
