/** Connections that are checked before they are saved. */
import { err, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { Credentials } from '../loyalty/credentials.ts'
import type { ServiceConnector } from './service-connector.ts'

/** A connection that was checked and is not saved yet. */
export interface Candidate {
  readonly credentials: Credentials
  readonly business: Account
}

/** The path of the API below the address that the project's own service shows, which has none itself. */
const API_PATH = 'api/'

/** Returns the credentials for the API below an address, if this answer to a request for the profile says that it has none. */
export function belowAddress(credentials: Credentials, answer: Result<Account>): Credentials | null {
  const hasApi = answer.ok || !['not-found', 'bad-response'].includes(answer.failure.kind)
  if (hasApi || new URL(credentials.baseUrl).pathname !== '/') return null
  return { ...credentials, baseUrl: new URL(API_PATH, credentials.baseUrl).href }
}

/** The connection that was checked last. */
export class Candidates {
  readonly #connector: Pick<ServiceConnector, 'connect'>
  #current: Candidate | null = null
  /** identifies the check that began last, and counts */
  #check: symbol | null = null

  constructor(connector: Pick<ServiceConnector, 'connect'>) {
    this.#connector = connector
  }

  /** The connection that was checked last, until it is saved. */
  get current(): Candidate | null {
    return this.#current
  }

  /**
   * Loads the profile for new credentials, which become the candidate. The page shows the check that began last: an earlier
   * one that answers later changes nothing, and fails with `aborted`, as one does that another connection overtook.
   * @param wanted a promise where they are asked for first
   */
  async check(wanted: Credentials | Promise<Result<Credentials>>): Promise<Result<Account>> {
    const check = Symbol('check')
    this.#check = check
    this.#current = null
    const typed = wanted instanceof Promise ? await wanted : ok(wanted)
    const answer = typed.ok ? await this.#read(typed.value) : typed
    if (this.#check !== check) return err({ kind: 'aborted' })
    if (!answer.ok) return answer
    this.#current = answer.value
    return ok(answer.value.business)
  }

  /** Forgets the candidate, and a check that runs: another connection is used. */
  clear(): void {
    this.#current = null
    this.#check = null
  }

  async #read(typed: Credentials): Promise<Result<Candidate>> {
    const read = async (credentials: Credentials): Promise<Result<Account>> =>
      this.#connector.connect(credentials).account()
    const first = await read(typed)
    const below = belowAddress(typed, first)
    const credentials = below ?? typed
    return mapResult(below === null ? first : await read(below), (business) => ({ credentials, business }))
  }
}
