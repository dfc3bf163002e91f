/** An import by the shop's page of a service in a process of its own, over HTTP. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { dataFile } from '../../../../electron/service/cli/place.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { StaffMemberStore } from '../../../../electron/service/store/staff-members.ts'
import { Shop } from '../../../support/service-shop.ts'
import { textOf } from '../pages/visitor.ts'
import { ServiceProgram } from './program.ts'

const PUBLIC_URL = 'https://points.example.com'
const LINES = 100_000

const program = new ServiceProgram()

/** Makes a shop with an owner who is signed in. Returns its page *Data*, and the owner's cookie. */
const makeShop = async () => {
  mkdirSync(program.data)
  const database = await openSqlite(dataFile(program.data))
  const { business } = await Shop.addTo(database)
  const [row] = await database.read('SELECT id FROM businesses')
  const { id } = v.parse(v.object({ id: v.string() }), row)
  const staff = new StaffMemberStore({ database, now: () => new Date(), random: systemRandomBytes })
  const session = await staff.beginSession(await staff.add(business, { name: 'Ana', role: 'owner' }))
  await database.close()
  return { data: `/manage/${id}/data`, cookie: `staff-${id}=${session ?? ''}` }
}

/** Starts the service. Returns its process, and how its pages are asked for. */
const serve = async (cookie: string) => {
  const server = program.start(['serve', '--port', '0', '--public-url', PUBLIC_URL, '--data', program.data])
  const [line] = v.parse(v.tuple([v.string()]), await once(createInterface(server.stdout), 'line'))
  const ask = (path: string, body?: FormData): Promise<Response> =>
    fetch(new URL(path, line.replace('listening on ', '')), {
      headers: { cookie, origin: PUBLIC_URL },
      redirect: 'manual',
      ...(body === undefined ? {} : { method: 'POST', body })
    })
  return { server, ask }
}

it('reads 100,000 lines in the background, goes on after SIGKILL, and changes nothing before *Import*', async () => {
  const { data, cookie } = await makeShop()
  const { server, ask } = await serve(cookie)
  const lines = Array.from({ length: LINES }, (_, index) => `Zoé,+3069${String(10_000_000 + index)},7`)
  const send = async (): Promise<string> => {
    const form = new FormData()
    form.set('kind', 'customers')
    form.set('file', new File([`name,phone,points\n${lines.join('\n')}`], 'customers.csv'))
    const location = (await ask(`${data}/imports`, form)).headers.get('location') ?? ''
    return location.replace(/\?.*/, '')
  }
  const discarded = await send()
  expect((await ask(`${discarded}/discard`, new FormData())).status).toBe(303)
  expect((await ask(discarded)).status).toBe(404)

  const at = await send()
  const killed = once(server, 'close')
  server.kill('SIGKILL')
  await killed
  const { ask: askAgain } = await serve(cookie)
  const seen = new Set<string>()
  let page: Response
  do {
    page = await askAgain(at)
    const text = await textOf(page)
    seen.add(/[\d,]+ of 100,000/.exec(text)?.[0] ?? text)
  } while (page.headers.get('refresh') !== null)
  const shown = [...seen]
  expect(shown.pop()).toContain('To add 100,000 Known already 0 Points 700,000 Refused lines 0')
  expect(shown.every((text) => text.endsWith(' of 100,000'))).toBe(true)

  const database = await openSqlite(dataFile(program.data))
  expect(await database.read('SELECT customer FROM customers LIMIT 1')).toEqual([])
  expect(await database.read('SELECT state FROM imports')).toEqual([{ state: 'previewed' }])
  await database.close()
  process.stdout.write(
    `import page: ${String(shown.length)} times of progress while ${String(LINES)} lines are read\n`
  )
})
