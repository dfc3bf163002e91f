/** `pgbench` with the statements of the service: what PostgreSQL can do with them where nothing else takes part. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { startService } from '../../support/service-load/chain.ts'
import type { Load } from '../../support/service-load/load.ts'
import type { PostgresServer } from '../../support/postgres/cluster.ts'
import { POSTGRES_PROGRAMS } from '../../support/postgres/programs.ts'
import { collect, issue, withServers } from '../rows/service.ts'

const LOGGING = {
  log_statement: 'all',
  logging_collector: 'on',
  log_filename: 'statements.log',
  log_line_prefix: '~'
}
/** A statement of the log with its values in their places, of which each run has others of ids, hashes, codes and customers. */
function statementOf(logged: string, code: string, customer: string): string {
  const [, text = '', parameters = ''] =
    /^LOG: {2}(?:statement|execute \w+): ([^~]*)(?:~DETAIL: {2}parameters: ([^~]*))?/.exec(logged) ?? []
  const values = parameters.matchAll(/\$(\d+) = (NULL|'(?:[^']|'')*')/g)
  const byPlace = new Map([...values].map(([, place, value]) => [place, value]))
  const number = "lpad(to_hex(:number::bigint), 12, '0')"
  const firstKey = 2 ** 32 + 1
  const others = (value: string): string => {
    if (value === `'${code}'`) return number
    if (/^'(?:\w+_\w{16,}|[\w-]{64,})'$/.test(value)) return `(${value.slice(0, -13)}' || ${number})`
    if (value === `'+30690${customer}'`) return `('+30690' || lpad(:customer::text, 7, '0'))`
    if (value === `'${String(firstKey + Number(customer))}'`) return `(:customer + ${String(firstKey)})`
    return value
  }
  const filled = text.replaceAll(/\$(\d+)/g, (_, place: string) => others(byPlace.get(place) ?? 'NULL'))
  return `${filled.replaceAll(/\s+/g, ' ')};`
}

/** Has the service on a server issue and collect. Returns the log of the server meanwhile. */
async function loggedBy(server: PostgresServer, customers: number): Promise<string> {
  const restart = async (set: (name: string, value: string) => string): Promise<void> => {
    for (const [name, value] of Object.entries(LOGGING))
      await server.execute(`ALTER SYSTEM ${set(name, value)}`)
    await server.stop()
    await server.start()
  }
  await restart((name, value) => `SET ${name} = '${value}'`)
  const service = await startService({ url: server.url() })
  await withServers([service], customers, (send) =>
    send(service, { seconds: 1, connections: 1, requests: [issue, collect] })
  )
  const [row] = await server.execute(`SELECT pg_read_file('log/statements.log') AS text`)
  await restart((name) => `RESET ${name}`)
  return v.parse(v.object({ text: v.string() }), row).text
}

/** Has the service on a server issue and collect, and writes what it asks of the database into a folder: `issue.sql`, `collect.sql`. */
export async function recordScripts(
  server: PostgresServer,
  customers: number,
  folder: string
): Promise<void> {
  const text = await loggedBy(server, customers)
  // The last collection that was committed, from its code on.
  const logged = text.slice(0, text.lastIndexOf('~LOG:  statement: COMMIT'))
  const last = logged.slice(logged.lastIndexOf('~LOG:  execute', logged.lastIndexOf('INSERT INTO codes')))
  const code = /\$2 = '(\w{12})'/.exec(last)?.[1] ?? ''
  const customer = /'\+30690(\d{7})'/.exec(last)?.[1] ?? ''
  const statements = last.split(/~(?=LOG)/).slice(1)
  const begin = `\\set number random(1, 281474976710655)\n\\set customer random(0, ${String(customers - 1)})\n`
  const [issuing = '', ...collecting] = statements.map((each) => statementOf(each, code, customer))
  writeFileSync(join(folder, 'issue.sql'), `${begin}${issuing}\n`)
  writeFileSync(join(folder, 'collect.sql'), `${[begin, issuing, ...collecting, 'COMMIT;'].join('\n')}\n`)
}

/** Runs a script over so many connections. Resolves with how often it was done in a second. */
export async function pgbench(
  server: PostgresServer,
  script: string,
  { connections, seconds }: Pick<Load, 'connections' | 'seconds'>
): Promise<number> {
  const { stdout } = await promisify(execFile)(join(POSTGRES_PROGRAMS, 'pgbench'), [
    ...['--no-vacuum', '--protocol', 'prepared', '--client', String(connections), '--jobs', '2'],
    ...['--time', String(Math.ceil(seconds)), '--file', script, server.url()]
  ])
  // It prints no rate where none was done in the time.
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? 0)
}
