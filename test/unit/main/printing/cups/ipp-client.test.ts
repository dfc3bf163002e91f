import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createCupsQueues } from '../../../../../electron/main/printing/cups/index.ts'
import { askIpp, IppRefused, OPERATION } from '../../../../../electron/main/printing/cups/ipp-client.ts'
import { encodeRequest, GROUP } from '../../../../../electron/main/printing/cups/ipp-message.ts'
import { DEFAULT_TIMES, type PrintJob } from '../../../../../electron/main/printing/job.ts'
import { quietLog } from '../../../../support/quiet-log.ts'

const ANSWER_WITHIN = 2000

let open: Server | null = null
afterEach(() => {
  open?.closeAllConnections()
  open?.close()
  open = null
})

/** A print system of the test's own making. Gives where it listens. */
async function serve(listener: RequestListener): Promise<{ kind: 'network'; host: string; port: number }> {
  const server = createServer(listener)
  open = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { kind: 'network', host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

/** An answer of this status, and of a job where there is one; a request has the same form, its operation there. */
const answerOf = (status: number, job?: number): Buffer =>
  encodeRequest({
    operation: status,
    attributes: [],
    ...(job !== undefined && { job: [['job-id', 'integer', [job]]] })
  })

const ask = { operation: OPERATION.printJob, attributes: [] }
const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof IppRefused ? error.reason : error)
  )

test('a document comes right behind its request', async () => {
  const heard: Buffer[] = []
  const server = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => heard.push(chunk))
    request.on('end', () => response.end(answerOf(0)))
  })
  await askIpp(server, '/printers/Q', ask, ANSWER_WITHIN, Buffer.from('%PDF-1.7 slip'))
  const bytes = Buffer.concat(heard)
  const end = bytes.lastIndexOf(GROUP.end, -'%PDF-1.7 slip'.length - 1)
  expect(bytes.subarray(end + 1).toString()).toBe('%PDF-1.7 slip')
})

test.each([
  [0x0401, 'forbidden'],
  [0x0403, 'forbidden'],
  [0x0406, 'not-found'],
  [0x040a, 'unsupported-document'],
  [0x0506, 'not-accepting'],
  [0x0500, 'other']
])('status 0x%s is %s', async (status, reason) => {
  const server = await serve((_request, response) => response.end(answerOf(status)))
  expect(await reasonOf(askIpp(server, '/', ask, ANSWER_WITHIN))).toBe(reason)
})

test.each([
  ['hangs up', (request, response) => request.on('end', () => response.destroy()).resume()],
  [
    'hangs up in the middle of its answer',
    (_request, response) =>
      response.writeHead(200, { 'content-length': 99 }).write('x', () => response.destroy())
  ],
  ['says what is no IPP', (_request, response) => response.end('hello')],
  ['fails', (_request, response) => response.writeHead(500).end()],
  ['says nothing', (request) => request.resume()]
] as const satisfies readonly (readonly [string, RequestListener])[])(
  'a server that takes a job and then %s may have it: nobody says that it will not print',
  async (_name, listener) => {
    // The queue is fine; it is the job that is not answered.
    const server = await serve((request, response) => {
      const isJob =
        request.headers['content-length'] !== undefined && Number(request.headers['content-length']) > 1000
      if (isJob) listener(request, response)
      else response.end(Buffer.concat([answerOf(0).subarray(0, -1), Buffer.of(GROUP.printer, GROUP.end)]))
    })
    const queues = createCupsQueues({
      run: () => Promise.resolve({ code: 0, stdout: `127.0.0.1:${server.port}\n`, stderr: '' }),
      environment: {},
      times: { ...DEFAULT_TIMES, answer: ANSWER_WITHIN / 4 },
      log: quietLog
    })
    const job: PrintJob = {
      pdf: Buffer.from(`%PDF-1.7 ${'slip '.repeat(400)}`),
      title: 'Points slip',
      widthMillimetres: 80,
      heightMillimetres: 120
    }
    const answer = await queues.print(job, { kind: 'queue', name: 'Q' }, new AbortController().signal)
    expect(answer).toEqual({
      ok: false,
      failure: { kind: 'not-printed', fault: 'print-system-down', mayStillPrint: true }
    })
  }
)

test('where nobody listens it is down, and has nothing', async () => {
  const server = await serve(() => undefined)
  open?.close()
  expect(await reasonOf(askIpp(server, '/', ask, ANSWER_WITHIN))).toBe('down')
})
