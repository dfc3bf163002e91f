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

/** Makes an authority and a server's certificate, which it signs. @param folder exists */
export async function issueCertificate(folder: string, host: string): Promise<CertificateFiles> {
  const place = (name: string): string => join(folder, name)
  const files = {
    authority: place('authority.pem'),
    certificate: place('server.pem'),
    key: place('server.key')
  }
  const authorityKey = place('authority.key')
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '30'
  ]
  await run('openssl', [
    ...request,
    ...['-keyout', authorityKey, '-out', files.authority, '-subj', '/CN=Authority of a test']
  ])
  await run('openssl', [
    ...request,
    ...['-keyout', files.key, '-out', files.certificate, '-subj', `/CN=${host}`],
    ...['-CA', files.authority, '-CAkey', authorityKey],
    ...['-addext', `subjectAltName=DNS:${host}`, '-addext', 'basicConstraints=critical,CA:FALSE']
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
