import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readClientConfiguration } from '../../../../../electron/main/printing/cups/client-configuration.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-configuration-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Reads with these files of the system and the user, and these variables. */
async function read(system: string | null, user: string | null, variables: Record<string, string> = {}) {
  const [root, home] = [join(folder, 'etc'), join(folder, 'home')]
  await mkdir(root)
  await mkdir(join(home, '.cups'), { recursive: true })
  if (system !== null) await writeFile(join(root, 'client.conf'), system)
  if (user !== null) await writeFile(join(home, '.cups/client.conf'), user)
  return readClientConfiguration({ CUPS_SERVERROOT: root, HOME: home, ...variables })
}

test('without files it is that of CUPS', async () => {
  expect(await read(null, null)).toEqual({
    encryption: 'if-requested',
    user: userInfo().username,
    trustOnFirstUse: true,
    validateCertificates: false,
    certificateFolder: process.getuid?.() === 0 ? join(folder, 'etc/ssl') : join(folder, 'home/.cups/ssl')
  })
})

test.each([
  ['Encryption Required', null, {}, { encryption: 'required' }],
  ['  encryption   always  # of the office', null, {}, { encryption: 'always' }],
  ['Encryption Never', 'Encryption IfRequested', {}, { encryption: 'if-requested' }],
  ['Encryption Never', null, { CUPS_ENCRYPTION: 'Required' }, { encryption: 'required' }],
  ['Encryption', null, {}, { encryption: 'if-requested' }],
  ['#Encryption Never\n#', null, {}, { encryption: 'if-requested' }],
  ['User till\nUser bar\\#1', null, {}, { user: 'bar#1' }],
  ['User till', 'User kitchen', { CUPS_USER: 'bar' }, { user: 'bar' }],
  ['TrustOnFirstUse No\nValidateCerts Yes', null, {}, { trustOnFirstUse: false, validateCertificates: true }],
  ['TrustOnFirstUse No', 'TrustOnFirstUse on', {}, { trustOnFirstUse: true }],
  [
    null,
    null,
    { CUPS_TRUSTFIRST: '0', CUPS_VALIDATECERTS: 'true' },
    { trustOnFirstUse: false, validateCertificates: true }
  ]
] as const)('%o, then %o and %o: %o', async (system, user, variables, expected) => {
  expect(await read(system, user, variables)).toMatchObject(expected)
})
