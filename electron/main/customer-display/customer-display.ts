/**
 * What the customer display shows: the business, the served customer, points that were just issued, or the phone that the
 * customer types. Keeps only those customer data that the display may show. The windows are in
 * `platform/customer-display-window.ts`.
 */
import type {
  CustomerDisplayShows,
  CustomerDisplayView,
  CustomerScreen,
  FirstName,
  PhoneKey,
  TypedPhone
} from '../../contract/customer-display.ts'
import type { Standing } from '../../contract/earning-rules.ts'
import { directionOf, localeOf } from '../../contract/language.ts'
import type { Customer } from '../../contract/loyalty.ts'
import type { Credit } from '../../contract/credits.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import type { QrDrawing, Slip } from '../../contract/slips.ts'
import type { Images } from '../images/images.ts'
import type { Lazy } from '../lazy.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { Clock } from '../session/reachability.ts'
import type { DataOwner } from '../session/data-owners.ts'
import type { Session } from '../session/session.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { Settings, Languages } from '../settings/index.ts'
import type { Staff } from '../staff/staff.ts'
import { firstNameOf } from './first-name.ts'
import { PhoneEntry } from './phone-entry.ts'

/**
 * Returns the screen on which the display opens: the chosen one, or without a choice the first that does not show the
 * till's own window. Null if there is none. A disconnected chosen screen is not replaced: the others may not be meant
 * for customers. The till's own screen is never used, since the display would cover the till.
 */
export function chooseDisplayScreen(
  screens: readonly CustomerScreen[],
  chosenId: number | null
): CustomerScreen | null {
  const available = screens.filter(({ tillIsHere }) => !tillIsHere)
  return (chosenId === null ? available[0] : available.find(({ id }) => id === chosenId)) ?? null
}

/** How long issued points stay on the display: enough to scan the code, or to read the message. */
export const DISPLAY_SECONDS = { withCode: 90, withPaper: 20 } as const

/** The customer of the preview in the settings. The URL's domain is reserved (RFC 2606). */
const SAMPLE = {
  name: 'Zoë Παπαδοπούλου',
  balance: 1240,
  points: 250,
  url: 'https://points.example/q/SAMPLE250'
} as const

/** Maximum number of known customers; the oldest are dropped first. */
const MAX_KNOWN_CUSTOMERS = 2000

/** Implemented by `CustomerDisplayWindow` in `platform/`. */
interface DisplayWindow {
  /** Returns whether customers can see it. */
  isOpen(): boolean
  /** Returns whether they can type on it. */
  hasTouch(): boolean
  /** Sends a new view to the page. */
  send(view: CustomerDisplayView): void
}

/** Draws QR codes: `images/qr-code.ts`. */
export interface QrDrawer {
  /** Returns null for a URL that is too long. */
  drawQr(url: string): QrDrawing | null
}

export interface CustomerDisplayDependencies {
  readonly session: Pick<Session, 'mode' | 'owner' | 'business'>
  readonly settings: Pick<Settings, 'values'>
  readonly staff: Pick<Staff, 'state'>
  readonly languages: Pick<Languages, 'slip'>
  readonly country: Pick<ShopCountry, 'code'>
  readonly images: Pick<Images, 'path'>
  readonly catalogue: Pick<RewardCatalogue, 'affordable'>
  /** no codes are drawn until it is open: call `update` then */
  readonly qr: Pick<Lazy<QrDrawer>, 'opened'>
  /** receives each view that differs from the previous one; nothing while it is closed */
  readonly window: DisplayWindow
  readonly clock: Clock
  /** receives each change of the phone that the customer types, and its end */
  readonly sendTypedPhone: (phone: TypedPhone) => void
}

interface KnownCustomer {
  readonly firstName: FirstName | null
  readonly balance: number | null
  /** null: not known */
  readonly standing: Standing | null
}

