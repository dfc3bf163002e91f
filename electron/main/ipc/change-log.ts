/** What changed between two states of the till, for the log: the names of settings and the connection, no values. */
import type { TillState } from '../../contract/till.ts'
import { mask, type Details, type Log } from '../log/index.ts'

const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)

const connectionOf = ({ mode, accepted, baseUrl }: TillState): Details => ({
  mode,
  accepted,
  service: baseUrl === null ? null : mask(baseUrl)
})

/** Makes the telling of changes; the state that it is given first counts as the one before. */
export function createChangeLog(log: Log): (state: TillState) => void {
  let before: TillState | null = null
  return (state) => {
    const last = before
    before = state
    if (last === null || differ(connectionOf(last), connectionOf(state))) {
      log.info('connection', connectionOf(state))
    }
    if (last === null) return
    const settings = Object.entries(state.settings)
      .filter(([name, value]) => differ(value, Reflect.get(last.settings, name)))
      .map(([name]) => name)
    if (settings.length > 0) log.info('settings-changed', { settings })
  }
}
