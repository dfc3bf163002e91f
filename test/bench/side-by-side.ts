/** Measuring two things in turn, so that what the machine does meanwhile falls on both. */
import type { Samples } from './line.ts'

/** One measurement: does its work and tells what it took, in the line's unit. */
export type Take = () => number | Promise<number>

/** How often to measure. */
export interface Rounds {
  readonly rounds: number
  /** rounds before those that count */
  readonly warmUp: number
}

/** Takes ours and the baseline's in turn: A B, B A, A B … so that neither always follows the other. */
export async function sideBySide({ rounds, warmUp }: Rounds, ours: Take, baseline: Take): Promise<Samples> {
  const taken: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] }
  for (let round = -warmUp; round < rounds; round++) {
    const oursFirst = round % 2 === 0
    const first = oursFirst ? await ours() : await baseline()
    const second = oursFirst ? await baseline() : await ours()
    if (round < 0) continue
    taken.ours.push(oursFirst ? first : second)
    taken.baseline.push(oursFirst ? second : first)
  }
  return taken
}

/** Milliseconds that some work takes. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
