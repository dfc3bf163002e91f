/** The socket that systemd keeps for the service. */
import { expect, it } from 'vitest'
import { inheritedSocket } from '../../../../electron/service/cli/inherited-socket.ts'

const own = String(process.pid)

it('takes the one socket that is for this process', () => {
  expect(inheritedSocket({ LISTEN_PID: own, LISTEN_FDS: '1' }, false)).toBe(3)
  expect(inheritedSocket({ LISTEN_PID: '1', LISTEN_FDS: '1' }, true)).toBeUndefined()
  expect(inheritedSocket({}, true)).toBeUndefined()
})

it('refuses several sockets, and an address beside the socket', () => {
  expect(() => inheritedSocket({ LISTEN_PID: own, LISTEN_FDS: '2' }, false)).toThrow(
    'serve listens on one socket, not on 2'
  )
  expect(() => inheritedSocket({ LISTEN_PID: own, LISTEN_FDS: '1' }, true)).toThrow(
    '--listen and --port: the address is that of the socket from systemd'
  )
})
