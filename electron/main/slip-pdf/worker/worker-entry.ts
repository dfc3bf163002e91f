/** The process that papers are made in: a program of its own, started for `desk.ts` with the fonts' folder as its argument. */
import { setFlagsFromString } from 'node:v8'
import { copyOf, type Question, type Reply } from './messages.ts'
import { createPaperWork, type AnyPaperCall } from '../slip-pdf-renderer.ts'

// V8's own choice of room for what lives briefly is what a machine with memory to spare allows: after a few hundred slips
// that is a hundred megabytes more, for nothing that a slip needs.
setFlagsFromString('--semi-space-growth-factor=1')

const work: Readonly<Record<Question['call'], unknown>> = createPaperWork(String(process.argv[2]))
const reply = (value: Reply): void => process.parentPort.postMessage(value)

process.parentPort.on('message', ({ data }) => {
  // Only the desk, compiled from the same sources, has the other end.
  const { id, call, values } = data as Question
  const make = work[call] as AnyPaperCall
  Promise.resolve(make(...values)).then(
    (value) => reply({ id, value }),
    (error: unknown) => reply({ id, error: copyOf(error) })
  )
})
