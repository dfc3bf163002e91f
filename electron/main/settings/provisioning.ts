/**
 * Setting a till up from the environment, without a question asked: chains install hundreds. Read once, at the
 * first start; later starts keep what the till has.
 */

/** What the environment asks for. */
export interface Provisioning {
  readonly baseUrl: string
  readonly token: string
}

/**
 * The pair from `TILLPOINTS_BASE_URL` and `TILLPOINTS_TOKEN`, or null when either is missing or blank. Takes the token
 * out of `environment`: programs that the till starts, to print, would get it with the rest.
 */
export function takeProvisioning(environment: NodeJS.ProcessEnv): Provisioning | null {
  const baseUrl = environment['TILLPOINTS_BASE_URL']?.trim()
  const token = environment['TILLPOINTS_TOKEN']?.trim()
  delete environment['TILLPOINTS_TOKEN']
  return baseUrl && token ? { baseUrl, token } : null
}
