import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nextState, type SlipEvent } from '../../../../electron/main/journal/slip-table.ts'
import { canPrint, SLIP_STATES, type SlipState } from '../../../../electron/contract/slips.ts'

const STATES = SLIP_STATES
const EVENTS = [
  'issued',
  'refused',
  'answer-lost',
  'print-started',
  'printed',
  'print-failed',
  'shown',
  'given',
  'discarded',
  'withdrawn',
  'not-taken'
] as const

const steps: [SlipState, SlipEvent, SlipState][] = STATES.flatMap((from) =>
  EVENTS.flatMap((event) => {
    const to = nextState(from, event)
    return to === null ? [] : [[from, event, to] satisfies [SlipState, SlipEvent, SlipState]]
  })
)

describe('state machine of a slip', () => {
  it('has these transitions only', () => {
    expect(steps).toEqual([
      ['requested', 'issued', 'issued'],
      ['requested', 'refused', 'refused'],
      ['requested', 'answer-lost', 'unknown'],
      ['issued', 'print-started', 'printing'],
      ['issued', 'shown', 'shown'],
      ['issued', 'given', 'given'],
      ['issued', 'discarded', 'discarded'],
      ['printing', 'printed', 'printed'],
      ['printing', 'print-failed', 'print-failed'],
      ['printed', 'not-taken', 'discarded'],
      ['print-failed', 'print-started', 'printing'],
      ['print-failed', 'given', 'given'],
      ['print-failed', 'discarded', 'discarded'],
      ['unknown', 'issued', 'issued'],
      ['unknown', 'discarded', 'discarded'],
      ['shown', 'print-started', 'printing'],
      ['shown', 'not-taken', 'discarded'],
      ['given', 'withdrawn', 'discarded'],
      ['given', 'not-taken', 'discarded']
    ])
  })

  it('equals the diagram in the README', () => {
    const readme = readFileSync(
      new URL('../../../../electron/main/journal/README.md', import.meta.url),
      'utf8'
    )
    const drawn = Array.from(
      readme.matchAll(/^ {4}([a-z-]+) --> ([a-z-]+): ([a-z-]+)$/gm),
      ([, from, to, event]) => [from, event, to]
    )
    expect(drawn).toEqual(steps)
  })

  it('agrees with canPrint on the states that a first print can start in', () => {
    const printable = STATES.filter((state) => nextState(state, 'print-started') !== null)
    expect(STATES.filter((state) => canPrint({ state }))).toEqual(printable)
  })
})
