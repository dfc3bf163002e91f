/** The state that components share through Svelte's context: one context for the app, one for the business it serves. */
import { createContext } from 'svelte'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import { today } from '../format/dates.ts'
import { Announcer } from './announcer.svelte.ts'
import type { Credit } from '../../../electron/contract/credits.ts'
import { Attention, UnansweredOperations } from './attention.svelte.ts'
import { Batches } from './batches.svelte.ts'
import { BillLinks } from './bill-links.svelte.ts'
import { Checkout } from './checkout.svelte.ts'
import { DraftSync } from './draft-sync.svelte.ts'
import { ConnectionSetup } from './connection-setup.svelte.ts'
import { CustomerList } from './customer-search.svelte.ts'
import { isLockedOut, isNetworkFailure, IpcClient } from './ipc-client.svelte.ts'
import { FocusController, type Route, Router } from './navigation.svelte.ts'
import { MovedPrinterQuestion } from './printer-search.svelte.ts'
import { RedeemForm, type RedeemSubject } from './redeem-form.svelte.ts'
import { QuickPoints } from './quick-points.svelte.ts'
import { RecentSlips } from './recent-slips.svelte.ts'
import { Report } from './report.svelte.ts'
import { ReturnForm, type ReturnSubject } from './return-form.svelte.ts'
import { Rewards } from './rewards.svelte.ts'
import { CodeCheck, SlipList } from './slip-history.svelte.ts'
import { StaffLock } from './staff-lock.svelte.ts'
import { Till } from './till.svelte.ts'
import { GuidedTour } from './tour.svelte.ts'
import { UndoCreditForm } from './undo-credit.svelte.ts'
import { UpdateActions } from './update-actions.svelte.ts'

/** State that outlives a change of business. */
export interface AppContext {
  readonly bridge: Bridge
  readonly ipc: IpcClient
  readonly till: Till
  readonly router: Router
  readonly staff: StaffLock
  readonly announcer: Announcer
}

/** Creates the state of the app for a bridge. `page` is the window whose address the router follows. */
export function createAppContext(bridge: Bridge, page: Window): AppContext {
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  const staff = new StaffLock(bridge, ipc, till)
  return { bridge, ipc, till, router: new Router(page), staff, announcer: new Announcer() }
}

/** Returns the state of the app for one owner of the till's data, whose calls are refused once the till has another one. */
export const forOwner = (app: AppContext, owner: number): AppContext => ({
  ...app,
  bridge: { ...app.bridge, ...app.bridge.of(owner) }
})

/** The sections of the settings, in the order of their tabs. */
export const SETTINGS_SECTIONS = [
  'general',
  'screen',
  'staff',
  'printer',
  'slip',
  'display',
  'points',
  'programs',
  'about'
] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

/** Runs `step` if `applies`. Returns `applies`. */
const stepIf = (applies: boolean, step: () => void): boolean => {
  if (applies) step()
  return applies
}

/**
 * Everything that was loaded for, or typed into, one business. It is created anew when the till connects to another
 * business, starts or leaves training, or changes its service URL.
 */
export class BusinessContext {
  readonly focus = new FocusController()
  readonly tour: GuidedTour
  readonly checkout: Checkout
  readonly recentSlips: RecentSlips
  readonly quickPoints: QuickPoints
  readonly billLinks: BillLinks
  readonly attention: Attention
  readonly unanswered: UnansweredOperations
  readonly updates: UpdateActions
  readonly customers: CustomerList
  readonly rewards: Rewards
  readonly slips: SlipList
  readonly batches: Batches
  readonly codeCheck: CodeCheck
  readonly report: Report
  readonly movedPrinter: MovedPrinterQuestion
  readonly #app: AppContext
  readonly #draft: DraftSync
  /** the form of the redeem dialog; null while it is closed. It outlives the dialog, which a locked till does not show. */
  redeeming = $state.raw<RedeemForm | null>(null)
  /** the redemptions whose dialog was left before their answer, until what came of them was closed */
  left = $state.raw<readonly RedeemForm[]>([])
  /** the form of the dialog that undoes a credit; null while it is closed */
  undoingCredit = $state.raw<UndoCreditForm | null>(null)
  /** the form of the dialog that takes points of a purchase back; null while it is closed */
  returning = $state.raw<ReturnForm | null>(null)
  /** whether the help dialog is open */
  helpOpen = $state(false)
  /** the section of the settings that is shown */
  settingsSection = $state<SettingsSection>('general')
  /** The form that asks for a new token; null while it is closed. */
  reconnection = $state.raw<ConnectionSetup | null>(null)

