/** The practice service inside the till: opened when practice begins and not before, with no port open. */
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
  close(): void
}

/** @param file path of the practice data */
export function createPracticeDesk(file: string, onFault: (fault: unknown) => void): PracticeDesk {
  let opened: PracticeService | undefined
  let publicUrl: string | undefined
  return {
    async open() {
      // Loaded when first used: a till that never practises never pays for it.
      const practice = await import('./practice/index.ts')
      publicUrl = practice.PRACTICE_PUBLIC_URL
      opened ??= practice.createPracticeService({
        file,
        tokens: [practice.PRACTICE_TOKEN],
        publicUrl: practice.PRACTICE_PUBLIC_URL,
        onFault
      })
      const service = opened
      return {
        baseUrl: practice.PRACTICE_BASE_URL,
        token: practice.PRACTICE_TOKEN,
        fetch: (request) => service.fetch(request)
      }
    },
    owns: (link) => publicUrl !== undefined && link.startsWith(`${publicUrl}/`),
    close() {
      opened?.close()
    }
  }
}
