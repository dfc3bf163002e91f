/** The till's main process, as a table of contents: build each service, wire the bridge, open the window. */
import { app, BrowserWindow, nativeTheme, safeStorage } from 'electron'
import { TILL_LOCALE } from '../contract/locale.ts'
import {
  batchesAnswers,
  connectionAnswers,
  createCheckCode,
  createForPage,
  createStanding,
  customersAnswers,
  printersAnswers,
  rewardsAnswers,
  slipsAnswers,
  tillAnswers
} from './answers/index.ts'
import { countryFrom, createLoyaltyService, parseBaseUrl, type LoyaltyService } from './loyalty/index.ts'
import { createPictures } from './pictures/index.ts'
import { createKeptLogo } from './pictures/logo.ts'
import { createPracticeDesk } from './practice-desk.ts'
import { createSettings, createTokenKeeper, provisioningFrom } from './settings/index.ts'
import { electronFetch } from './shell/fetch.ts'
import { installGuards } from './shell/guards.ts'
import { mayOpen } from './shell/single-till.ts'
import { tellBatch, tellSlip, tellState, wireCalls } from './shell/ipc.ts'
import { createLog } from './shell/log.ts'
import { places } from './shell/places.ts'
import { registerScheme, servePage } from './shell/scheme.ts'
import { askWhereToSave } from './shell/save-dialog.ts'
import { openTillWindow } from './shell/window.ts'
import { createPrinting } from './printing/index.ts'
import { createSlips } from './slips/index.ts'
import { resume, Session, type Credentials } from './till/index.ts'

const now = (): Date => new Date()
const log = createLog(now)

/** Opens the till. A function, since a top-level await of `whenReady` never ends in an ES module. */
async function open(): Promise<void> {
  await app.whenReady()
  installGuards()
  const where = places()

  // What it remembers
  const settings = createSettings(where.userData, now)
  const tokens = createTokenKeeper(safeStorage, process.platform)

  // Whom it asks
  const practice = createPracticeDesk(where.practice, (error) => log('practice-fault', { error }))
  const connect = (credentials: Credentials, fetch = electronFetch): LoyaltyService =>
    createLoyaltyService({
      ...credentials,
      fetch,
      language: () => settings.values.language,
      qrImageParameter: () => settings.values.qrImageParameter
    })
  const session = new Session<LoyaltyService>({
    memory: () => settings.values,
    remember: (change) => settings.update(change),
    connect,
    openPractice: async () => {
      const { fetch, ...credentials } = await practice.open()
      return connect(credentials, fetch)
    },
    onChange: () => standing.changed()
  })
  const pictures = createPictures(async (request) =>
    practice.owns(request.url) ? (await practice.open()).fetch(request) : electronFetch(request)
  )
  const logo = createKeptLogo(where.logos, async (link) => {
    const key = pictures.path(link)?.split('/').at(-1)
    return key === undefined ? undefined : (await pictures.read(key))?.bytes
  })
  const country = (): string =>
    countryFrom({
      setting: settings.values.country,
      accountCountry: session.business?.address.country ?? null,
      accountTimeZone: session.business?.timeZone ?? null,
      systemCountry: app.getLocaleCountryCode(),
      systemLocale: app.getLocale()
    })

  // Where slips go
  const printing = createPrinting({
    platform: process.platform,
    environment: process.env,
    now,
    log: { error: (message, error) => log('printing', { message, error }) }
  })

  // What it issues
  const slips = createSlips({
    journalFile: where.journal,
    slipsFolder: where.slips,
    fontsFolder: where.fonts,
    createQr: (points) => session.ask((service) => service.createQr(points)),
    currentBusiness: () =>
      session.business && {
        ...session.business,
        practice: session.mode === 'practice',
        locale: TILL_LOCALE,
        slip: settings.values.slip,
        logo: logo.current(session.business.logo)
      },
    now,
    onSlip: tellSlip,
    onBatch: tellBatch,
    printOnPrinter: (job, to, signal) => printing.print(job, to, signal),
    settings: () => settings.values,
    log: { error: (message, error) => log('slips', { message, error }) }
  })

  // What it says to the page
  const forPage = createForPage(pictures, country)
  const standing = createStanding({
    settings,
    session,
    forPage: forPage.account,
    country,
    slipsFolder: where.slips,
    version: app.getVersion(),
    tell: tellState
  })
  const checkCode = createCheckCode(session, (code) => slips.byCode(code))
  const connectionMemory = {
    seal: tokens.seal,
    keep: (connection: Parameters<typeof settings.update>[0]) =>
      settings.update({ ...connection, mode: 'business' }),
    forget: () => settings.update({ mode: 'first-start', baseUrl: null, token: null, business: null })
  }
  wireCalls(
    {
      till: tillAnswers(standing, settings, session),
      connection: connectionAnswers(standing, session, connectionMemory, forPage),
      customers: customersAnswers(session, country, checkCode, forPage),
      rewards: rewardsAnswers(session),
      slips: slipsAnswers(slips, session, checkCode, askWhereToSave, now),
      batches: batchesAnswers(slips, session),
      printers: printersAnswers(printing, slips)
    },
    log
  )
  servePage(where.page, (key) => pictures.read(key))

  // How it starts
  if (settings.setAsideAs !== null) standing.notice({ kind: 'settings-set-aside', file: settings.setAsideAs })
  for (const notice of slips.notices) standing.notice(notice)
  const { mode, baseUrl, token } = settings.values
  const started = await resume(
    session,
    { mode, baseUrl, sealedToken: token, provisioning: provisioningFrom(process.env) },
    { memory: connectionMemory, openSealed: tokens.open, parseBaseUrl }
  )
  if (started) standing.notice(started)

  const openWindow = (): BrowserWindow => openTillWindow(where, nativeTheme.shouldUseDarkColors, log)
  openWindow()
  void session.refresh()

  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows()
    if (window?.isMinimized()) window.restore()
    window?.focus()
  })
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow()
  })
  app.on('window-all-closed', () => app.quit())
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    // A slip on its way is waited for; then the till quits again, for good.
    event.preventDefault()
    void slips.close().finally(() => {
      practice.close()
      closed = true
      app.quit()
    })
  })
}

registerScheme()
if (mayOpen()) {
  open().catch((error: unknown) => {
    log('start-failed', { error })
    app.exit(1)
  })
} else {
  app.quit()
}
