/** Takes samples of several things in turn, so that background load affects all of them. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Samples } from './line.ts'

/** Does the work once. Resolves with its cost in the line's unit. */
export type Take = () => number | Promise<number>

/** How often to measure. */
export interface Rounds {
  readonly rounds: number
  /** rounds before those that count */
  readonly warmUp: number
}

/** Takes each in turn, and the turns in turn: A B C, B C A, C A B … so that none always follows the same one. */
export async function inTurn<Name extends string>(
  { rounds, warmUp }: Rounds,
  takes: Readonly<Record<Name, Take>>
): Promise<Record<Name, number[]>> {
  const all = Object.entries<Take>(takes).map(([name, take]) => ({ name, take, samples: [] as number[] }))
  for (let round = -warmUp; round < rounds; round++) {
    const first = (round + warmUp) % all.length
    for (const { take, samples } of [...all.slice(first), ...all.slice(0, first)]) {
      const taken = await take()
      if (round >= 0) samples.push(taken)
    }
  }
  return Object.fromEntries(all.map(({ name, samples }) => [name, samples])) as Record<Name, number[]>
}

/** Takes ours and the baseline's in turn. */
export const sideBySide = (rounds: Rounds, ours: Take, baseline: Take): Promise<Samples> =>
  inTurn(rounds, { ours, baseline })

/** Milliseconds that some work takes. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** The longest time in which some work lets nothing else run, in ms. */
export async function longestBlock(work: () => unknown): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await wait(20)
  delay.reset()
  await work()
  await wait(20)
  delay.disable()
  return delay.max / 1e6
}
