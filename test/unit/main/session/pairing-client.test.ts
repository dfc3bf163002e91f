import { expect, it } from 'vitest'
import { PAIRING_CODE_UNKNOWN, PairingClient } from '../../../../electron/main/session/pairing-client.ts'

/** A client, and the requests that it has sent. */
const openClient = (answer: () => Response | Promise<Response>) => {
  const sent: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(request)
    return answer()
  }
  return { client: new PairingClient({ fetch, languages: { screen: 'de' } }), sent }
}

const paired = (baseUrl: string) => () => Response.json({ token: 'secret', baseUrl, till: 'Till 1' })

it('trades the code once, without a token, whatever path the address has', async () => {
  const { client, sent } = openClient(paired('https://points.example/api'))
  const expected = { ok: true, value: { baseUrl: 'https://points.example/api', token: 'secret' } }
  expect(await client.pair('points.example/some/path', ' WDJB-MJHT ')).toEqual(expected)
  const [request] = sent
  expect([request?.method, request?.url, request?.headers.get('authorization')]).toEqual([
    'POST',
    'https://points.example/pair',
    null
  ])
  expect(request?.headers.get('x-lang')).toBe('de')
  expect(await request?.json()).toEqual({ code: 'WDJB-MJHT' })
  expect(sent).toHaveLength(1)
})

it('stays on the origin that was typed, whatever the service names', async () => {
  for (const named of ['https://evil.example/api', 'http://127.0.0.1:4010/api']) {
    const { client } = openClient(paired(named))
    expect(await client.pair('https://points.example', 'WDJBMJHT')).toMatchObject({
      value: { baseUrl: 'https://points.example/api' }
    })
  }
})

it('needs a new code when the answer was lost or cannot be read, and sends the code once', async () => {
  for (const answer of [
    () => Promise.reject(new TypeError('connection reset')),
    () => Response.json({}),
    () => new Response('oops', { status: 502 })
  ]) {
    const { client, sent } = openClient(answer)
    expect(await client.pair('https://points.example', 'WDJBMJHT')).toEqual({
      ok: false,
      failure: PAIRING_CODE_UNKNOWN
    })
    expect(sent).toHaveLength(1)
  }
})

it('tells a refused address and too many tries apart from an unknown code', async () => {
  const kind = async (address: string, status: number) => {
    const result = await openClient(() => new Response('{}', { status })).client.pair(address, 'WDJBMJHT')
    return result.ok ? null : result.failure.kind
  }
  expect(await kind('https://points.example', 404)).toBe('not-found')
  expect(await kind('https://points.example', 429)).toBe('busy')
  expect(await kind('http://points.example', 200)).toBe('invalid-input')
})
