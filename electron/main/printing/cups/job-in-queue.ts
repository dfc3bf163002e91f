/** A job in CUPS's hands. */
import { poll, type JobOnItsWay, type Standing, type TakenBack } from '../follow.ts'
import { JOB_STATE } from './attributes.ts'
import { IppRefused } from './ipp-client.ts'
import { judge } from './judge.ts'
import type { CupsQuestions } from './queues.ts'

/**
 * Takes a job back, by CUPS's own `cancel`: its library knows how a user shows the server whose job it is. Whether it
 * worked, the job itself tells.
 */
export type CancelJob = (queue: string, id: number) => Promise<void>

/** A server that went away is a hindrance: it may come back, and the job with it. */
function standingWithoutAnswer(error: unknown): Standing {
  if (!(error instanceof IppRefused)) throw error
  // A server that keeps no history forgets a job at its end, and how it ended with it: that is `unknown`.
  const hindrance = error.isGone ? 'print-system-down' : 'unknown'
  return { kind: 'under-way', hindrance, handedOver: true }
}

/** Job `id` of `queue`; `timeout` is for the answer to its cancelling, in milliseconds. */
export function createJobInQueue(
  { queue, id }: { readonly queue: string; readonly id: number },
  ask: CupsQuestions,
  cancel: CancelJob,
  timeout: number
): JobOnItsWay {
  return {
    async look() {
      try {
        return judge(await ask.job(id), await ask.queue(queue))
      } catch (error) {
        return standingWithoutAnswer(error)
      }
    },
    async takeBack(): Promise<TakenBack> {
      await cancel(queue, id)
      const end = await poll(async () => {
        const { state } = await ask.job(id).catch(() => ({ state: 0 }))
        return state >= JOB_STATE.cancelled ? state : null
      }, timeout)
      if (end === null) return 'unknown'
      return end === JOB_STATE.completed ? 'printed' : 'gone'
    }
  }
}