/** The state of the customer display. */
export class CustomerDisplay {
  readonly #dependencies: CustomerDisplayDependencies
  readonly #phoneEntry: PhoneEntry
  readonly #customers = new Map<string, KnownCustomer>()
  #servedId: string | null = null
  /** issued points, or a redeemed reward, which stay for a time */
  #issued: {
    /** @param seconds remaining display time */
    readonly content: (seconds: number) => CustomerDisplayShows
    readonly until: number
  } | null = null
  #cancelTimer: (() => void) | null = null
  /** whose customers and points these are */
  #owner: DataOwner
  /** the last reported view, as JSON */
  #reported = ''
  /** the last drawn link to join the business */
  #joinUs: { readonly link: string; readonly drawing: QrDrawing } | null = null

  constructor(dependencies: CustomerDisplayDependencies) {
    this.#dependencies = dependencies
    const { session, country, clock, sendTypedPhone } = dependencies
    this.#owner = session.owner
    this.#phoneEntry = new PhoneEntry({
      country,
      clock,
      onChange: (phone) => {
        this.update()
        sendTypedPhone(phone)
      }
    })
  }

  /** Returns the current view. */
  view(): CustomerDisplayView {
    this.#dropOthers()
    return this.#viewOf(this.#content())
  }

  /** Returns the views of the preview: idle, a sample customer, and issued points by the delivery method of the settings. */
  previews(): readonly CustomerDisplayView[] {
    const { settings, catalogue } = this.#dependencies
    const firstName = firstNameOf(SAMPLE.name)
    const qr = settings.values.deliveryMethod === 'print' ? null : this.#drawQr(SAMPLE.url)
    const seconds = qr === null ? DISPLAY_SECONDS.withPaper : DISPLAY_SECONDS.withCode
    const contents: readonly CustomerDisplayShows[] = [
      this.#idle(),
      {
        kind: 'serving',
        firstName,
        balance: SAMPLE.balance,
        standing: null,
        affordable: catalogue.affordable(SAMPLE.balance)
      },
      {
        kind: 'points-issued',
        firstName,
        points: SAMPLE.points,
        qr,
        seconds,
        affordable: catalogue.affordable(SAMPLE.balance + SAMPLE.points)
      }
    ]
    return contents.map((content) => this.#viewOf(content))
  }

  /** Forgets a customer. Their name is not shown any more. */
  forgetCustomer(id: string): void {
    this.#customers.delete(id)
    if (id === this.#servedId) this.update()
  }

  /** Remembers a customer that was sent to the renderer and can be served next. */
  addCustomer({ id, name, balance }: Customer): void {
    this.#dropOthers()
    const standing = this.#customers.get(id)?.standing ?? null
    this.#customers.delete(id)
    this.#customers.set(id, { firstName: firstNameOf(name), balance, standing })
    const [oldest] = this.#customers.keys()
    if (this.#customers.size > MAX_KNOWN_CUSTOMERS && oldest !== undefined) this.#customers.delete(oldest)
    if (id === this.#servedId) this.update()
  }

  /** Sets the served customer. An unknown customer counts as none. */
  setServedCustomer(customerId: string | null): void {
    this.#dropOthers()
    // The next customer replaces the issued points of the previous one; an empty selection does not.
    const isNext = customerId !== null && customerId !== this.#servedId
    if (isNext) this.#clearIssued()
    this.#servedId = customerId
    if (isNext) this.#phoneEntry.end('replaced')
    this.update()
  }

  /** Returns whether customers can see it. */
  isOpen(): boolean {
    return this.#dependencies.window.isOpen()
  }

  /** Shows issued points for DISPLAY_SECONDS. `qr` is null if the code is on paper only. */
  showIssuedPoints({ points, customer }: Pick<Slip, 'points' | 'customer'>, qr: QrDrawing | null): void {
    const known = customer && this.#customers.get(customer.id)
    const newBalance = known && known.balance !== null ? known.balance + points : null
    const firstName = customer && firstNameOf(customer.name)
    this.#showFor(qr === null ? DISPLAY_SECONDS.withPaper : DISPLAY_SECONDS.withCode, (seconds) => ({
      kind: 'points-issued',
      firstName,
      points,
      qr,
      seconds,
      affordable: this.#dependencies.catalogue.affordable(newBalance)
    }))
  }

  /** Shows a redeemed reward for DISPLAY_SECONDS. */
  showRedeemed({ customer, reward, cost, balance }: Redemption): void {
    const firstName = customer && firstNameOf(customer.name)
    this.#showFor(DISPLAY_SECONDS.withPaper, (seconds) => ({
      kind: 'redeemed',
      firstName,
      reward: reward.name,
      cost,
      balance,
      seconds
    }))
  }

  /** Shows credited points for DISPLAY_SECONDS. */
  showCredited({ customer, points, balanceBefore, balance }: Credit): void {
    const firstName = customer && firstNameOf(customer.name)
    this.#showFor(DISPLAY_SECONDS.withPaper, (seconds) => ({
      kind: 'credited',
      firstName,
      points,
      balanceBefore,
      balance,
      seconds
    }))
  }

  /** Lets the customer type a phone. Ends at once where nobody can type. */
  askForPhone(): void {
    this.#dropOthers()
    this.#phoneEntry.start()
    this.#endImpossibleEntry()
  }

  stopAskingForPhone(): void {
    this.#phoneEntry.end('stopped')
  }

  /** Takes a key that was pressed on the display. */
  pressKey(key: PhoneKey): void {
    this.#phoneEntry.press(key)
  }

  /** Corrects the points of a customer; null: not known. */
  setBalance(customerId: string, balance: number | null): void {
    this.#change(customerId, { balance })
  }

  /** Shows what a customer has by the shop's rules; null: not known. */
  setStanding(customerId: string, standing: Standing | null): void {
    this.#change(customerId, { standing })
  }

  /** Call when the app state has changed: the business, the language, the lock or the window. */
  handleStateChange(): void {
    this.#dropOthers()
    this.#endImpossibleEntry()
    this.update()
  }

  /** Reports the view if it has changed. */
  update(): void {
    if (!this.#dependencies.window.isOpen()) {
      // A display that opens reads the view itself.
      this.#reported = ''
      return
    }
    const view = this.view()
    const text = JSON.stringify(view)
    if (text === this.#reported) return
    this.#reported = text
    this.#dependencies.window.send(view)
  }

  #change(customerId: string, change: Partial<KnownCustomer>): void {
    const known = this.#customers.get(customerId)
    if (known === undefined) return
    this.#customers.set(customerId, { ...known, ...change })
    if (customerId === this.#servedId) this.update()
  }

  #content(): CustomerDisplayShows {
    const { session, staff, catalogue, clock } = this.#dependencies
    const entry = this.#phoneEntry.shown
    if (entry !== null) {
      return { kind: 'phone-entry', businessName: session.business?.name ?? '', ...entry }
    }
    if (this.#issued !== null) {
      const { content, until } = this.#issued
      return content(Math.max(0, Math.ceil((until - clock.now().getTime()) / 1000)))
    }
    const isHidden = this.#servedId === null || staff.state.locked
    const customer = isHidden ? undefined : this.#customers.get(this.#servedId ?? '')
    if (customer === undefined) return this.#idle()
    return { kind: 'serving', ...customer, affordable: catalogue.affordable(customer.balance) }
  }

  #idle(): CustomerDisplayShows {
    const { session, images } = this.#dependencies
    const { business } = session
    return {
      kind: 'idle',
      businessName: business?.name ?? '',
      logo: images.path(business?.logo ?? null),
      joinUs: this.#drawJoinUs(business?.getStartedLink ?? null)
    }
  }

  #viewOf(shows: CustomerDisplayShows): CustomerDisplayView {
    const { session, languages, country, settings } = this.#dependencies
    const language = languages.slip
    const { contrast, accent } = settings.values
    return {
      shows,
      training: session.mode === 'training',
      language,
      direction: directionOf(language),
      locale: localeOf(language, country.code),
      contrast,
      accent
    }
  }

  #drawJoinUs(link: string | null): QrDrawing | null {
    if (link === null) return null
    if (this.#joinUs?.link === link) return this.#joinUs.drawing
    const drawing = this.#drawQr(link)
    if (drawing !== null) this.#joinUs = { link, drawing }
    return drawing
  }

  #drawQr(url: string): QrDrawing | null {
    return this.#dependencies.qr.opened?.drawQr(url) ?? null
  }

  #showFor(seconds: number, content: (seconds: number) => CustomerDisplayShows): void {
    const { clock } = this.#dependencies
    this.#dropOthers()
    this.#clearIssued()
    this.#cancelTimer = clock.after(seconds * 1000, () => {
      this.#issued = null
      this.update()
    })
    this.#issued = { content, until: clock.now().getTime() + seconds * 1000 }
    this.#phoneEntry.end('replaced')
    this.update()
  }

  #endImpossibleEntry(): void {
    const { staff, window } = this.#dependencies
    if (staff.state.locked) this.#phoneEntry.end('stopped')
    if (!window.hasTouch()) this.#phoneEntry.end('closed')
  }

  #clearIssued(): void {
    this.#cancelTimer?.()
    this.#issued = null
  }

  /** Drops what is of another owner than the session's: nothing of another business's customers may be shown. */
  #dropOthers(): void {
    const { owner } = this.#dependencies.session
    if (owner === this.#owner) return
    this.#owner = owner
    this.#clearIssued()
    this.#customers.clear()
    this.#servedId = null
    this.#phoneEntry.end('stopped')
  }
}
