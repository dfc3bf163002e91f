import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { FIRST_RULES } from '../../../electron/contract/earning-rules.ts'
import { createServiceApp } from '../../../electron/service/api/app.ts'
import { createDeviceExtension } from '../../../electron/service/api/device-extension.ts'
import { createOpenApiRoute } from '../../../electron/service/api/extension-openapi.ts'
import { hashToken, systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { listen, serve } from '../../../electron/service/server.ts'
import { RulesStore } from '../../../electron/service/store/rules.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { runGeneratedClient } from '../../support/generated-client.ts'
import { exactly } from './fixtures.ts'
import { openShop } from './store/shop.ts'

const TOKEN = 'demo'

const CLIENT = `
import type { paths } from './schema.d.ts'

type Path = '/ext/credits' | '/ext/returns'
type Operation<P extends Path> = paths[P]['post']
type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never
type Answers<P extends Path> = {
  [Status in keyof Operation<P>['responses']]: { status: Status; body: Json<Operation<P>['responses'][Status]> }
}[keyof Operation<P>['responses']]

const [origin, token, customer = ''] = process.argv.slice(2)

async function post<P extends Path>(
  path: P,
  key: Operation<P>['parameters']['header']['Idempotency-Key'],
  body: Operation<P>['requestBody']['content']['application/json']
): Promise<Answers<P>> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body)
  })
  return { status: response.status, body: await response.json() } as Answers<P>
}

const credit = { customer, points: 250, reference: 'R-1041', cashier: { number: 3, name: 'Ana' } }
const credited = await post('/ext/credits', 'credit-1', credit)
if (credited.status !== 200) throw new Error(credited.body.code)
const { id, balance, balanceBefore } = credited.body
// @ts-expect-error -- the generated types know that points are a number
const refused = await post('/ext/credits', 'credit-2', { customer, points: '250' })
const again = await post('/ext/credits', 'credit-1', credit)
const part = await post('/ext/returns', 'return-1', {
  reference: 'R-1041',
  amount: { returned: '12.50', total: '45.20' },
  reason: 'Wrong size'
})
if (part.status !== 200) throw new Error(part.body.code)
const rest = await post('/ext/returns', 'return-2', { credit: id, rest: true })
const tooLate = await post('/ext/returns', 'return-3', { credit: id, points: 1 })
console.log(JSON.stringify({
  refused: refused.status !== 200 && refused.body.code,
  credited: balance - balanceBefore,
  again: again.status === 200 && again.body.id === id,
  part: part.body.points,
  purchase: part.body.purchase === id && [part.body.given, part.body.remaining],
  rest: rest.status === 200 && { points: rest.body.points, changed: (rest.body.balance ?? 0) - balanceBefore },
  tooLate: tooLate.status !== 200 && tooLate.body.code
}))
`

it('is credited and returned to by a client that is made from the document it serves', async () => {
  const service = await serve({ port: 0, file: ':memory:', tokens: [TOKEN], seed: { customers: 3 } })
  onTestFinished(() => service.close())
  const listed = await fetch(`${service.url}/customers`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const { data } = v.parse(exactly.customerPage, await listed.json())
  const told = await runGeneratedClient(`${service.origin}/openapi.json`, CLIENT, [
    service.origin,
    TOKEN,
    data[0]?.id ?? ''
  ])
  expect(JSON.parse(told)).toEqual({
    refused: 'body-malformed',
    credited: 250,
    again: true,
    ...{ part: 69, purchase: [250, 181] },
    rest: { points: 181, changed: 0 },
    tooLate: 'purchase-returned'
  })
})

const RULES_CLIENT = `
import type { paths } from './schema.d.ts'

type Rules = paths['/ext/rules']['get']['responses'][200]['content']['application/json']
type Credit = paths['/ext/credits']['post']['requestBody']['content']['application/json']

const [origin, token, customer = ''] = process.argv.slice(2)
const authorization = 'Bearer ' + token

const answer = await fetch(origin + '/ext/rules', { headers: { authorization } })
const { version, timeZone, rules } = (await answer.json()) as Rules
const points = Math.floor(Number(rules?.pointsPerUnit) * 45.2)
const body: Credit = { customer, points, rules: version, bill: { amount: '45.20', groups: [] } }
// @ts-expect-error -- the generated types know that an amount is a text
const wrong: Credit = { customer, points, rules: version, bill: { amount: 45.2 } }
const statuses: number[] = []
for (const [index, each] of [body, wrong].entries()) {
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'credit-' + index }
  statuses.push((await fetch(origin + '/ext/credits', { method: 'POST', headers, body: JSON.stringify(each) })).status)
}
console.log(JSON.stringify({ version, timeZone, groups: rules?.groups.map(({ name }) => name), points, statuses }))
`

it('gives its rules to a client that is made from the document it serves, and takes what they earn', async () => {
  const shop = await openShop()
  const { database, business } = shop
  const at = shop.now.toISOString()
  await new TillStore(database).add(
    { id: 'till_1', business, name: 'Till 1', createdAt: at },
    hashToken(TOKEN)
  )
  const rules = { ...FIRST_RULES, pointsPerUnit: '2', groups: [{ name: 'Books', factor: '0' }] }
  await new RulesStore(database).save(business, { rules, request: 'one', at, by: 'staff:stf_1' })
  const shared = { database, now: () => shop.now, random: systemRandomBytes }
  const service = await listen({
    port: 0,
    openService: (publicUrl) => {
      const options = { ...shared, publicUrl, isSample: false, isExpired: () => false }
      const app = createServiceApp({
        ...options,
        shopRoutes: createOpenApiRoute(true),
        shopExtension: createDeviceExtension(options),
        onInternalError: (error) => {
          throw error
        }
      })
      return Promise.resolve({ fetch: (request) => app.fetch(request), close: () => Promise.resolve() })
    }
  })
  onTestFinished(() => service.close())
  const customer = await shop.register('+306901234567')
  const { origin } = service
  const told = await runGeneratedClient(`${origin}/openapi.json`, RULES_CLIENT, [origin, TOKEN, customer])
  expect(JSON.parse(told)).toEqual({
    ...{ version: 1, timeZone: 'Europe/Athens', groups: ['Books'], points: 90, statuses: [200, 400] }
  })
  expect(await database.read('SELECT rules, points FROM entries')).toEqual([{ rules: 1, points: 90 }])
})
