/** The till's main process, as a table of contents: build each service, wire the bridge, open the window. */
import { app, dialog, nativeTheme, safeStorage } from 'electron'
import { release } from 'node:os'
import { resolve } from 'node:path'
import { good } from '../contract/failure.ts'
import { chooseLanguage, localeOf, type Language } from '../contract/language.ts'
import {
  aboutAnswers,
  batchesAnswers,
  connectionAnswers,
  createChangeLog,
  createCheckCode,
  createDrafts,
  createForPage,
  createSaveDiagnostics,
  createStanding,
  customerDisplayAnswers,
  customersAnswers,
  diagnosticsAnswers,
  printersAnswers,
  rewardsAnswers,
  slipsAnswers,
  staffAnswers,
  tillAnswers,
  updatesAnswers
} from './answers/index.ts'
import { chooseScreen, createCustomerDisplay } from './customer-display/index.ts'
import { createDiagnostics } from './diagnostics/index.ts'
import { openLogFile } from './log/index.ts'
import {
  countryFrom,
  createLoyaltyService,
  inLargePages,
  parseBaseUrl,
  type LoyaltyService
} from './loyalty/index.ts'
import { createPictures } from './pictures/index.ts'
import { createKeptLogo } from './pictures/logo.ts'
import { createPracticeDesk } from './practice-desk.ts'
import { restoredMessage } from './restored-message.ts'
import { createCatalogue, createKeptCatalogue } from './rewards/index.ts'
import { createSettings, createTokenKeeper, takeProvisioning } from './settings/index.ts'
import { answerCustomerDisplay, createCustomerDisplayWindow } from './shell/customer-display/index.ts'
import { electronFetch } from './shell/fetch.ts'
import { builtInFeed } from './shell/built-in-feed.ts'
import { installGuards } from './shell/guards.ts'
import { createLastResort } from './shell/last-resort.ts'
import { mayOpen } from './shell/single-till.ts'
import { tellBatch, tellFound, tellRewards, tellSlip, tellState, wireCalls } from './shell/ipc.ts'
import { places } from './shell/places.ts'
import { registerScheme, servePage } from './shell/scheme.ts'
import { askWhereToSave } from './shell/save-dialog.ts'
import { reviveAfterCrashes } from './shell/page-crash.ts'
import { onSystemLeft, systemIdleSeconds } from './shell/presence.ts'
import { followSleep } from './shell/sleep.ts'
import { openUpdater } from './shell/updater.ts'
import { openTillWindow } from './shell/window.ts'
import { tillWindow } from './shell/windows.ts'
import { createPrinting } from './printing/index.ts'
import { createSlips, drawQr, restoreJournal } from './slips/index.ts'
import { createStaff, needOf } from './staff/index.ts'
import { RecentCustomers, resume, Session, type Credentials, type Watch } from './till/index.ts'
import { createUpdates } from './updates/index.ts'

const now = (): Date => new Date()
// What the till writes is its own account's alone: journals, backups, logs, slips. Windows knows no such mask.
process.umask(0o077)
const where = places()
const { log, learn, secrets, files } = openLogFile({
  folder: where.logs,
  now,
  echo: (line) => process.stderr.write(`${line}\n`)
})

const lastResort = createLastResort(log, where.logs)
lastResort.watch()

/** On the command line of a till that was started again because its update could not be put in place. */
const UPDATE_NOT_INSTALLED = '--update-not-installed'

