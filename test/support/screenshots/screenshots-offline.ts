import { business, slip } from './sample-data.ts'
import { choose, find, go, points, print } from './steps.ts'
import type { FakeState } from './fake-bridge.ts'
import type { Screenshot } from './screenshot.ts'
import type { OfflineSlips } from '../../../electron/contract/offline.ts'

/** A code of a till. */
const code = 'K7Q2M0F2N6YKXYWY0007T10ZM4E1M3D0QX8V7WBN'

const offline = (offlineSlips: Partial<OfflineSlips> = {}): FakeState => ({
  state: {
    offlineSince: '2026-11-21T11:52:00.000Z',
    offlineSlips: { pointsLeft: 19_750, pointsOfSlip: 5000, obstacle: null, ...offlineSlips },
    business: {
      ...business,
      extensions: ['codes/1', 'offline-codes/1', 'redemptions/1', 'credits/1', 'returns/1']
    }
  }
})
const without = (obstacle: NonNullable<OfflineSlips['obstacle']>): FakeState =>
  offline({ obstacle, pointsLeft: 0, pointsOfSlip: 0 })
const own = (report: { readonly refusal: 'key-revoked' | 'above-day-limit' | null }, index: number) =>
  slip(index, {
    code,
    url: `HTTPS://POINTS.EXAMPLE/Q/${code}`,
    offline: { reportedAt: null, ...report }
  })

/** A till that makes slips while its service cannot be reached. */
export const OFFLINE_SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'offline-sale',
    case: offline(),
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await points(page, '250')
    }
  },
  {
    name: 'offline-printed',
    case: { ...offline(), code },
    steps: async (page) => {
      await points(page, '250')
      await print(page)
    }
  },
  {
    name: 'offline-credits-wait',
    case: { ...offline(), settings: { credits: { knownCustomers: 'credit', slip: false } } },
    steps: async (page) => {
      await choose(page, 'Eleni')
      await points(page, '40')
    }
  },
  { name: 'offline-found', case: { ...offline(), remembered: true }, steps: (page) => find(page, 'ni') },
  { name: 'offline-limit-reached', case: without('day-limit'), steps: (page) => points(page, '250') },
  { name: 'offline-stopped-by-owner', case: without('no-key') },
  { name: 'offline-key-ended', case: without('key-ended') },
  {
    name: 'offline-refused',
    case: { slips: [own({ refusal: 'key-revoked' }, 21), own({ refusal: 'above-day-limit' }, 22)] },
    steps: (page) => go(page, 'Slips')
  },
  {
    name: 'offline-details',
    case: { ...offline(), slips: [own({ refusal: null }, 21)] },
    steps: async (page) => {
      await go(page, 'Slips')
      await page.getByRole('list', { name: 'History' }).getByRole('button').nth(0).click()
    }
  }
]
