/** A shop on the service of a tree, made by that tree's own commands: the tables of revisions differ. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Place } from '../../../electron/service/cli/place.ts'
import { phoneOf } from '../../support/service-load/chain.ts'
import { httpRequest } from '../../support/service-load/load.ts'
import type { ServiceProcess, Tree } from './tree.ts'

const FORM = ['Content-Type: application/x-www-form-urlencoded', 'Sec-Fetch-Site: same-origin']
const idOf = (json: unknown): string => v.parse(v.object({ id: v.string() }), json).id

/** A shop whose service runs. */
export interface Shop {
  readonly port: number
  readonly process: ServiceProcess
  /** what is asked of it, with places that the load generator fills in */
  readonly requests: Readonly<Record<string, string>>
  /** milliseconds of processor time that each customer of its import took */
  readonly importMs: number
}

/** Makes a shop with so many customers, who have points, and starts its service. */
export async function openShop(tree: Tree, place: Place, folder: string, customers: number): Promise<Shop> {
  const at = 'url' in place ? ['--database', place.url] : ['--data', place.folder]
  const run = (...args: string[]) => tree.run([...args, ...at])
  await run('init')
  const zone = ['--country', 'GR', '--time-zone', 'Europe/Athens']
  const business = idOf((await run('business', 'add', '--name', 'Shop', ...zone)).json)
  const file = join(folder, 'customers.csv')
  const lines = Array.from({ length: customers }, (_, n) => `Person Papadopoulos ${n},${phoneOf(n)},1000000`)
  writeFileSync(file, `name,phone,balance\n${lines.join('\n')}\n`)
  const { processorMs } = await run('import', file, '--customers')
  const reward = idOf((await run('reward', 'add', '--name', 'Coffee', '--points', '1')).json)
  const pairing = v.parse(v.object({ code: v.string() }), (await run('till', 'pair', '--name', 'Till')).json)
  const { process, port } = await tree.serve(at)
  const origin = `http://127.0.0.1:${String(port)}`
  const paired = await fetch(`${origin}/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: pairing.code })
  })
  const { token } = v.parse(v.object({ token: v.string() }), await paired.json())
  const till = [`Authorization: Bearer ${token}`, 'Content-Type: application/json']
  const found = await fetch(`${origin}/api/customers/${encodeURIComponent(phoneOf(0))}?type=phone`, {
    headers: { authorization: `Bearer ${token}` }
  })
  const customer = idOf(await found.json())
  const cookie = await linkedCookie(origin, business, (digits) => run('customer', 'link', customer, digits))
  const redemption = `{"customer":"${customer}","reward":"${reward}","cost":1}`
  const keyed = [...till, 'Idempotency-Key: bench-{number}']
  const known = [...FORM, 'X-Forwarded-For: {address}']
  return {
    importMs: processorMs / customers,
    port,
    process,
    requests: {
      issue: httpRequest('POST', '/api/qr', till, '{"points":120}'),
      'collect, known': httpRequest('POST', '/q/{code}', known, 'phone=%2B30690{customer}'),
      'collect, joins': httpRequest('POST', '/q/{code}', known, 'phone=%2B30691{number}'),
      'page of a linked phone': httpRequest('GET', `/me/${business}`, [`Cookie: ${cookie}`]),
      'look-up': httpRequest('GET', '/api/customers/%2B30690{customer}?type=phone', till),
      search: httpRequest('GET', '/api/customers/?name=papado', till),
      register: httpRequest(
        'POST',
        '/api/customers',
        till,
        '{"name":"Eleni Rossi","phone":"+30693{number}"}'
      ),
      redeem: httpRequest('POST', '/ext/redemptions', keyed, redemption)
    }
  }
}

/** Links a browser to a customer, as staff do, and returns its cookies. */
async function linkedCookie(
  origin: string,
  business: string,
  link: (digits: string) => Promise<unknown>
): Promise<string> {
  const address = `${origin}/me/${business}/link`
  const headers = { 'sec-fetch-site': 'same-origin' }
  const asked = await fetch(address, {
    ...{ method: 'POST', headers, redirect: 'manual', body: new URLSearchParams() }
  })
  const cookie = asked.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  // An older revision answers with the digits, a newer one with the address of the page that shows them.
  const page = (await asked.text()) + (await (await fetch(address, { headers: { cookie } })).text())
  const [, first = '', last = ''] = /<span>(\d{3})<\/span>\s*<span>(\d{3})/.exec(page) ?? []
  await link(first + last)
  return cookie
}
