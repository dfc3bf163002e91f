/**
 * Setting a till up from the environment, without a question asked: chains install hundreds. Read once, at the
 * first start; later starts keep what the till has.
 */

/** What the environment asks for. */
export interface Provisioning {
  readonly baseUrl: string
  readonly token: string
}

/** The pair from `TILLPOINTS_BASE_URL` and `TILLPOINTS_TOKEN`, or null when either is missing or blank. */
export function provisioningFrom(environment: NodeJS.ProcessEnv): Provisioning | null {
  const baseUrl = environment['TILLPOINTS_BASE_URL']?.trim()
  const token = environment['TILLPOINTS_TOKEN']?.trim()
  return baseUrl && token ? { baseUrl, token } : null
}
