/** Questions to a CUPS server, in the till's words. All reject with `IppRefused`. */
import {
  jobOf,
  JOB_ATTRIBUTES,
  queuesOf,
  QUEUE_ATTRIBUTES,
  type CupsJob,
  type CupsQueue
} from './attributes.ts'
import { askIpp, IppRefused, OPERATION } from './ipp-client.ts'
import type { CupsServer } from './server.ts'

/** The path of a queue on its server. */
export const pathOfQueue = (name: string): string => `/printers/${encodeURIComponent(name)}`

/** What a path is called in a request; the server goes by the path. */
export const uriOf = (path: string): string => `ipp://localhost${path}`

const requested = (names: readonly string[]) => ['requested-attributes', 'keyword', names] as const

/** What a till asks a CUPS server; `timeout` in milliseconds for each answer. */
export function createCupsQuestions(server: CupsServer, timeout: number) {
  return {
    /** Every queue and class of this server. */
    async queues(): Promise<readonly CupsQueue[]> {
      const request = { operation: OPERATION.cupsGetPrinters, attributes: [requested(QUEUE_ATTRIBUTES)] }
      try {
        return queuesOf(await askIpp(server, '/', request, timeout))
      } catch (error) {
        // how a server without any queue answers
        if (error instanceof IppRefused && error.reason === 'not-found') return []
        throw error
      }
    },

    /** The name of the server's default queue, or null. */
    async defaultName(): Promise<string | null> {
      const request = { operation: OPERATION.cupsGetDefault, attributes: [requested(['printer-name'])] }
      try {
        return queuesOf(await askIpp(server, '/', request, timeout))[0]?.name ?? null
      } catch (error) {
        if (error instanceof IppRefused && error.reason === 'not-found') return null
        throw error
      }
    },

    /** One queue. `not-found` when there is none of this name. */
    async queue(name: string): Promise<CupsQueue> {
      const path = pathOfQueue(name)
      const request = {
        operation: OPERATION.getPrinterAttributes,
        attributes: [['printer-uri', 'uri', [uriOf(path)]], requested(QUEUE_ATTRIBUTES)] as const
      }
      const [queue] = queuesOf(await askIpp(server, path, request, timeout))
      if (queue === undefined) throw new IppRefused('other', 'An answer without a printer')
      return queue
    },

    /** One job by its number. `not-found` when the server forgot it. */
    async job(id: number): Promise<CupsJob> {
      const request = {
        operation: OPERATION.getJobAttributes,
        attributes: [['job-uri', 'uri', [uriOf(`/jobs/${id}`)]], requested(JOB_ATTRIBUTES)] as const
      }
      const job = jobOf(await askIpp(server, '/jobs/', request, timeout))
      if (job === null) throw new IppRefused('other', 'An answer without a job')
      return job
    }
  }
}

export type CupsQuestions = ReturnType<typeof createCupsQuestions>
