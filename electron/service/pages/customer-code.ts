/**
 * The QR code on the page of a linked device, by which a till finds its customer. It is in a frame, which renews it without
 * script: the page around it stays where it was scrolled to.
 */
import type { Context } from 'hono'
import { html } from 'hono/html'
import { encodeQr, qrPath, QUIET_ZONE } from '../../images/qr-code.ts'
import { CustomerCodeStore, CUSTOMER_CODE_TIME_MS } from '../store/customer-codes.ts'
import type { Html } from '../html/document.ts'
import { respondDocument, withParameter } from '../html/document.ts'
import { accountPath, pathWithLanguage } from './page.ts'
import { STYLE } from './style.ts'
import type { PagesDependencies, CustomerRequest } from './customer-requests.ts'

/** A code that is seen on the page can be used for a while yet. */
const RENEWED_BEFORE_END_MS = 15_000
/** A page that is left open stops after ten minutes: nobody stands at a till that long. */
const MAX_RENEWALS = 5
const RENEWAL_PARAMETER = 'renewed'

/** How often a frame has renewed its code since it was opened. */
const renewalsOf = (c: Context): number => {
  const renewals = Number(c.req.query(RENEWAL_PARAMETER) ?? 0)
  return Number.isInteger(renewals) && renewals > 0 ? renewals : 0
}

const qrCode = (text: string, label: string): Html => {
  const { size, bars } = encodeQr(text)
  const side = size + 2 * QUIET_ZONE
  return html`<svg
    class="qr"
    viewBox="${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <path d="${qrPath(bars)}" />
  </svg>`
}

const codePath = ({ business, locale }: CustomerRequest, renewals: number): string =>
  withParameter(pathWithLanguage(accountPath(business, '/code'), locale), RENEWAL_PARAMETER, String(renewals))

/** The frame with the code of a device. */
export class CustomerCodes {
  readonly #store: CustomerCodeStore
  readonly #publicUrl: string

  constructor(dependencies: PagesDependencies) {
    this.#store = new CustomerCodeStore(dependencies)
    this.#publicUrl = dependencies.publicUrl
  }

  /** Returns what the page of a linked device has of the code. */
  frame(request: CustomerRequest): Html {
    const { m } = request.locale
    return html`<iframe class="code" src="${codePath(request, 0)}" title="${m.tillCode()}"></iframe>
      <p>${m.tillCodeText()}</p>`
  }

  /** Responds with the frame: a new code; after some renewals, a button for one; for an unlinked device, the way to its page. */
  async respond(c: Context, request: CustomerRequest): Promise<Response> {
    const { business, device, locale } = request
    const { m, language } = locale
    const renewals = renewalsOf(c)
    const isLinked = device !== null && device.customer !== null
    const isShown = isLinked && renewals < MAX_RENEWALS
    if (isShown) {
      const seconds = (CUSTOMER_CODE_TIME_MS - RENEWED_BEFORE_END_MS) / 1000
      c.header('Refresh', `${String(seconds)}; url=${codePath(request, renewals + 1)}`)
    }
    const account = pathWithLanguage(accountPath(business), locale)
    const body = isShown
      ? // In capitals the picture has larger modules: the alphanumeric mode of ISO/IEC 18004.
        qrCode(`${this.#publicUrl}/c/${await this.#store.offer(device)}`.toUpperCase(), m.tillCode())
      : isLinked
        ? html`<a class="button" href="${codePath(request, 0)}">${m.newTillCode()}</a>`
        : html`<a class="button" href="${account}" target="_top">${m.myPoints()}</a>`
    return respondDocument(
      c,
      {
        language,
        title: m.tillCode(),
        style: STYLE,
        icon: null,
        frames: 'is-one',
        bodyClass: 'frame',
        // No second main part: the page around it has one.
        body: html`<div>${body}</div>`
      },
      200
    )
  }
}
