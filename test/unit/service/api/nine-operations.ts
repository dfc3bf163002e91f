/** Requests of the nine operations, refusals among them, to a service whose clock and random numbers are fixed. */
import { createHash } from 'node:crypto'

export const NOW = new Date('2026-11-25T10:00:00.000Z')
export const PUBLIC_URL = 'https://points.example.com'
export const TOKEN = 'nine-operations'

/** Returns random bytes that are the same in each run. */
export const fixedRandom = (): ((size: number) => Uint8Array) => {
  let drawn = 0
  return (size) => {
    drawn += 1
    return createHash('shake256', { outputLength: size }).update(String(drawn)).digest()
  }
}

/** What a service answers to one request. */
export interface RecordedAnswer {
  readonly request: string
  readonly status: number
  /** but those of the connection, and the time */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Known to every service with sample data of this seed. `ID` and `REWARD` stand for those of the first rows. */
const REQUESTS: readonly (readonly [
  method: string,
  path: string,
  body?: object | undefined,
  headers?: Record<string, string>
])[] = [
  ['GET', '/customers?pageNumber=1&pageSize=3'],
  ['GET', '/customers?pageNumber=2'],
  ['GET', '/customers?pageSize=x'],
  ['GET', '/customers/?name=Oliver'],
  ['GET', `/customers/?name=${'x'.repeat(501)}`],
  ['POST', '/customers', { name: 'Ada Lovelace', phone: '+447900000001' }],
  ['POST', '/customers', { name: 'Ada Lovelace', phone: '+447900000001' }],
  ['POST', '/customers', { name: 7 }, { 'x-lang': 'el' }],
  ['GET', '/customers/ID'],
  ['GET', '/customers/%2B306941234567?type=phone'],
  ['GET', '/customers/maria.papadopoulou%40example.com?type=email'],
  ['GET', '/customers/cus_none?type=id', undefined, { 'x-lang': 'de' }],
  ['GET', '/customers/ID?type=name'],
  ['GET', '/rewards?pageNumber=1&pageSize=3'],
  ['GET', '/rewards/REWARD'],
  ['GET', '/rewards/rew_none', undefined, { 'x-lang': 'ar' }],
  ['GET', '/account'],
  ['POST', '/qr', { points: 250 }],
  ['POST', '/qr?image=1', { points: 5 }],
  ['POST', '/qr', { points: 0 }],
  ['POST', '/qr', { points: 1e9 }],
  ['POST', '/qr', []],
  ['GET', '/qr/CODE'],
  ['GET', '/qr/code'],
  ['GET', '/qr/NONE'],
  ['GET', '/account', undefined, { authorization: 'Bearer another' }],
  ['GET', '/account', undefined, { authorization: '' }],
  ['DELETE', '/qr'],
  ['HEAD', '/account'],
  ['GET', '/none']
]

const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[0] ?? ''

/** Sends the requests one after the other to a base URL, and resolves with the answers. */
export async function askNineOperations(baseUrl: string): Promise<readonly RecordedAnswer[]> {
  const answers: RecordedAnswer[] = []
  const bodies = (): string => answers.map(({ body }) => body).join('\n')
  for (const [method, path, body, headers] of REQUESTS) {
    const code = found(/(?<="code":")[^"]+/, bodies())
    const filled = path
      .replace('ID', found(/cus_(?!none)\w+/, bodies()))
      .replace('REWARD', found(/rew_(?!none)\w+/, bodies()))
      .replace('CODE', code)
      .replace('/code', `/${code.toLowerCase()}`)
    const response = await fetch(baseUrl + filled, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const kept = [...response.headers].filter(([name]) => !OF_THE_CONNECTION.has(name))
    answers.push({
      request: `${method} ${filled}`,
      status: response.status,
      headers: Object.fromEntries(kept),
      body: await response.text()
    })
  }
  return answers
}
