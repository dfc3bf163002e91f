/** An address that answers no connection, as that of a printer which is off: the system itself would refuse it. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

/** Connections that fill the queue of a server which takes none: one more than its length, which must be at least 1. */
const QUEUED = 2

/** Listens and never takes a connection, as its thread sleeps. */
const SLEEPER = `
const { parentPort, workerData } = require('node:worker_threads')
const server = require('node:net').createServer()
server.listen({ ...workerData, backlog: 1 }, () => {
  parentPort.postMessage('listening')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

/** Silences a free address. Resolves with what frees it again. */
export async function silenceAddress(host: string, port: number): Promise<() => Promise<void>> {
  const sleeper = new Worker(SLEEPER, { eval: true, workerData: { host, port } })
  await once(sleeper, 'message')
  const queued = Array.from({ length: QUEUED }, () => connect(port, host).on('error', () => undefined))
  await Promise.all(queued.map((socket) => once(socket, 'connect')))
  return async () => {
    for (const socket of queued) socket.destroy()
    await sleeper.terminate()
  }
}
