/** The training service inside the till: opened when training begins and not before, with no port open. */
import { createLazy } from '../lazy.ts'
import type { LoyaltyPointsService } from '../../service/index.ts'

/** Training as the rest of the till sees it. */
export interface TrainingDesk {
  /** Where the service answers: its base address and token, and a fetch that never leaves this process. */
  open(): Promise<{
    readonly baseUrl: string
    readonly token: string
    readonly fetch: LoyaltyPointsService['fetch']
  }>
  /** True for links that only the training service can answer. */
  owns(link: string): boolean
  close(): Promise<void>
}

/** @param file path of the training data */
export function createTrainingDesk(file: string, onFault: (fault: unknown) => void): TrainingDesk {
  const training = createLazy(
    async () => {
      const room = await import('../../service/index.ts')
      const service = new room.LoyaltyPointsService({
        file,
        tokens: [room.TRAINING_TOKEN],
        publicUrl: room.TRAINING_PUBLIC_URL,
        onInternalError: onFault
      })
      return { ...room, service }
    },
    ({ service }) => service.close()
  )
  return {
    async open() {
      const { service, TRAINING_BASE_URL, TRAINING_TOKEN } = await training.use()
      return {
        baseUrl: TRAINING_BASE_URL,
        token: TRAINING_TOKEN,
        fetch: (request) => service.fetch(request)
      }
    },
    // Before it was opened it handed out no link.
    owns(link) {
      const { opened } = training
      return opened !== null && link.startsWith(`${opened.TRAINING_PUBLIC_URL}/`)
    },
    close: () => training.close()
  }
}
