/** Runs in which an invariant was violated once, each in the shortest form that was found. */
import { expect, it } from 'vitest'
import {
  actOnBatch,
  actOnSlip,
  askForLost,
  backUp,
  issue,
  issueAgain,
  kill,
  openSecondTill,
  release,
  resolveAttention,
  restart,
  restore,
  setDelivery,
  setDisk,
  setPrinter,
  setService,
  startBatch
} from './commands.ts'
import { worldsForTests } from './run.ts'

const run = worldsForTests()

it('prints no code that the service reports as used', async () => {
  await run([setService('used-code'), issue(1, 1), startBatch(2, false)])
})

it('prints no code a second time when the service repeats it, at the counter or in a batch', async () => {
  await run([issue(1, 1), setService('repeat-code'), issue(1, 1), startBatch(2, false), startBatch(2, true)])
})

it('shows a slip that needs attention when the disk did not take the response, and works again', async () => {
  await run([setDisk('full-before-response'), issue(1, 1), setDisk('none'), issueAgain(0), kill()])
})

it('shows the slips of a batch that need attention when the disk did not take the responses', async () => {
  await run([
    setService('hold'),
    startBatch(4, false),
    setDisk('full-before-response'),
    release(),
    setDisk('none')
  ])
})

it('shows a slip that needs attention when the disk was full as its print job ended', async () => {
  await run([setDisk('full-before-outcome'), issue(1, 1), setDisk('none')])
  await run([setDisk('full-before-outcome'), startBatch(2, false), setDisk('none')])
  await run([setDisk('full-before-outcome'), startBatch(3, true), setDisk('none'), kill()])
})

it('prints the copies again that failed with the first printout', async () => {
  await run([
    setDelivery('print', false, true),
    setPrinter('not-printed'),
    issue(3, 1),
    setPrinter('none'),
    resolveAttention(0)
  ])
})

it('issues no code of a batch a second time after a backup was restored', async () => {
  await run([
    setService('lose-answer'),
    startBatch(4, false),
    setService('none'),
    backUp(),
    actOnBatch('resume-again', 0),
    restore(),
    actOnBatch('resume', 0),
    actOnBatch('resume-again', 0)
  ])
})

it('prints no slip a second time that was printed after the backup', async () => {
  await run([
    setPrinter('not-printed'),
    issue(1, 1),
    backUp(),
    setPrinter('none'),
    resolveAttention(0),
    restore(),
    resolveAttention(0),
    actOnSlip('print', 0),
    restart()
  ])
})

it('prints no slip a second time that was on the display before the backup and printed after it', async () => {
  await run([
    setDelivery('show', false, false),
    issue(1, 1),
    backUp(),
    actOnSlip('reprint', 0),
    restore(),
    actOnSlip('reprint', 0)
  ])
})

it('knows that a backup does not have the code of a request that is pending', async () => {
  await run([setService('hold'), issue(1, 1), backUp(), restore()])
})

it('ends no pending request of the first till when a second one opens on its folder', async () => {
  await run([
    setService('hold'),
    issue(1, 1),
    openSecondTill(),
    issue(1, 1, 1),
    release(),
    resolveAttention(0, 1)
  ])
})

it.each([
  ['an answer that was lost', [setService('lose-answer'), issue(1, 1)]],
  ['a service that failed after it made the code', [setService('fail'), issue(1, 2)]],
  ['a code of another slip', [issue(1, 1), setService('repeat-code'), issue(1, 1)]],
  ['a kill before the answer', [setService('hold'), issue(1, 1), kill()]],
  ['a batch that lost its answers', [setService('lose-answer'), startBatch(3, false)]],
  [
    'answers that the disk did not take',
    [setDisk('full-before-response'), issue(1, 1), setDisk('none'), kill()]
  ]
])('issues %s with its first code when it is asked again', async (_name, lost) => {
  const { reality } = await run([...lost, askForLost(), setService('none'), release(), askForLost()])
  expect([...reality.states.values()]).not.toContain('unknown')
  expect([...reality.stored.values()].sort()).toEqual([...reality.made.keys()].sort())
})
