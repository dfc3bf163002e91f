import { expect, it, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { bridgeWith, slip } from '../support/bridge.ts'

it('the tour shows the sale that it explains, not a search or a registration', () => {
  const app = createAppContext(bridgeWith({}), { location: { hash: '' } } as unknown as Window)
  const { checkout, tour } = new BusinessContext(app)
  checkout.search.type('Maria')
  checkout.openRegistration()
  tour.start()
  expect(checkout.registration).toBeNull()
  expect(checkout.search.active).toBe(false)
})

it('unlocking the till reloads the attention list and repeats the searches that the lock rejected', async () => {
  let locked = false
  let waiting = ['a']
  const refused = err({ kind: 'locked', needs: 'cashier' })
  const bridge = bridgeWith({
    slips: {
      list: () => Promise.resolve(locked ? refused : ok({ slips: [slip('a')], hasMore: false })),
      attention: () => Promise.resolve(ok(waiting.length)),
      attentionList: () =>
        Promise.resolve(
          locked
            ? refused
            : ok({
                slips: waiting.map((id) => ({ slip: slip(id), action: 'print' as const })),
                hasMore: false
              })
        )
    },
    customers: {
      find: () =>
        Promise.resolve(
          locked
            ? refused
            : ok({ kind: 'customers', customers: [], page: 1, hasMore: false, phone: null } as const)
        )
    }
  })
  const app = createAppContext(bridge, { location: { hash: '' } } as unknown as Window)
  const businessContext = new BusinessContext(app)
  const stop = businessContext.attention.start()
  await businessContext.attention.load()

  locked = true
  waiting = ['b', 'a']
  bridge.sendSlip(slip('b'))
  businessContext.checkout.search.type('Maria')
  await businessContext.checkout.search.searchNow()
  await businessContext.slips.load()
  await vi.waitFor(() => {
    expect(businessContext.attention.list).toHaveLength(1)
  })
  expect(businessContext.checkout.search.request.failure).toEqual(refused.failure)
  expect(businessContext.slips.rows.failure).toEqual(refused.failure)

  locked = false
  businessContext.retryLockedReads()
  await vi.waitFor(() => {
    expect(businessContext.attention.list).toHaveLength(2)
  })
  expect(businessContext.checkout.search.request.failure).toBeNull()
  expect(businessContext.slips.rows.loadedRows).toHaveLength(1)
  stop()
})
