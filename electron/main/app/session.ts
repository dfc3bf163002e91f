/** Whom the till asks: the business's service or training, and what it keeps of their answers. */
import { app } from 'electron'
import type { Log } from '../log/index.ts'
import { countryFrom, createLoyaltyService, inLargePages, type LoyaltyService } from '../loyalty/index.ts'
import { createPictures } from '../images/index.ts'
import { createKeptLogo } from '../images/logo.ts'
import { createTrainingDesk } from '../session/training-service.ts'
import { createCatalogue, createKeptCatalogue } from '../rewards/index.ts'
import { electronFetch } from '../platform/fetch.ts'
import { sendCatalogue } from '../platform/ipc.ts'
import type { AppPaths } from '../platform/paths.ts'
import { RecentCustomers, Session, type Credentials, type Watch } from '../session/index.ts'
import type { Memory } from './persistence.ts'

/** What asking needs of the rest. */
export interface ServiceParts {
  readonly where: AppPaths
  readonly memory: Memory
  readonly now: () => Date
  /** called when whom the till serves changed, or how it is answered */
  readonly changed: () => void
  readonly log: Log
  /** hears each token, so that no log has it */
  readonly learn: (token: string) => void
}

/** Makes the asking. Nobody is asked yet. */
export function openService({ where, memory, now, changed, log, learn }: ServiceParts) {
  const { settings, language } = memory
  const training = createTrainingDesk(where.training, (error) => log.error('training-fault', { error }))
  const connect = (credentials: Credentials, watch?: Watch, fetch = electronFetch): LoyaltyService => {
    learn(credentials.token)
    return createLoyaltyService({
      ...credentials,
      fetch,
      watch,
      language,
      qrImageParameter: () => settings.values.qrImageParameter
    })
  }
  const session = new Session<LoyaltyService>({
    memory: () => settings.values,
    remember: (change) => settings.update(change),
    connect,
    openTraining: async () => {
      const { fetch, ...credentials } = await training.open()
      return connect(credentials, undefined, fetch)
    },
    onChange: changed
  })
  const pictures = createPictures(
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
  const logo = createKeptLogo(where.logos, async (link) => {
    const key = pictures.path(link)?.split('/').at(-1)
    return key === undefined ? undefined : (await pictures.read(key))?.bytes
  })
  /** Differs between training and any two businesses. */
  const whoServes = (): string => [session.mode, settings.values.baseUrl, session.business?.id].join(' ')
  const catalogue = createCatalogue({
    readPage: inLargePages((asked, signal) =>
      session.ask((service) => service.listRewards(asked, signal), signal)
    ),
    owner: () => ({ key: whoServes(), kept: session.mode === 'business' && session.business !== null }),
    kept: createKeptCatalogue(where.rewards),
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
      countryFrom({
        setting: settings.values.country,
        accountCountry: session.business?.address.country ?? null,
        accountTimeZone: session.business?.timeZone ?? null,
        systemCountry: app.getLocaleCountryCode(),
        systemLocale: app.getLocale()
      }),
    /** how a connection is kept, and forgotten */
    connectionMemory: {
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
