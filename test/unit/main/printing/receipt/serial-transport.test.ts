/** How serial ports fail that no pseudo-terminal can imitate. `test/printing/serial-printer.test.ts` has the rest. */
import type { autoDetect } from '@serialport/bindings-cpp'
import { EventEmitter } from 'node:events'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DEFAULT_SERIAL_OPTIONS } from '../../../../../electron/contract/printing.ts'
import { SerialTransport } from '../../../../../electron/main/printing/receipt/serial-transport.ts'

type SerialPort = Awaited<ReturnType<ReturnType<typeof autoDetect>['open']>>

const connection = { kind: 'serial', path: '/dev/ttyUSB0', ...DEFAULT_SERIAL_OPTIONS } as const

const missing = { ...connection, path: '/dev/no-such-port' } as const

/** A port that has this file descriptor and does nothing else. */
const fakePort = (fd: number) => {
  const port = {
    fd,
    isOpen: true,
    poller: new EventEmitter(),
    flush: vi.fn(() => Promise.resolve()),
    drain: vi.fn(() => Promise.resolve(undefined)),
    close: vi.fn(() => Promise.resolve())
  }
  return { port, asPort: port as unknown as SerialPort }
}

describe('opening a serial port', () => {
  it.each([
    ['Error Resource temporarily unavailable Cannot lock port', 'in-use'],
    ['Error Die Ressource ist zur Zeit nicht verfügbar Cannot lock port', 'in-use'],
    ['Opening COM3: Access denied', 'in-use'],
    ['Opening COM3: File not found', 'unreachable']
  ])('rejects for "%s" with %s', async (message, reason) => {
    const transport = new SerialTransport(missing, () => Promise.reject(new Error(message)))
    await expect(transport.open(60_000)).rejects.toMatchObject({ name: 'ConnectionLostError', reason })
  })

  it.each([
    ['EACCES', 'forbidden'],
    ['EBUSY', 'in-use'],
    ['ENOENT', 'unreachable']
  ])('rejects for the code %s with %s, whatever the language of the text', async (code, reason) => {
    const transport = new SerialTransport(
      connection,
      () => Promise.reject(new Error('Error: Das geht nicht, cannot open /dev/ttyUSB0')),
      () => Promise.reject(Object.assign(new Error(code), { code }))
    )
    await expect(transport.open(60_000)).rejects.toMatchObject({ name: 'ConnectionLostError', reason })
  })

  it('rejects as unreachable for a port that opens only without its settings', async () => {
    const close = vi.fn(() => Promise.resolve())
    const transport = new SerialTransport(
      connection,
      () => Promise.reject(new Error('Error: baud rate of 1 is not supported on your platform')),
      () => Promise.resolve({ close })
    )
    await expect(transport.open(60_000)).rejects.toMatchObject({ reason: 'unreachable' })
    expect(close).toHaveBeenCalledOnce()
  })

  it('gives up a Bluetooth printer that is not reached in time, and closes its port when it is', async () => {
    const { port, asPort } = fakePort(-1)
    const opening = Promise.withResolvers<SerialPort>()
    const transport = new SerialTransport(connection, () => opening.promise)
    await expect(transport.open(1)).rejects.toMatchObject({ reason: 'unreachable' })
    opening.resolve(asPort)
    await vi.waitFor(() => expect(port.close).toHaveBeenCalled())
  })
})

describe('an open serial port', () => {
  // A terminal without a second side has nothing to read and is not lost.
  const idleChannel = async () => {
    const file = await open('/dev/ptmx', constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY)
    onTestFinished(() => file.close())
    const { port, asPort } = fakePort(file.fd)
    const channel = await new SerialTransport(connection, () => Promise.resolve(asPort)).open(60_000)
    port.flush.mockClear()
    return { port, channel }
  }

  it.skipIf(process.platform !== 'linux')(
    'is flushed when all has left it, and discards nothing then',
    async () => {
      const { port, channel } = await idleChannel()
      const drained = Promise.withResolvers<undefined>()
      port.drain.mockReturnValue(drained.promise)
      const order: string[] = []
      const flushed = channel.flush().then(() => order.push('flushed'))
      await nextTurn()
      order.push('drained')
      drained.resolve(undefined)
      await flushed
      await channel.close()
      expect(order).toEqual(['drained', 'flushed'])
      expect(port.flush).not.toHaveBeenCalled()
    }
  )

  it.skipIf(process.platform !== 'linux')(
    'that is given up before discards what has not left it',
    async () => {
      const { port, channel } = await idleChannel()
      await channel.close()
      expect(port.flush).toHaveBeenCalledOnce()
    }
  )

  // Linux reads no bytes from a port that was pulled out, as from /dev/null.
  it.skipIf(process.platform === 'win32')(
    'is lost when it was pulled out while nothing was read',
    async () => {
      const file = await open('/dev/null')
      onTestFinished(() => file.close())
      const { port, asPort } = fakePort(file.fd)
      const channel = await new SerialTransport(connection, () => Promise.resolve(asPort)).open(60_000)
      await expect(channel.closed).rejects.toMatchObject({ reason: 'broken' })
      await vi.waitFor(() => expect(port.close).toHaveBeenCalled())
    }
  )
})

describe('the bytes per second of a line', () => {
  it.each([
    ['none', 960],
    ['even', 9600 / 11]
  ] as const)('count start, stop and parity bits (%s)', (parity, bytes) => {
    expect(new SerialTransport({ ...connection, baudRate: 9600, parity }).bytesPerSecond).toBe(bytes)
  })
})
