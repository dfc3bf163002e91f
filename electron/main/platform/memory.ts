/** Memory that the till's processes no longer use. */
import { RELEASE_MEMORY_CHANNEL } from '../../contract/bridge.ts'
import { sendTo, tillWindow } from './windows.ts'

/**
 * Gives unused memory back to the system; call it while the till rests. After a busy hour V8 keeps up to 64 MB of it in
 * main and 30 MB in the page for as long as little is allocated, and so starts no collection by itself.
 * Rejects where Node has no inspector.
 */
export async function releaseMemory(): Promise<void> {
  sendTo(tillWindow(), RELEASE_MEMORY_CHANNEL, null)
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  // It answers when the collection has ended; a session that disconnects earlier cancels it.
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
