/** Certificate authorities of a test: one that openssl makes, and how a phone and a till learn to trust one. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Paths of PEM files. */
interface CertificateFiles {
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/**
 * Makes an authority and a server's certificate, which it signs.
 * @param folder exists
 * @param days that the certificate is valid from now; negative for one that has ended
 */
export async function issueCertificate(folder: string, host: string, days = 30): Promise<CertificateFiles> {
  const place = (name: string): string => join(folder, name)
  const files = {
    authority: place('authority.pem'),
    certificate: place('server.pem'),
    key: place('server.key')
  }
  const [authorityKey, request] = [place('authority.key'), place('server.csr')]
  await run('openssl', [
    ...['req', '-x509', ...NEW_KEY, '-days', '30', '-keyout', authorityKey, '-out', files.authority],
    ...['-subj', '/CN=Authority of a test']
  ])
  await run('openssl', [
    ...['req', ...NEW_KEY, '-keyout', files.key, '-out', request, '-subj', `/CN=${host}`],
    ...['-addext', `subjectAltName=DNS:${host}`, '-addext', 'basicConstraints=critical,CA:FALSE']
  ])
  await run('openssl', [
    ...['x509', '-req', '-in', request, '-CA', files.authority, '-CAkey', authorityKey, '-CAcreateserial'],
    ...['-copy_extensions', 'copy', '-days', String(days), '-out', files.certificate]
  ])
  return files
}

/**
 * Returns the environment in which a program trusts an authority: Chromium, and so Electron, by the database in its home
 * folder, Node by a variable.
 * @param home a new folder for it
 */
export async function trustAuthority(home: string, authorityFile: string): Promise<Record<string, string>> {
  const database = join(home, '.pki/nssdb')
  await mkdir(database, { recursive: true })
  const certutil = (...args: string[]): Promise<unknown> =>
    run('certutil', ['-d', `sql:${database}`, ...args])
  await certutil('-N', '--empty-password')
  await certutil('-A', '-t', 'C,,', '-n', 'authority', '-i', authorityFile)
  return { HOME: home, NODE_EXTRA_CA_CERTS: authorityFile }
}
