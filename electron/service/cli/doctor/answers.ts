/** What answers at an address: its certificate, and whether it is this shop's service. */
import { once } from 'node:events'
import { IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { text } from 'node:stream/consumers'
import { checkServerIdentity, TLSSocket, type PeerCertificate } from 'node:tls'
import * as v from 'valibot'
import { identityPath, isIdentity } from '../../api/identity.ts'
import { reasonOf } from './diagnosis.ts'

/** A machine that is there answers within it, also over a slow line. */
const TIMEOUT_MS = 10_000
/** More than an identity, and than the page of another program needs to be told from one. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Where to ask, and by which name. */
interface Place {
  readonly address: string
  readonly port: number
  readonly isTls: boolean
  /** as in a URL, without its port */
  readonly host: string
}

/** The certificate that was shown. */
export interface ShownCertificate {
  readonly from: Date
  readonly until: Date
  /** why it is not for the name; null if it is */
  readonly otherName: string | null
  /** OpenSSL's code of why no authority vouches for it, apart from its dates; null if one does */
  readonly distrust: string | null
}

/** `ours`: the data are those of this shop. `service`: a service, of which that is not known. `others`: of another shop. */
type Sender = 'ours' | 'service' | 'others' | 'program'

/** What came, or the code of the error that came instead. */
export type Answer =
  | {
      readonly sender: Sender
      readonly status: number
      readonly certificate: ShownCertificate | null
    }
  | { readonly error: string }

/** Instead of an answer: what speaks TLS there has no certificate for the name, or does not want to talk. */
export const TLS_ALERT = 'TLS alert'

/** Errors of dates, which are compared with the dates themselves. */
const DATE_ERRORS = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

const certificateOf = (socket: TLSSocket, host: string): ShownCertificate => {
  const shown: PeerCertificate = socket.getPeerCertificate()
  const other = checkServerIdentity(host, shown)
  // Node tells a wrong name by the same property.
  const error: unknown = socket.authorizationError
  const code = typeof error === 'string' ? error : error instanceof Error ? reasonOf(error) : ''
  const isOther = code === '' || DATE_ERRORS.has(code) || code === 'ERR_TLS_CERT_ALTNAME_INVALID'
  return {
    from: new Date(shown.valid_from),
    until: new Date(shown.valid_to),
    otherName: other === undefined ? null : (shown.subjectaltname ?? 'no name'),
    distrust: isOther ? null : code
  }
}

const responded = v.tuple([v.instance(IncomingMessage)])

const limited = async function* (response: IncomingMessage): AsyncGenerator<Buffer> {
  let size = 0
  for await (const part of response) {
    const chunk = v.parse(v.instance(Buffer), part)
    yield chunk
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) return
  }
}

/** Asks what is at an address who it is. Never rejects: what it says is shown with an untrusted certificate, too. */
export class Inquiry {
  readonly #challenge: string
  readonly #identity: string | null

  /** @param identity what this shop's service answers; null if its data cannot be read */
  constructor(challenge: string, identity: string | null) {
    this.#challenge = challenge
    this.#identity = identity
  }

  async at({ address, port, isTls, host }: Place): Promise<Answer> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const options: RequestOptions = {
      host: address,
      port,
      path: identityPath(this.#challenge),
      headers: { host, connection: 'close' },
      agent: false,
      rejectUnauthorized: false,
      // An IP address is no server name (RFC 6066, 3).
      ...(isIP(host.replace(/^\[|\]$/g, '')) === 0 ? { servername: host } : {}),
      signal
    }
    try {
      const asked = (isTls ? requestHttps : requestHttp)(options).end()
      const [response] = v.parse(responded, await once(asked, 'response'))
      const certificate =
        response.socket instanceof TLSSocket
          ? certificateOf(response.socket, host.replace(/^\[|\]$/g, ''))
          : null
      const said = (await text(limited(response))).trim()
      response.destroy()
      return { sender: this.#senderOf(said), status: response.statusCode ?? 0, certificate }
    } catch (error) {
      if (signal.aborted) return { error: 'ETIMEDOUT' }
      // Node gives an alert of the other side no code of its own.
      const isAlert = error instanceof Error && /\balert\b/.test(error.message)
      return { error: isAlert ? TLS_ALERT : reasonOf(error) }
    }
  }

  #senderOf(said: string): Sender {
    if (!isIdentity(said)) return 'program'
    if (this.#identity === null) return 'service'
    return said === this.#identity ? 'ours' : 'others'
  }
}
