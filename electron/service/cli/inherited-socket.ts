/** The listening socket that systemd keeps while the service restarts, so that connections wait: sd_listen_fds(3). */
import { InvalidArgumentsError } from './command.ts'

/** The first descriptor after the standard streams. */
const FIRST_DESCRIPTOR = 3

/**
 * Returns the descriptor of the socket; undefined when this process got none. Throws an `InvalidArgumentsError` for several,
 * and where options name an address, too.
 */
export const inheritedSocket = (
  { LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv,
  hasAddress: boolean
): number | undefined => {
  // A variable that another process left is for that one.
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== process.pid) return undefined
  if (LISTEN_FDS !== '1') throw new InvalidArgumentsError(`serve listens on one socket, not on ${LISTEN_FDS}`)
  if (hasAddress) {
    throw new InvalidArgumentsError(
      '--listen and --port: the address is that of the socket from systemd (systemctl edit tillpoints-service.socket)'
    )
  }
  return FIRST_DESCRIPTOR
}
