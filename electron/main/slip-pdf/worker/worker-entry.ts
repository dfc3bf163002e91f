/** Entry of the PDF worker, a utility process that `SlipPdfWorker` starts with the fonts' folder as its argument. */
import { SlipPdfRenderer } from '../slip-pdf-renderer.ts'
import { serializeError, type WorkerRequest, type WorkerResponse } from './slip-pdf-worker.ts'

const renderer = new SlipPdfRenderer(String(process.argv[2]))
const respond = (response: WorkerResponse): void => process.parentPort.postMessage(response)

process.parentPort.on('message', ({ data }) => {
  // The sender is `SlipPdfWorker`, compiled from the same sources: method and arguments match.
  const { id, method, args } = data as WorkerRequest
  const call = renderer[method].bind(renderer) as (...args: readonly unknown[]) => Promise<unknown>
  call(...args).then(
    (value) => respond({ id, value }),
    (error: unknown) => respond({ id, error: serializeError(error) })
  )
})