  constructor(app: AppContext) {
    const { bridge, ipc, till } = app
    this.#app = app
    const options = {
      rule: () => till.earningRule,
      hasShopRules: () => Boolean(till.state?.shopRule),
      clearCustomer: () => till.state?.settings.clearCustomer ?? true,
      knownCustomers: () =>
        till.offers('credits/1') ? (till.state?.settings.credits.knownCustomers ?? 'slip') : 'slip',
      printsCredit: () => till.state?.settings.credits.slip ?? false,
      asksAgain: () => till.offers('codes/1'),
      creditsWait: () => !till.online && till.state?.offlineSlips?.obstacle === null
    }
    this.checkout = new Checkout(bridge, ipc, options, this.focus)
    this.tour = new GuidedTour(till, app.router, this.checkout, this.focus)
    this.recentSlips = new RecentSlips(bridge, ipc)
    this.quickPoints = new QuickPoints(till, this.checkout, this.recentSlips)
    this.billLinks = new BillLinks(bridge, ipc, app.router, this.checkout)
    this.#draft = new DraftSync(bridge, ipc, this.checkout)
    this.attention = new Attention(bridge, ipc)
    this.unanswered = new UnansweredOperations(bridge, ipc)
    this.updates = new UpdateActions(bridge, ipc, till, () => this.checkout.customer !== null)
    this.customers = new CustomerList(bridge, ipc)
    this.rewards = new Rewards(bridge, ipc, () => this.checkout.customer?.balance ?? null)
    this.slips = new SlipList(bridge, ipc)
    this.batches = new Batches(bridge, ipc)
    this.codeCheck = new CodeCheck(bridge, ipc)
    this.report = new Report(bridge, ipc, () => today(till.timeZone))
    this.movedPrinter = new MovedPrinterQuestion(bridge, ipc, till)
  }

  /** Subscribes to the events of the main process. Returns a function that unsubscribes. */
  start(): () => void {
    const subscribers = [
      this.checkout,
      this.#draft,
      this.recentSlips,
      this.attention,
      this.unanswered,
      this.customers,
      this.rewards,
      this.slips,
      this.batches,
      this.movedPrinter
    ]
    const stops = subscribers.map((subscriber) => subscriber.start())
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Repeats the reads that failed while the service was offline. Writes are not repeated. */
  retryOfflineReads(): void {
    this.#retryReads(isNetworkFailure)
    for (const { search } of [this.checkout, this.customers]) void search.refreshOld()
  }

  /** Repeats the reads that were refused while the till was locked, and refreshes what may have changed meanwhile. */
  retryLockedReads(): void {
    this.#draft.retry()
    this.#retryReads(isLockedOut)
    void this.attention.refresh()
    void this.unanswered.refresh()
    void this.recentSlips.read()
    void this.checkout.recent.read()
  }

  #retryReads(applies: (failure: Failure | null) => boolean): void {
    const { checkout, codeCheck, customers, rewards, slips } = this
    for (const search of [checkout.search, customers.search]) {
      if (applies(search.request.failure)) void search.searchNow()
    }
    for (const { rows } of [customers, slips]) {
      if (applies(rows.failure)) void rows.retry()
    }
    if (applies(rewards.failure)) void rewards.read()
    if (checkout.isBalanceUnread && applies(checkout.reading.failure)) void checkout.readCustomer()
    // A code that was checked while offline has no QR code: it comes from the service.
    if (applies(codeCheck.request.failure) || codeCheck.checked?.qr === null) void codeCheck.check()
  }

