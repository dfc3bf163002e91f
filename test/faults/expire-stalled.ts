/** Ends the time limit of a request when it waits for its response, whatever the speed of the machine. */
import { setTimeout as after } from 'node:timers/promises'
import type { FaultyNetwork } from '../support/faulty-network.ts'
import type { TillWorker } from './worker-pool.ts'

/** @param pending the call that sends the request */
export async function expireStalled(
  network: FaultyNetwork,
  till: TillWorker,
  pending: Promise<unknown>
): Promise<void> {
  const call = { isPending: true }
  const end = (): void => {
    call.isPending = false
  }
  pending.then(end, end)
  while (network.stalled === 0 && call.isPending) await after(10)
  // A call that has ended before has another outcome than the test expects.
  if (call.isPending) await till.ask('expire', null)
}
