/** The requests of a look-up, recorded on the wire. */
import { KNOWN_CUSTOMERS } from '../../../electron/service/index.ts'
import { openFaultyNetwork } from '../../support/faulty-network.ts'
import { Counter } from './counter.ts'
import { withTill } from './open.ts'

/** The addresses that a look-up of `phone` fetches, all at once, at the service at `url`. */
export type LookUpRequests = (url: string, phone: string) => readonly string[]

/** Looks up a known customer with an app in `folder`. Resolves with the requests to the service at `url`. */
export async function recordRequests(folder: string, url: string): Promise<LookUpRequests> {
  const [known] = KNOWN_CUSTOMERS
  const spelt = encodeURIComponent(known.phone)
  const network = await openFaultyNetwork(url)
  try {
    return await withTill({ folder, url: network.url }, async ({ page }) => {
      const counter = new Counter(page)
      await counter.ready()
      const before = network.seen.length
      await counter.toTheCard(known)
      const paths = network.seen
        .slice(before)
        .map(({ path }) => path)
        .filter((path) => path.startsWith('/customers'))
      if (paths.length === 0 || paths.some((path) => !path.includes(spelt)))
        throw new Error(`A look-up asks for something else than a phone: ${paths.join(' ')}`)
      return (service, phone) => paths.map((path) => service + path.replace(spelt, encodeURIComponent(phone)))
    })
  } finally {
    await network.close()
  }
}
