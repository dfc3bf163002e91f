/** The thread that papers are made in: a program of its own, started by `desk.ts` with the fonts' folder as its data. */
import { parentPort, workerData } from 'node:worker_threads'
import { copyOf, type Question, type Reply } from './messages.ts'
import { createPaperWork, type AnyPaperCall } from './work.ts'

const work: Readonly<Record<Question['call'], unknown>> = createPaperWork(String(workerData))
const reply = (value: Reply): void => parentPort?.postMessage(value)

parentPort?.on('message', ({ id, call, values }: Question) => {
  const make = work[call] as AnyPaperCall
  Promise.resolve(make(...values)).then(
    (value) => reply({ id, value }),
    (error: unknown) => reply({ id, error: copyOf(error) })
  )
})