/** Opens the till. A function, since a top-level await of `whenReady` never ends in an ES module. */
async function open(): Promise<void> {
  await app.whenReady()
  installGuards()

  // What it remembers
  const settings = createSettings(where.userData, now)
  const tokens = createTokenKeeper(safeStorage, process.platform)
  const systemLanguage = chooseLanguage([app.getLocale(), ...app.getPreferredSystemLanguages()])
  const language = (): Language => settings.values.language ?? systemLanguage
  const slipLanguage = (): Language => settings.values.slipLanguage ?? language()

  // Who works at it
  const staff = createStaff({
    kept: () => settings.values.staff,
    remember: (change) => settings.update({ staff: { ...settings.values.staff, ...change } }),
    lockAfterMinutes: () => settings.values.lockAfterMinutes,
    systemIdleSeconds,
    onChange: () => standing.changed()
  })
  onSystemLeft(() => staff.systemLeft())

  // Whom it asks
  const practice = createPracticeDesk(where.practice, (error) => log.error('practice-fault', { error }))
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
    openPractice: async () => {
      const { fetch, ...credentials } = await practice.open()
      return connect(credentials, undefined, fetch)
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
  /** Differs between practice and any two businesses. */
  const whoServes = (): string => [session.mode, settings.values.baseUrl, session.business?.id].join(' ')
  const recent = new RecentCustomers(whoServes)
  const country = (): string =>
    countryFrom({
      setting: settings.values.country,
      accountCountry: session.business?.address.country ?? null,
      accountTimeZone: session.business?.timeZone ?? null,
      systemCountry: app.getLocaleCountryCode(),
      systemLocale: app.getLocale()
    })

  const catalogue = createCatalogue({
    readPage: inLargePages((asked, signal) =>
      session.ask((service) => service.listRewards(asked, signal), signal)
    ),
    owner: () => ({
      key: whoServes(),
      kept: session.mode === 'business' && session.business !== null
    }),
    kept: createKeptCatalogue(where.rewards),
    now,
    tell: tellRewards
  })

  // Where slips go
  const printing = createPrinting({
    platform: process.platform,
    environment: process.env,
    now,
    log
  })

  // What it issues
  const backup = app.commandLine.getSwitchValue('restore-journal')
  if (backup !== '') {
    const from = resolve(backup)
    const restored = await restoreJournal({ journalFile: where.journal, from, now: now(), log })
    // The till opens meanwhile.
    void dialog.showMessageBox(restoredMessage(restored, from))
  }
  const slips = createSlips({
    journalFile: where.journal,
    backupsFolder: where.backups,
    slipsFolder: where.slips,
    fontsFolder: where.fonts,
    createQr: (points) => session.ask((service) => service.createQr(points)),
    currentBusiness: () =>
      session.business && {
        ...session.business,
        practice: session.mode === 'practice',
        locale: localeOf(slipLanguage(), country()),
        slip: settings.values.slip,
        logo: logo.current(session.business.logo)
      },
    currentCashier: () => staff.state().cashier,
    now,
    handingOver: () => (displayWindow.isOpen() ? settings.values.handingOver : 'print'),
    onHandedOver: (slip, qr) => {
      display.handedOver(slip, qr)
      return displayWindow.isOpen()
    },
    onSlip: tellSlip,
    onBatch: tellBatch,
    printOnPrinter: (job, to, signal) => printing.print(job, to, signal),
    expectJob: (to) => printing.expect(to),
    settings: () => settings.values,
    log
  })

  // What it tells of itself
  const diagnostics = createDiagnostics({
    versions: {
      till: app.getVersion(),
      electron: process.versions.electron,
      chromium: process.versions.chrome,
      node: process.versions.node
    },
    platform: {
      system: process.platform,
      release: release(),
      architecture: process.arch,
      locale: app.getLocale()
    },
    printers: () => printing.list(),
    journal: () => slips.numbers(),
    backups: () => ({ count: slips.backups?.count() ?? 0, newest: slips.backups?.newest() ?? null }),
    settings: () => settings.values,
    logFiles: files,
    secrets,
    log
  })
  const saveDiagnostics = createSaveDiagnostics(diagnostics, askWhereToSave, now)
  lastResort.offer(saveDiagnostics)

  // How it ends
  let closed = false
  const closeDown = async (): Promise<void> => {
    updates.stop()
    await slips.close().finally(() => {
      practice.close()
      closed = true
      log.info('till-stopped')
    })
  }

  // How it stays up to date
  const packedFeed = builtInFeed()
  const updates = createUpdates({
    feed: () => settings.values.updates.feed ?? packedFeed,
    openUpdater: () => openUpdater(log),
    obstacle: () => slips.underWay(),
    closeDown,
    restart() {
      app.relaunch({ args: [...process.argv.slice(1), UPDATE_NOT_INSTALLED] })
      app.exit()
    },
    notInstalled: process.argv.includes(UPDATE_NOT_INSTALLED),
    onChange: () => standing.changed(),
    now,
    log
  })

  // What it says to the page
  const forPage = createForPage(pictures, country, (customer) => display.saw(customer))
  const changes = createChangeLog(log)
  const standing = createStanding({
    settings,
    session,
    forPage: forPage.account,
    staff: () => staff.state(),
    language,
    slipLanguage,
    country,
    customerDisplayOpen: () => displayWindow.isOpen(),
    slipsFolder: where.slips,
    version: app.getVersion(),
    update: () => updates.state,
    tell: (state) => {
      nativeTheme.themeSource = state.settings.theme
      changes(state)
      tellState(state)
      display.changed()
      displayWindow.follow()
    }
  })

  // What customers see
  const displayWindow = createCustomerDisplayWindow({
    preload: where.customerDisplayPreload,
    dark: () => nativeTheme.shouldUseDarkColors,
    setting: () => settings.values.customerDisplay,
    choose: chooseScreen,
    view: () => display.view(),
    onChange: () => standing.changed(),
    log
  })
  const display = createCustomerDisplay({
    state: () => standing.state(),
    drawQr,
    tell: (view) => displayWindow.tell(view),
    now,
    after: (seconds, then) => {
      const clock = setTimeout(then, seconds * 1000)
      return () => clearTimeout(clock)
    }
  })
  answerCustomerDisplay()
  const checkCode = createCheckCode(session, (code) => slips.byCode(code))
  const connectionMemory = {
    seal: tokens.seal,
    keep: (connection: Parameters<typeof settings.update>[0]) =>
      settings.update({ ...connection, mode: 'business' }),
    forget: () => {
      settings.update({ mode: 'first-start', baseUrl: null, token: null, business: null })
      void catalogue.forget()
    }
  }
  wireCalls(
    {
      till: tillAnswers(
        standing,
        settings,
        session,
        createDrafts(() => `${session.mode} ${settings.values.baseUrl ?? ''}`)
      ),
      connection: connectionAnswers(standing, session, connectionMemory, forPage),
      customers: customersAnswers(session, country, checkCode, forPage, { recent, tellFound }),
      rewards: rewardsAnswers(session, catalogue),
      slips: slipsAnswers(slips, session, checkCode, askWhereToSave, now, (id) => recent.serve(id)),
      batches: batchesAnswers(slips, session),
      printers: printersAnswers(printing, slips),
      diagnostics: diagnosticsAnswers(diagnostics, saveDiagnostics),
      updates: updatesAnswers(updates),
      customerDisplay: customerDisplayAnswers(display, displayWindow),
      staff: staffAnswers(standing, staff, {
        baseUrl: () => settings.values.baseUrl,
        business: async () => {
          const { business } = settings.values
          return business ? good(business) : session.refresh()
        },
        ownerOf: (credentials) => connect(credentials).account()
      }),
      about: aboutAnswers({
        version: app.getVersion(),
        versions: process.versions,
        licences: where.licences,
        manifest: where.manifest
      })
    },
    (group, call, input) => staff.refusal(needOf(group, call, input)),
    log
  )
  servePage(where.page, (key) => pictures.read(key))

  // How it starts
  nativeTheme.themeSource = settings.values.theme
  if (settings.setAsideAs !== null) standing.notice({ kind: 'settings-set-aside', file: settings.setAsideAs })
  for (const notice of slips.notices) standing.notice(notice)
  const { mode, baseUrl, token } = settings.values
  const started = await resume(
    session,
    { mode, baseUrl, sealedToken: token, provisioning: takeProvisioning(process.env) },
    { memory: connectionMemory, openSealed: tokens.open, parseBaseUrl }
  )
  if (started) standing.notice(started)

  const openWindow = (): void => {
    const window = openTillWindow(where, nativeTheme.shouldUseDarkColors, log)
    const hopeless = (): void => lastResort.report('page', new Error('The page crashed again and again'))
    reviveAfterCrashes(window, hopeless, now, log)
    window.on('move', () => displayWindow.follow())
    window.once('closed', () => displayWindow.close())
    displayWindow.start()
  }
  log.info('till-started', {
    version: app.getVersion(),
    electron: process.versions['electron'],
    system: `${process.platform} ${process.arch}`,
    mode
  })
  openWindow()
  void session.refresh()
  // A machine that slept has another network under it, perhaps.
  followSleep(() => void session.tryNow(), log)
  slips.backups?.start()
  updates.start()

  app.on('second-instance', () => {
    const window = tillWindow()
    if (window?.isMinimized()) window.restore()
    window?.focus()
  })
  app.on('activate', () => {
    if (!tillWindow()) openWindow()
  })
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', () => displayWindow.close())
  app.on('will-quit', (event) => {
    if (closed) return
    // A slip on its way is waited for; then the till quits again, for good.
    event.preventDefault()
    staff.close()
    session.close()
    catalogue.close()
    void closeDown().finally(() => app.quit())
  })
}

registerScheme()
if (mayOpen()) {
  open().catch((error: unknown) => lastResort.report('start', error))
} else {
  app.quit()
}
