/** What is asked of a training service past the till. */
import * as v from 'valibot'
import { customerPageSchema } from '../../../electron/contract/loyalty.ts'

/** The token of every service of the bench. */
export const TOKEN = 'demo'

/** Headers of a request as the till sends them. */
export const HEADERS = { accept: 'application/json', authorization: `Bearer ${TOKEN}` } as const

/** The least that issues a slip: `POST /qr` of the service at `url`, its answer read. Rejects when it is refused. */
export async function barePost(url: string): Promise<void> {
  const answer = await fetch(`${url}/qr`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify({ points: 25 })
  })
  await answer.text()
  if (!answer.ok) throw new Error(`The service answered ${String(answer.status)}`)
}

/** What a look-up needs of a customer. */
export interface Known {
  readonly name: string
  /** E.164 */
  readonly phone: string
}

/** So many customers of the service at `url`, from all over its list of `size`; no two of them in a row share a name. */
export async function someCustomers(url: string, size: number, count: number): Promise<readonly Known[]> {
  const pages = Math.max(1, Math.floor(size / 100))
  const known = new Map<string, Known>()
  for (let turn = 0; known.size < count && turn < count; turn++) {
    const page = 1 + (Math.floor((turn * pages) / count) % pages)
    const answer = await fetch(`${url}/customers?pageNumber=${page}&pageSize=100`, { headers: HEADERS })
    const { data } = await v.parseAsync(customerPageSchema, await answer.json())
    for (const { name, phone } of data.slice(turn % 7).slice(0, Math.ceil(count / pages))) {
      if (known.size < count && name !== [...known.values()].at(-1)?.name) known.set(phone, { name, phone })
    }
  }
  return [...known.values()]
}
