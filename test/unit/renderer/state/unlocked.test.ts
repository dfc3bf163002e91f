import { expect, it } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import { Places } from '../../../../renderer/src/state/places.svelte.ts'
import { Staff } from '../../../../renderer/src/state/staff.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { Workplace } from '../../../../renderer/src/state/workplace.svelte.ts'
import { bridgeWith, settle, slip } from '../support/bridge.ts'

it('what changed, and what was refused behind the lock, is read when the till is unlocked', async () => {
  let locked = false
  let waiting = ['a']
  const refused = err({ kind: 'locked', needs: 'cashier' })
  const bridge = bridgeWith({
    slips: {
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
  const answers = new Answers()
  const till = new Till(bridge, answers)
  const places = new Places({ location: { hash: '' } } as unknown as Window)
  const workplace = new Workplace({ bridge, answers, till, places, staff: new Staff(bridge, answers, till) })
  const stop = workplace.attention.start()
  await workplace.attention.load()

  locked = true
  waiting = ['b', 'a']
  bridge.sendSlip(slip('b'))
  workplace.counter.find.text = 'Maria'
  await workplace.counter.find.now()
  await settle()
  expect([workplace.attention.list?.length, workplace.counter.find.asking.failure]).toEqual([
    1,
    refused.failure
  ])

  locked = false
  workplace.unlocked()
  await settle()
  expect([workplace.attention.list?.length, workplace.counter.find.asking.failure]).toEqual([2, null])
  stop()
})
