/** Connecting a business to this till. */
import { ok, mapResult } from '../../contract/failure.ts'
import { parseBaseUrl, parseToken } from '../loyalty/credentials.ts'
import type { Answers } from '../platform/ipc.ts'
import { saveCandidate, type ConnectionStore } from '../session/connection.ts'
import type { AccountClient, Session } from '../session/session.ts'
import type { ToRenderer } from './to-renderer.ts'
import type { Standing } from './app-state.ts'

/** Answers the calls of `bridge.connection`. */
export function connectionAnswers<Service extends AccountClient, Sealed>(
  standing: Standing,
  session: Session<Service>,
  memory: ConnectionStore<Sealed>,
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
