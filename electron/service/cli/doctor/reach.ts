/** Whether customers reach the service: at its public address, through the proxy if there is one, and at its own port. */
import { TLS_ALERT, type Answer, type Inquiry, type ShownCertificate } from './answers.ts'
import { hostOf, isUnspecified } from '../../domain/addresses.ts'
import { isOwnAddress } from './address.ts'
import { finding, joined, notSeen, right, type Diagnosis } from './diagnosis.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Programs renew a certificate when a third of its time is left: with less than a quarter that has failed. */
const LEFT_SHARE = 1 / 4
/** A certificate of a year is renewed later. */
const MAX_LEFT_MS = 14 * DAY_MS

const HOW_RENEWED = 'Renew it: journalctl -u caddy says why Caddy did not'

const timeLeft = (ms: number): string =>
  ms < 2 * DAY_MS ? `${String(Math.floor(ms / HOUR_MS))} hours` : `${String(Math.floor(ms / DAY_MS))} days`

/** What phones would say of the certificate that `place` shows for `host`. */
const certificateReport = (
  { from, until, otherName, distrust }: ShownCertificate,
  { host, place, now }: { readonly host: string; readonly place: string; readonly now: Date }
): Diagnosis => {
  const left = until.getTime() - now.getTime()
  const reports: Diagnosis[] = []
  if (otherName !== null) {
    reports.push(
      finding(
        `The certificate at ${place} is for ${otherName}, not for ${host}: phones refuse it. Write ${host} into the Caddyfile, or get a certificate for it.`
      )
    )
  }
  if (distrust !== null) {
    reports.push(
      finding(
        `Phones do not trust the certificate at ${place} (${distrust}). Use one of a public authority, with its chain.`
      )
    )
  }
  if (from > now) {
    reports.push(
      finding(
        `The certificate at ${place} begins at ${from.toISOString()}: the clock of this machine is behind. Set it.`
      )
    )
  } else if (left <= 0) {
    reports.push(finding(`The certificate at ${place} ended at ${until.toISOString()}. ${HOW_RENEWED}.`))
  } else if (left < Math.min(MAX_LEFT_MS, (until.getTime() - from.getTime()) * LEFT_SHARE)) {
    reports.push(finding(`The certificate at ${place} ends in ${timeLeft(left)}. ${HOW_RENEWED}.`))
  }
  return reports.length > 0
    ? joined(reports)
    : right(`The certificate at ${place} is for ${host}, and valid for ${timeLeft(left)} more.`)
}

/** What a proxy answers that does not reach the service (RFC 9110, 15.6). */
const GATEWAY_ERRORS = new Set([502, 503, 504])

const TLS_ERRORS = /^(?:EPROTO|ECONNRESET|ERR_SSL|HPE_)/

/** What a proxy or the service at an address says. */
const senderReport = (answer: Extract<Answer, { sender: string }>, place: string): Diagnosis => {
  switch (answer.sender) {
    case 'ours':
      return right(`The service of this shop answers at ${place}.`)
    case 'service':
      return notSeen(`Whether the service at ${place} is that of this shop: its data cannot be read.`)
    case 'others':
      return finding(
        `The service at ${place} is another shop's: it has other data. Give each its own name, port and --data.`
      )
    case 'program':
      return GATEWAY_ERRORS.has(answer.status)
        ? finding(
            `The proxy at ${place} does not reach the service (${String(answer.status)}). Its configuration must name the service's port, and the service must run.`
          )
        : finding(
            `Another program answers at ${place} (${String(answer.status)}). Let the proxy lead to the service, or end that program.`
          )
  }
}

const silenceReport = (error: string, place: string, address: string): Diagnosis => {
  if (error === 'ENETUNREACH' || error === 'EHOSTUNREACH') {
    return notSeen(`What answers at ${place}: this machine has no way there (${error}).`)
  }
  if (error === TLS_ALERT) {
    return finding(
      `What answers at ${place} has no certificate. Write its name into the Caddyfile; journalctl -u caddy says why Caddy gets none.`
    )
  }
  if (TLS_ERRORS.test(error)) {
    return finding(`What answers at ${place} does not speak TLS (${error}). Put Caddy before the service.`)
  }
  if (isOwnAddress(address)) {
    return finding(`Nothing answers at ${place} (${error}). Start the proxy: systemctl start caddy.`)
  }
  // Many routers do not lead a machine of theirs back to itself.
  return error === 'ETIMEDOUT'
    ? notSeen(
        `What answers at ${place}: nothing from here (${error}), as behind some routers. Open it on a phone without the shop's Wi-Fi.`
      )
    : finding(
        `Nothing answers at ${place} (${error}). Correct the address of the name, or let the router pass its port to this machine.`
      )
}

/** Looks at a public address through each address that its name leads to. */
export const publicReport = async (
  inquiry: Inquiry,
  url: URL,
  addresses: readonly string[],
  now: Date
): Promise<Diagnosis> => {
  const isTls = url.protocol === 'https:'
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port)
  const reports = await Promise.all(
    addresses.map(async (address) => {
      const place = `${url.host} (${address})`
      const answer = await inquiry.at({ address, port, isTls, host: url.hostname })
      if ('error' in answer) return silenceReport(answer.error, place, address)
      const { certificate } = answer
      return joined([
        ...(certificate === null ? [] : [certificateReport(certificate, { host: hostOf(url), place, now })]),
        senderReport(answer, place)
      ])
    })
  )
  return joined(reports)
}

/** Looks at the port on which the service itself listens. @param address where it listens; 0.0.0.0 and :: are any */
export const portReport = async (
  inquiry: Inquiry,
  { address, port, isTls }: { readonly address: string; readonly port: number; readonly isTls: boolean }
): Promise<Diagnosis> => {
  const loopback = address.includes(':') ? '::1' : '127.0.0.1'
  const own = isUnspecified(address) ? loopback : address
  const place = `${own.includes(':') ? `[${own}]` : own}:${String(port)}`
  const answer = await inquiry.at({ address: own, port, isTls, host: 'localhost' })
  if (!('error' in answer)) return senderReport(answer, place)
  return finding(
    TLS_ERRORS.test(answer.error)
      ? `Another program answers at ${place} (${answer.error}). Give serve another --port, and the proxy the same.`
      : `The service does not answer at ${place} (${answer.error}). Start it; journalctl -u tillpoints-service says why it ended.`
  )
}
