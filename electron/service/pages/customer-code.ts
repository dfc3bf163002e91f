/** The QR code on the page of a linked device, by which a till finds its customer. The page renews it without script. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import QRCode from 'qrcode'
import type { StoredDevice } from '../store/devices.ts'
import { CustomerCodeStore, CUSTOMER_CODE_TIME_MS } from '../store/customer-codes.ts'
import type { Html } from '../html/document.ts'
import { accountPath, pathWithLanguage, type CustomerPage } from './page.ts'
import type { PagesDependencies, Visit } from './visits.ts'

/** A code that is seen on the page can be used for a while yet. */
const RENEWED_BEFORE_END_MS = 15_000
/** A page that is left open stops after ten minutes: nobody stands at a till that long. */
const MAX_RENEWALS = 5
const RENEWAL_PARAMETER = 'renewed'
/** Modules on each side that ISO/IEC 18004 requires to be white. */
const QUIET_ZONE = 4

/** How often a page has renewed its code since somebody opened it. */
export const renewalsOf = (c: Context): number => {
  const renewals = Number(c.req.query(RENEWAL_PARAMETER) ?? 0)
  return Number.isInteger(renewals) && renewals > 0 ? renewals : 0
}

const qrCode = (text: string, label: string): Html => {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const { size } = modules
  const side = size + 2 * QUIET_ZONE
  const dark = Array.from(
    { length: size * size },
    (_, index) => [index % size, Math.floor(index / size)] as const
  )
  const path = dark
    .flatMap(([x, y]) => (modules.get(y, x) === 1 ? [`M${String(x)} ${String(y)}h1v1h-1z`] : []))
    .join('')
  return html`<svg
    class="qr"
    viewBox="${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <path d="${path}" />
  </svg>`
}

/** The code of a device, and when the page renews it. */
export class CustomerCodes {
  readonly #store: CustomerCodeStore
  readonly #publicUrl: string

  constructor(dependencies: PagesDependencies) {
    this.#store = new CustomerCodeStore(dependencies)
    this.#publicUrl = dependencies.publicUrl
  }

  /** Returns what the page shows of a new code; after some renewals, a button for one. */
  async show(
    { business, locale }: Visit,
    device: Pick<StoredDevice, 'id' | 'business'>,
    renewals: number
  ): Promise<{ readonly code: Html } & Pick<CustomerPage, 'refresh'>> {
    const { m } = locale
    const path = pathWithLanguage(accountPath(business), locale)
    if (renewals >= MAX_RENEWALS) {
      return { code: html`<a class="button" href="${path}">${m.newTillCode()}</a>` }
    }
    const secret = await this.#store.offer(device)
    // In capitals the picture has larger modules: the alphanumeric mode of ISO/IEC 18004.
    const code = html`${qrCode(`${this.#publicUrl}/c/${secret}`.toUpperCase(), m.tillCode())}
      <p>${m.tillCodeText()}</p>`
    const next = `${path}${path.includes('?') ? '&' : '?'}${RENEWAL_PARAMETER}=${String(renewals + 1)}`
    return {
      code,
      refresh: { seconds: (CUSTOMER_CODE_TIME_MS - RENEWED_BEFORE_END_MS) / 1000, path: next }
    }
  }
}
