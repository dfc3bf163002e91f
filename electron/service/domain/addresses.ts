/** Hosts that only one machine reaches. */

/** The name or the IP address in a URL. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Whether a host is the machine that asks for it. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Whether a host stands for all addresses of a machine, and leads other machines nowhere. */
export const isUnspecified = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Whether other machines can reach an origin. */
export const isReachable = (origin: URL): boolean => {
  const host = hostOf(origin)
  return !isLoopback(host) && !isUnspecified(host)
}
