import { expect, it } from 'vitest'
import { issue, setDelivery, setPrinter } from './commands.ts'
import { violationsOf } from './invariants.ts'
import { worldsForTests } from './run.ts'
import { knownTransitions } from './state-machine.ts'
import type { Reality } from './reality.ts'
import type { World } from './world.ts'

const run = worldsForTests()

const CASES: readonly (readonly [string, (reality: Reality, world: World) => void])[] = [
  ['printoutsDiffer', ({ papers }) => papers.push(...papers)],
  ['storedCodesAreKept', ({ stored }) => stored.set('another intent', 'LOST')],
  ['requestsAreNotRepeated', (reality) => reality.addPost(1)],
  ['codesBelongToTheirRows', ({ made }) => made.clear()],
  ['batchesPrintNoMore', ({ batches }) => batches.set(1, { batchId: 'a batch', count: 0 })],
  ['onlyKnownTransitions', ({ transitions }) => transitions.add('printed --> issued')],
  ['statesTellWhatWasPrinted', ({ papers }) => papers.splice(0)],
  ['momentary', ({ violations }) => violations.push('Seen once')]
]

it.each(CASES)('%s can be violated', async (name, violate) => {
  let found: string[] = []
  await run([
    issue(1, 1),
    {
      check: () => true,
      run: (_cashier, world) => {
        expect(violationsOf(world, knownTransitions)).toEqual({})
        violate(world.reality, world)
        found = Object.keys(violationsOf(world, knownTransitions))
        return Promise.resolve()
      }
    }
  ])
  expect(found).toContain(name)
})

it('unfinishedNeedsAttention can be violated', async () => {
  let found: string[] = []
  await run([
    setDelivery('print', false, false),
    setPrinter('not-printed'),
    issue(1, 1),
    {
      check: () => true,
      run: async (_cashier, world) => {
        // A till that lists nothing.
        const [till] = world.tills
        Object.assign(till?.slips?.queries ?? {}, {
          attentionList: () => ({ ok: true, value: { slips: [], hasMore: false } })
        })
        found = Object.keys(violationsOf(world, knownTransitions))
        await world.settle()
      }
    }
  ])
  expect(found).toContain('unfinishedNeedsAttention')
})
