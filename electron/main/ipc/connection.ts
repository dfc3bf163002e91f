/** Connecting a business to this till. */
import { ok, mapResult } from '../../contract/failure.ts'
import { parseBaseUrl, parseToken } from '../loyalty/index.ts'
import type { Answers } from '../platform/ipc.ts'
import { saveCandidate, type AccountReader, type ConnectionMemory, type Session } from '../session/index.ts'
import type { ToRenderer } from './to-renderer.ts'
import type { Standing } from './app-state.ts'

/** Answers the calls of `bridge.connection`. */
export function connectionAnswers<Service extends AccountReader, Sealed>(
  standing: Standing,
  session: Session<Service>,
  memory: ConnectionMemory<Sealed>,
  forPage: ToRenderer
): Answers['connection'] {
  return {
    async check({ baseUrl, token }) {
      const address = parseBaseUrl(baseUrl)
      if (!address.ok) return address
      const trimmed = parseToken(token)
      if (!trimmed.ok) return trimmed
      return mapResult(await session.check({ baseUrl: address.value, token: trimmed.value }), forPage.account)
    },
    async save({ acceptUnencrypted }) {
      const saved = await saveCandidate(session, memory, acceptUnencrypted)
      if (!saved.ok) return saved
      standing.changed()
      return ok(standing.state())
    },
    forget() {
      memory.forget()
      session.use(null)
      standing.changed()
      return Promise.resolve(ok(standing.state()))
    },
    async refresh() {
      return mapResult(await session.refresh(), () => standing.state())
    },
    async retryConnection() {
      await session.retryConnection()
      return ok(standing.state())
    }
  }
}
