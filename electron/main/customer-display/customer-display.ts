/** Which screen the customer display opens on. */
import type {
  CustomerDisplayShows,
  CustomerDisplayView,
  CustomerScreen,
  FirstName
} from '../../contract/customer-display.ts'
import { directionOf, localeOf } from '../../contract/language.ts'
import type { Customer } from '../../contract/loyalty.ts'
import type { QrDrawing, Slip } from '../../contract/slips.ts'
import type { TillState } from '../../contract/till.ts'
import { firstNameOf } from './first-name.ts'

/**
 * The screen to open on: the chosen one while it is there, or the first beside the till's own when none was chosen.
 * Null when there is none. A chosen screen that was unplugged has no substitute: what else is plugged in was not meant
 * for customers. Never the screen that the till's own window is on: nobody could serve behind the display.
 */
export function chooseDisplayScreen(
  screens: readonly CustomerScreen[],
  chosenId: number | null
): CustomerScreen | null {
  const possible = screens.filter(({ tillIsHere }) => !tillIsHere)
  return (chosenId === null ? possible[0] : possible.find(({ id }) => id === chosenId)) ?? null
}

/* from index.ts:
 * What stands on the customer display: nobody served, a customer, or points that were handed over. Knows of a customer
 * no more than the display may show, and nothing of windows.
 */

/** How long handed-over points stay, in seconds: time to find the phone and scan; or to read and take the paper. */
export const DISPLAY_SECONDS = { withCode: 90, withPaper: 20 } as const

/** Somebody for the settings' preview. The URL's domain belongs to nobody (RFC 2606). */
const SAMPLE = {
  name: 'Zoë Παπαδοπούλου',
  balance: 1240,
  points: 250,
  url: 'https://points.example/q/SAMPLE250'
} as const

/** Customers remembered for `serving`; the oldest goes first. */
const MAX_KNOWN_CUSTOMERS = 2000

/** The part of the till's state that the display depends on. */
type DisplayedState = Pick<
  TillState,
  'mode' | 'baseUrl' | 'business' | 'settings' | 'staff' | 'slipLanguage' | 'country'
>

interface CustomerDisplayOptions {
  readonly state: () => DisplayedState
  /** null for what is too long for any code, and as long as nothing can draw one: then `changed` is called */
  readonly drawQr: (url: string) => QrDrawing | null
  /** whether anybody sees what stands there; while nobody does, nothing is drawn and nothing told */
  readonly isShown: () => boolean
  /** told each view that differs from the one before */
  readonly tell: (view: CustomerDisplayView) => void
  readonly now: () => Date
  /** Calls `then` after so many seconds; what comes back takes that back. */
  readonly after: (seconds: number, then: () => void) => () => void
}

export interface CustomerDisplay {
  /** What stands there now. */
  view(): CustomerDisplayView
  /** What would stand there with nobody, with a sample customer, and with points handed over as the settings say. */
  previews(): readonly CustomerDisplayView[]
  /** A customer went to the till's page: who may be served next, without asking the service again. */
  saw(customer: Customer): void
  /** This customer is served, or nobody. One whom the page was never sent counts as nobody. */
  serving(customerId: string | null): void
  /** Points went out; `qr` is their code where customers scan it from the display, null where it is on paper alone. */
  handedOver(slip: Pick<Slip, 'points' | 'customer'>, qr: QrDrawing | null): void
  /** The till's state changed: its business, its language, its lock. */
  changed(): void
}

type HandedOver = Omit<Extract<CustomerDisplayShows, { readonly kind: 'handed-over' }>, 'seconds'>

interface Person {
  readonly firstName: FirstName | null
  readonly balance: number
}

