import { expect, it } from 'vitest'
import { runGeneratedClient } from '../../../support/generated-client.ts'
import { valueOf } from '../slips/slip-service-fixture.ts'
import { openInterface } from './interface-fixture.ts'

const CLIENT = `
import type { paths } from './schema.d.ts'

type Path = '/v1/pairing' | '/v1/credits' | '/v1/returns'
type Operation<P extends Path> = paths[P]['post']
type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never
type Answers<P extends Path> = {
  [Status in keyof Operation<P>['responses']]: { status: Status; body: Json<Operation<P>['responses'][Status]> }
}[keyof Operation<P>['responses']]

const [origin, code = '', id = ''] = process.argv.slice(2)

async function post<P extends Path>(
  path: P,
  body: Operation<P>['requestBody']['content']['application/json'],
  token?: string
): Promise<Answers<P>> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) },
    body: JSON.stringify(body)
  })
  return { status: response.status, body: await response.json() } as Answers<P>
}

const paired = await post('/v1/pairing', { code, name: 'Example POS' })
if (paired.status !== 201) throw new Error(paired.body.error)
const { token } = paired.body
const credit = { reference: 'R-1041', customer: { id }, points: 250 }
const credited = await post('/v1/credits', credit, token)
if (credited.status !== 201) throw new Error(String(credited.status))
const again = await post('/v1/credits', credit, token)
const goods = { reference: 'B-1', purchase: 'R-1041', amount: '12.50', total: '45.20' }
const part = await post('/v1/returns', goods, token)
if (part.status !== 201) throw new Error(String(part.status))
const tooMuch = await post('/v1/returns', { reference: 'B-2', purchase: 'R-1041', points: 250 }, token)
const points = part.body.remaining ?? 0
const rest = await post('/v1/returns', { reference: 'B-3', purchase: 'R-1041', points }, token)
console.log(JSON.stringify({
  state: credited.body.state,
  again: again.status,
  part: [part.body.points, part.body.remaining],
  tooMuch: tooMuch.status === 409 && tooMuch.body.error,
  rest: rest.status === 201 && [rest.body.points, (rest.body.balance ?? 0) - (credited.body.balanceBefore ?? 0)]
}))
`

it('is called by a client that is made from the document it serves', async () => {
  const till = await openInterface()
  const { data } = valueOf(await till.session.ask((client) => client.listCustomers({ page: 1 })))
  const origin = `http://127.0.0.1:${till.port}`
  const { code } = till.localInterface.startPairing()
  const told = await runGeneratedClient(`${origin}/v1/openapi.json`, CLIENT, [
    origin,
    code,
    data[0]?.id ?? ''
  ])
  expect(JSON.parse(told)).toEqual({
    state: 'credited',
    again: 200,
    part: [69, 181],
    tooMuch: 'return-too-much',
    rest: [181, 0]
  })
})
