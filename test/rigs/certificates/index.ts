/** A certificate that no authority signed, to see that a client refuses it. */
import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

export const selfSigned = { key: read('self-signed.key.pem'), cert: read('self-signed.cert.pem') }