  /**
   * Closes the innermost open part of a screen, as Escape does. Returns false if nothing was open.
   * @param route the current screen
   */
  closeInnermost(route: Route): boolean {
    const { batches, checkout, customers, focus, report, slips } = this
    switch (route) {
      case 'till':
        return (
          stepIf(checkout.registration !== null, () => {
            checkout.closeRegistration()
          }) ||
          stepIf(checkout.search.text !== '', () => {
            checkout.search.clear()
            focus.to(checkout.customer ? 'bill-or-points' : 'search')
          }) ||
          stepIf(checkout.customer !== null, () => {
            checkout.clearCustomer()
          })
        )
      case 'slips':
        return (
          stepIf(batches.form !== null || batches.open !== null, () => {
            batches.close()
          }) ||
          stepIf(report.open, () => {
            report.close()
          }) ||
          stepIf(slips.chosen !== null, () => {
            slips.chosen = null
          })
        )
      case 'customers':
        return (
          stepIf(customers.search.text !== '', () => {
            customers.search.clear()
          }) ||
          stepIf(customers.chosen !== null, () => {
            customers.chosen = null
          })
        )
      case 'rewards':
      case 'settings':
        return false
    }
  }

  /** Navigates to a screen. On the screen itself, returns from a page below it, such as the day report. */
  navigate(route: Route): void {
    const { router } = this.#app
    if (route === router.current) {
      if (route === 'slips') {
        this.batches.close()
        this.report.close()
        this.slips.chosen = null
      } else if (route === 'till' && this.checkout.registration) this.checkout.closeRegistration()
    }
    router.navigate(route)
  }

  /** Opens the redeem dialog. */
  openRedemption(subject: RedeemSubject): void {
    const { bridge, ipc, till } = this.#app
    this.redeeming = new RedeemForm(bridge, ipc, subject, {
      onBalance: (customerId, balance) => {
        this.#updateBalance(customerId, balance)
      },
      printsSlip: () => till.state?.settings.redemptions.slip ?? false
    })
  }

  /** Closes the redeem dialog. What comes of an answer that is awaited is shown above the screen. */
  leaveRedemption(): void {
    if (this.redeeming?.isAwaited) this.left = [...this.left, this.redeeming]
    this.redeeming = null
  }

  /** Closes what came of a redemption that was left. */
  dismissRedemption(form: RedeemForm): void {
    this.left = this.left.filter((one) => one !== form)
  }

  /** Opens the dialog that undoes a credit. */
  openCreditUndo(credit: Credit): void {
    const { bridge, ipc } = this.#app
    this.undoingCredit = new UndoCreditForm(bridge, ipc, credit, (customerId, balance) => {
      this.#updateBalance(customerId, balance)
    })
  }

  /** Opens the dialog that takes points of a purchase back. */
  openReturn(subject: ReturnSubject): void {
    const { bridge, ipc, router, till } = this.#app
    this.returning = new ReturnForm(bridge, ipc, subject, {
      onReturned: () => {
        const { checkout, codeCheck, customers } = this
        // Who collected the points may be the customer at the counter.
        void checkout.readCustomer()
        void customers.readChosen()
        if (codeCheck.checked !== null) void codeCheck.check()
        // What was found there is done.
        if (router.current === 'till') checkout.search.clear()
      },
      printsSlip: () => till.state?.settings.returns.slip ?? false,
      currency: () => till.earningRule?.currency ?? null
    })
  }

  #updateBalance(customerId: string, balance: number): void {
    this.checkout.updateBalance(customerId, balance)
    void this.customers.readChosen()
  }

  /** Navigates to a section of the settings. */
  openSettings(section: SettingsSection): void {
    this.settingsSection = section
    this.#app.router.navigate('settings')
  }

  /** Opens the form that asks for a new token for the same service URL. */
  reconnect(): void {
    const { bridge, ipc, till } = this.#app
    this.reconnection ??= new ConnectionSetup(bridge, ipc, till, till.state?.baseUrl ?? null)
    this.openSettings('general')
  }

  /** Closes that form. */
  endReconnection(): void {
    this.reconnection = null
  }
}

export const [useAppContext, provideAppContext] = createContext<AppContext>()
export const [useBusinessContext, provideBusinessContext] = createContext<BusinessContext>()
