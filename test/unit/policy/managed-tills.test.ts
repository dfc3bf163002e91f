/** The first example of docs/managed-tills.md, exactly as it is printed, on a new till and a shop's own service. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type * as Quarantine from '../../../electron/main/fs/quarantine.ts'
import { LoyaltyClient } from '../../../electron/main/loyalty/loyalty-client.ts'
import { installedPolicies, PolicyReader } from '../../../electron/main/policy/policy-reader.ts'
import { StoredConnection } from '../../../electron/main/session/stored-connection.ts'
import { Session } from '../../../electron/main/session/session.ts'
import { Settings } from '../../../electron/main/settings/index.ts'
import { createServiceApp } from '../../../electron/service/api/app.ts'
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { PairingStore } from '../../../electron/service/store/pairings.ts'
import { noOpLogger } from '../../support/no-op-logger.ts'
import { connectorOf } from '../../support/session.ts'
import { openShop } from '../service/store/shop.ts'

/** What the example's file of the token holds. */
const tokenFile = vi.hoisted(() => ({ content: '' }))
vi.mock('../../../electron/main/fs/quarantine.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof Quarantine>()),
  readTokenFile: (path: string) => (path === '/etc/tillpoints/token' ? tokenFile.content : '')
}))

it('connects a new till, which then makes a code, and puts every value in force', async () => {
  const [, example = ''] =
    /```json\n(.*?)```/su.exec(readFileSync('docs/managed-tills.md', 'utf8').replaceAll('\r\n', '\n')) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'managed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'etc'), { mode: 0o755 })
  const policy = join(folder, 'etc', 'policy.json')
  writeFileSync(policy, example, { mode: 0o644 })

  const shop = await openShop()
  const shared = { database: shop.database, now: () => shop.now, random: systemRandomBytes }
  const app = createServiceApp({
    ...shared,
    publicUrl: 'https://points.example',
    isSample: false,
    isExpired: () => false,
    onInternalError: (error) => {
      throw new Error('internal error of the service', { cause: error })
    }
  })
  const pairings = new PairingStore(shared)
  const till = await pairings.trade((await pairings.add(shop.business, 'Till 1')).code)
  tokenFile.content = `${String(till?.token)}\n`

  const settings = new Settings(join(folder, 'till'))
  const administrator = process.getuid?.() ?? 0
  const reader = new PolicyReader({
    sources: installedPolicies({ policy, managedPreference: null, administrator }, 'linux', {}),
    settings,
    log: noOpLogger
  })
  await reader.read()
  const notices: unknown[] = []
  reader.start((found) => notices.push(...found))
  onTestFinished(() => reader.close())
  expect(notices).toEqual([])

  const fetch = async (request: Request): Promise<Response> => app.fetch(request)
  const session = new Session({
    settings,
    connector: connectorOf(
      (credentials, observer) =>
        new LoyaltyClient({ ...credentials, observer, fetch, languages: { screen: 'en' } })
    ),
    onChange: () => undefined
  })
  const connection = new StoredConnection({
    session,
    settings,
    tokens: { seal: () => Promise.resolve({ kind: 'no-encryption' }), open: () => Promise.resolve(null) },
    pairing: { pair: () => Promise.reject(new Error('The example has a token')) },
    onWaiting: () => undefined
  })
  expect(await connection.restore(reader.connection)).toBeNull()
  expect(await session.refresh()).toMatchObject({ ok: true, value: { name: 'Corner Café' } })
  expect(settings.values).toMatchObject({
    mode: 'business',
    baseUrl: 'https://points.example/api/',
    printer: { destination: { kind: 'queue', name: 'Receipt' } },
    tourSeen: true,
    updateRing: 'pilot',
    policy: { managedBy: 'Example IT' }
  })
  const made = await session.ask((service) => service.createQr(250))
  expect(made.ok).toBe(true)
  session.close()
})
