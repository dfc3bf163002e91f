/** Whether the certificate of a print server is trusted: by CUPS's own rules, with CUPS's own files. */
import { X509Certificate } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ClientConfiguration } from './client-configuration.ts'

/** The certificate that is known of a server; null: none. */
async function readKnown(file: string): Promise<X509Certificate | null> {
  try {
    return new X509Certificate(await readFile(file))
  } catch {
    return null
  }
}

/** Never rejects: without the file the certificate is unknown again the next time. */
async function remember(folder: string, file: string, certificate: X509Certificate): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, certificate.toString(), { mode: 0o600 })
  } catch {
    // Not allowed to this account, or the disk is full.
  }
}

/**
 * Resolves whether a server may be trusted. A server whose certificate an authority vouches for is. Any other is trusted
 * with the certificate that it had the first time (`HOST.crt`, which CUPS's programs share), or with a later one for its
 * name (`httpCredentialsGetTrust` of libcups).
 */
export async function isTrusted(
  socket: TLSSocket,
  host: string,
  { trustOnFirstUse, validateCertificates, certificateFolder }: ClientConfiguration
): Promise<boolean> {
  if (socket.authorized) return true
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return false
  const isForHost = (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined
  const file = join(certificateFolder, `${host.replaceAll(/[^A-Za-z0-9.-]/gu, '_')}.crt`)
  const known = await readKnown(file)
  if (known?.raw.equals(certificate.raw) === true) return true
  const isAccepted =
    known === null
      ? !validateCertificates || isForHost
      : isForHost && certificate.validToDate > known.validToDate
  if (!trustOnFirstUse || !isAccepted) return false
  await remember(certificateFolder, file, certificate)
  return true
}