/** Makes the display's state; it begins with nobody served. */
export function createCustomerDisplay(options: CustomerDisplayOptions): CustomerDisplay {
  const { state, drawQr, isShown, tell, now, after } = options
  const people = new Map<string, Person>()
  let served: string | null = null
  let handed: { readonly shows: HandedOver; readonly until: number; readonly stop: () => void } | null = null
  /** whose customers are remembered; null while none are */
  let identity: Identity | null = null
  let told = ''

  /** A link's drawing is made once. */
  let joinUs: { readonly link: string; readonly drawing: QrDrawing } | null = null
  const drawJoinUs = (link: string | null): QrDrawing | null => {
    if (link === null) return null
    if (joinUs?.link === link) return joinUs.drawing
    const drawing = drawQr(link)
    if (drawing !== null) joinUs = { link, drawing }
    return drawing
  }

  const idle = (): CustomerDisplayShows => {
    const { business } = state()
    return {
      kind: 'idle',
      businessName: business?.name ?? '',
      logo: business?.logo ?? null,
      joinUs: drawJoinUs(business?.getStartedLink ?? null)
    }
  }

  const shows = (): CustomerDisplayShows => {
    if (handed !== null) {
      const seconds = Math.max(0, Math.ceil((handed.until - now().getTime()) / 1000))
      return { ...handed.shows, seconds }
    }
    const person = served === null || state().staff.locked ? undefined : people.get(served)
    if (person !== undefined) return { kind: 'serving', ...person }
    return idle()
  }

  const around = (shown: CustomerDisplayShows): CustomerDisplayView => {
    const { mode, slipLanguage, country, settings } = state()
    return {
      shows: shown,
      training: mode === 'training',
      language: slipLanguage,
      direction: directionOf(slipLanguage),
      locale: localeOf(slipLanguage, country),
      contrast: settings.contrast,
      accent: settings.accent
    }
  }

  const view = (): CustomerDisplayView => around(shows())

  const update = (): void => {
    if (!isShown()) {
      // Whoever sees it next asks first.
      told = ''
      return
    }
    const next = view()
    const text = JSON.stringify(next)
    if (text === told) return
    told = text
    tell(next)
  }

  const takeAway = (): void => {
    handed?.stop()
    handed = null
  }

  const forgetOthers = (before: Identity, present: Identity): void => {
    if (!isAnother(before, present)) {
      // A profile that could not be read again is still that of the business before.
      identity = { ...present, businessId: present.businessId ?? before.businessId }
      return
    }
    // Other customers of another business: nothing of the one before may be seen any more.
    takeAway()
    people.clear()
    served = null
    identity = null
  }

  return {
    view,
    previews() {
      const firstName = firstNameOf(SAMPLE.name)
      const qr = state().settings.deliveryMethod === 'print' ? null : drawQr(SAMPLE.url)
      const seconds = qr === null ? DISPLAY_SECONDS.withPaper : DISPLAY_SECONDS.withCode
      return [
        idle(),
        { kind: 'serving', firstName, balance: SAMPLE.balance } as const,
        { kind: 'handed-over', firstName, points: SAMPLE.points, qr, seconds } as const
      ].map(around)
    },
    saw({ id, name, balance }) {
      identity ??= identityOf(state())
      people.delete(id)
      people.set(id, { firstName: firstNameOf(name), balance })
      const [oldest] = people.keys()
      if (people.size > MAX_KNOWN_CUSTOMERS && oldest !== undefined) people.delete(oldest)
      if (id === served) update()
    },
    serving(customerId) {
      // The next customer takes the place of what the one before was handed; that nobody is chosen does not.
      if (customerId !== null && customerId !== served) takeAway()
      served = customerId
      update()
    },
    handedOver({ points, customer }, qr) {
      identity ??= identityOf(state())
      takeAway()
      const seconds = qr === null ? DISPLAY_SECONDS.withPaper : DISPLAY_SECONDS.withCode
      const stop = after(seconds, () => {
        handed = null
        update()
      })
      handed = {
        shows: { kind: 'handed-over', firstName: customer && firstNameOf(customer.name), points, qr },
        until: now().getTime() + seconds * 1000,
        stop
      }
      update()
    },
    changed() {
      if (identity !== null) forgetOthers(identity, identityOf(state()))
      update()
    }
  }
}

type Identity = Pick<TillState, 'mode' | 'baseUrl'> & { readonly businessId: string | null }

const identityOf = ({ mode, baseUrl, business }: DisplayedState): Identity => ({
  mode,
  baseUrl,
  businessId: business?.id ?? null
})

/** A profile that was not read yet is no other business. */
const isAnother = (one: Identity, other: Identity): boolean =>
  one.mode !== other.mode ||
  one.baseUrl !== other.baseUrl ||
  (one.businessId !== null && other.businessId !== null && one.businessId !== other.businessId)
