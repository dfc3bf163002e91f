/** Worker thread: posts a JSON text with its large numbers kept. */
import { parentPort, workerData } from 'node:worker_threads'
import { keepLargeNumbers } from './large-numbers.ts'

parentPort?.postMessage(keepLargeNumbers(String(workerData)))
