/** The practice service inside the till: opened when practice begins and not before, with no port open. */
import { createLate } from './late.ts'
import type { PracticeService } from './practice/index.ts'

/** Practice as the rest of the till sees it. */
export interface PracticeDesk {
  /** Where the service answers: its base address and token, and a fetch that never leaves this process. */
  open(): Promise<{
    readonly baseUrl: string
    readonly token: string
    readonly fetch: PracticeService['fetch']
  }>
  /** True for links that only the practice service can answer. */
  owns(link: string): boolean
  close(): Promise<void>
}

/** @param file path of the practice data */
export function createPracticeDesk(file: string, onFault: (fault: unknown) => void): PracticeDesk {
  const practice = createLate(
    async () => {
      const room = await import('./practice/index.ts')
      const service = room.createPracticeService({
        file,
        tokens: [room.PRACTICE_TOKEN],
        publicUrl: room.PRACTICE_PUBLIC_URL,
        onFault
      })
      return { ...room, service }
    },
    ({ service }) => service.close()
  )
  return {
    async open() {
      const { service, PRACTICE_BASE_URL, PRACTICE_TOKEN } = await practice.use()
      return {
        baseUrl: PRACTICE_BASE_URL,
        token: PRACTICE_TOKEN,
        fetch: (request) => service.fetch(request)
      }
    },
    // Before it was opened it handed out no link.
    owns(link) {
      const { opened } = practice
      return opened !== null && link.startsWith(`${opened.PRACTICE_PUBLIC_URL}/`)
    },
    close: () => practice.close()
  }
}
