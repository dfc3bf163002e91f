/** Prints on a real CUPS by an address that is not loopback, and writes the results as JSON. Run by `remote-cups.sh`. */
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { noOpLogger } from '../support/no-op-logger.ts'
import { startPrintSystem } from '../support/print-system/index.ts'
import { SamplePrinting, sampleSlip } from './sample-slip.ts'

const ADDRESS = '192.0.2.1:8631'
const LISTEN = `Listen ${ADDRESS}\nListen [2001:db8::1]:8631\nServerAlias print.example\n`
const ENCRYPTED = { server: LISTEN, location: 'Encryption Required\n' }

const system = await startPrintSystem()
const slip = await sampleSlip(80, 120)
const home = join(system.folder, 'home')
await mkdir(join(home, '.cups'), { recursive: true })

/** What becomes of a slip, with this CUPS_SERVER, or that of client.conf, whose lines are `configuration`. */
async function print(server: string | undefined, configuration = '') {
  await writeFile(join(home, '.cups/client.conf'), configuration)
  const environment = Object.fromEntries(
    Object.entries(system.environment).filter(([name]) => name !== 'CUPS_SERVER')
  )
  const printing = new SamplePrinting({
    platform: 'linux',
    environment: {
      ...environment,
      HOME: home,
      CUPS_STATEDIR: system.folder,
      ...(server !== undefined && { CUPS_SERVER: server })
    },
    log: noOpLogger
  })
  const listed = await printing.list()
  return {
    queues: listed.ok ? listed.value.map(({ name }) => name) : listed.failure,
    result: await printing.print(slip, { kind: 'queue', name: 'Receipt' })
  }
}

const results: Record<string, unknown> = {}
try {
  await system.configureScheduler({ server: LISTEN })
  results['by address'] = await print(ADDRESS)
  results['by IPv6 address'] = await print('[2001:db8::1]:8631')
  results['by name'] = await print('print.example:8631')
  results['of client.conf'] = await print(undefined, `ServerName ${ADDRESS}\n`)
  results['of client.conf, encrypted'] = await print(
    undefined,
    `ServerName ${ADDRESS}\nEncryption Required\n`
  )
  await rm(join(system.folder, 'ssl'), { recursive: true })

  await system.configureScheduler(ENCRYPTED)
  results['that demands encryption'] = await print(ADDRESS)
  const known = await readFile(join(system.folder, 'ssl/192.0.2.1.crt'), 'utf8')
  results['whose certificate is known'] = {
    ...(await print(ADDRESS)),
    certificate: known.split('\n')[0]
  }
  results['that demands encryption, while client.conf forbids it'] = await print(
    ADDRESS,
    'Encryption Never\n'
  )
  results['whose certificate is unknown, while client.conf trusts none'] = await print(
    'print.example:8631',
    'TrustOnFirstUse No\n'
  )
  const keychain = join(system.folder, 'etc/ssl')
  for (const file of await readdir(keychain)) await rm(join(keychain, file))
  await system.configureScheduler(ENCRYPTED)
  results['with another certificate'] = await print(ADDRESS)
  await rm(join(system.folder, 'ssl/192.0.2.1.crt'))
  results['whose certificate was forgotten'] = await print(ADDRESS)

  const authorizations: (string | undefined)[] = []
  const asking = createServer((request, response) => {
    authorizations.push(request.headers.authorization)
    response.writeHead(401, { 'www-authenticate': 'PeerCred, Local trc="y"' }).end()
  })
  await once(asking.listen(8632, '192.0.2.1'), 'listening')
  await mkdir(join(system.folder, 'certs'))
  await writeFile(join(system.folder, 'certs/0'), 'secret of this machine')
  results['that asks for what only this machine may know'] = {
    ...(await print('192.0.2.1:8632')),
    authorizations
  }
  asking.close()
} finally {
  await system.stop()
}
process.stdout.write(JSON.stringify(results))
