/** Worker thread: posts the key that scrypt derives, as base64. */
import { type ScryptOptions, scryptSync } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

export interface Derivation {
  readonly pin: string
  readonly salt: Uint8Array
  readonly keyBytes: number
  readonly options: ScryptOptions
}

const { pin, salt, keyBytes, options } = workerData as Derivation
parentPort?.postMessage(scryptSync(pin, salt, keyBytes, options).toString('base64'))
