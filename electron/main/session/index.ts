/** The till's session: which service it talks to, and how it came to that. */
export { Session, type AccountReader, type Credentials, type SessionMemory } from './session.ts'
export type { Watch } from './reachability.ts'
export { saveCandidate, type ConnectionMemory } from './connecting.ts'
export { resume } from './starting.ts'
export { RecentCustomers } from './recent-customers.ts'
