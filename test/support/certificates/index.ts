/**
 * Certificates for servers on loopback, made with openssl for these tests alone; they guard nothing. The authority
 * signed all but the first; its key was thrown away. Each is right but for what its name says.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A server's key and certificate, PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

const place = (name: string): URL => new URL(name, import.meta.url)
const read = (name: string): Certificate => ({
  key: readFileSync(place(`${name}.key.pem`), 'utf8'),
  cert: readFileSync(place(`${name}.cert.pem`), 'utf8')
})

/** A certificate that no authority signed, to see that a client refuses it. */
export const selfSigned = read('self-signed')
/** For 127.0.0.1 and localhost, good for a century. */
export const trusted = read('trusted')
/** Good until 2021. */
export const expired = read('expired')
/** For points.example. */
export const otherHost = read('other-host')

/** Path of the authority's certificate, for `NODE_EXTRA_CA_CERTS`. */
export const AUTHORITY_FILE = fileURLToPath(place('authority.cert.pem'))
