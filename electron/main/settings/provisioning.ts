/** Provisioning from the environment: sets a till up without user input at its first start. */

export interface Provisioning {
  readonly baseUrl: string
  readonly token: string
}

/**
 * Returns `TILLPOINTS_BASE_URL` and `TILLPOINTS_TOKEN`, or null when one is missing or blank. Deletes the token from
 * `environment`, which the programs that print would inherit.
 */
export function takeProvisioning(environment: NodeJS.ProcessEnv): Provisioning | null {
  const baseUrl = environment['TILLPOINTS_BASE_URL']?.trim()
  const token = environment['TILLPOINTS_TOKEN']?.trim()
  delete environment['TILLPOINTS_TOKEN']
  return baseUrl && token ? { baseUrl, token } : null
}
