import fc from 'fast-check'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { CupsPrinting } from '../../../../../electron/main/printing/cups/cups-printing.ts'
import {
  decodeResponse,
  encodeRequest,
  GROUP,
  MalformedIppError,
  OPERATION,
  sendIppRequest
} from '../../../../../electron/main/printing/cups/ipp.ts'
import { IppError, IppServer } from '../../../../../electron/main/printing/cups/ipp-server.ts'
import { readClientConfiguration } from '../../../../../electron/main/printing/cups/client-configuration.ts'
import {
  DEFAULT_TIMEOUTS,
  type PrintJob,
  type PrintResult
} from '../../../../../electron/main/printing/print-job.ts'
import { noOpLogger } from '../../../../support/no-op-logger.ts'
import { controlTimeLimit } from '../../../../support/time-limit.ts'

/** For tests that hang, in ms. */
const ANSWER_WITHIN = 30_000

let open: Server | null = null
afterEach(() => {
  open?.closeAllConnections()
  open?.close()
  open = null
})

/** A print system of the test's own making. Gives the port where it listens. */
async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  open = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const serve = async (listener: RequestListener): Promise<IppServer> =>
  new IppServer(
    { kind: 'network', host: '127.0.0.1', port: await listen(listener) },
    {
      configuration: await readClientConfiguration({ HOME: '/nonexistent', CUPS_SERVERROOT: '/nonexistent' }),
      environment: {}
    }
  )

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
    (error: unknown) => (error instanceof IppError ? error.reason : error)
  )

test('a document comes right behind its request', async () => {
  const chunks: Buffer[] = []
  const server = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => response.end(answerOf(0)))
  })
  await sendIppRequest(server, '/printers/Q', ask, ANSWER_WITHIN, Buffer.from('%PDF-1.7 slip'))
  const bytes = Buffer.concat(chunks)
  const end = bytes.lastIndexOf(GROUP.end, -'%PDF-1.7 slip'.length - 1)
  expect(bytes.subarray(end + 1).toString()).toBe('%PDF-1.7 slip')
})

/** An answer of this status, with the words of the server. */
const refusalOf = (status: number, message: string): Buffer =>
  encodeRequest({ operation: status, attributes: [['status-message', 'nameWithoutLanguage', [message]]] })

test.each([
  [0x0401, 'client-error-forbidden', 'forbidden'],
  [0x0402, 'client-error-not-authenticated', 'forbidden'],
  [0x0403, 'Not allowed to print.', 'forbidden'],
  [0x0404, 'Quota limit reached.', 'quota'],
  [0x0404, 'Too many active jobs.', 'too-many-jobs'],
  [0x0404, 'Something else.', 'other'],
  [0x0406, 'The printer or class does not exist.', 'not-found'],
  [0x040a, 'Unsupported document-format.', 'unsupported-document'],
  [0x0411, 'client-error-document-format-error', 'unsupported-document'],
  [0x041b, 'client-error-document-unprintable', 'unsupported-document'],
  [0x041c, 'client-error-account-info-needed', 'forbidden'],
  [0x041d, 'client-error-account-closed', 'forbidden'],
  [0x041e, 'client-error-account-limit-reached', 'quota'],
  [0x041f, 'client-error-account-authorization-failed', 'forbidden'],
  [0x0500, 'Unable to add job.', 'other'],
  [0x0502, 'server-error-service-unavailable', 'down'],
  [0x0505, 'server-error-temporary-error', 'busy'],
  [0x0506, 'Destination is not accepting jobs.', 'not-accepting'],
  [0x0507, 'server-error-busy', 'busy'],
  [0x050a, 'server-error-printer-is-deactivated', 'not-accepting'],
  [0x050b, 'server-error-too-many-jobs', 'too-many-jobs']
])('status %i, %s, is %s', async (status, message, reason) => {
  const server = await serve((_request, response) => response.end(refusalOf(status, message)))
  expect(await reasonOf(sendIppRequest(server, '/', ask, ANSWER_WITHIN))).toBe(reason)
})

const attribute = (tag: number, name: string, value: Buffer): Buffer => {
  const length = (of: number): Buffer => Buffer.of(of >> 8, of & 0xff)
  return Buffer.concat([Buffer.of(tag), length(name.length), Buffer.from(name), length(value.length), value])
}
const text = (value: string): Buffer => Buffer.from(value, 'utf8')
const head = Buffer.of(2, 0, 0x00, 0x01, 0, 0, 0, 1)

/** The attribute of a queue that takes rolls of any width and length. */
const ANY_SIZE = Buffer.concat([
  attribute(0x34, 'media-size-supported', Buffer.alloc(0)),
  ...['x-dimension', 'y-dimension'].flatMap((dimension) => [
    attribute(0x4a, '', text(dimension)),
    attribute(0x33, '', Buffer.of(0, 0, 0, 0, 0, 0xff, 0xff, 0xff))
  ]),
  attribute(0x37, '', Buffer.alloc(0))
])

/** Prints on a server whose queue is fine, and which handles the request with the job by `listener`. */
async function printOn(listener: RequestListener): Promise<PrintResult> {
  const port = await listen((request, response) => {
    const isJob =
      request.headers['content-length'] !== undefined && Number(request.headers['content-length']) > 1000
    if (isJob) listener(request, response)
    else
      response.end(
        Buffer.concat([answerOf(0).subarray(0, -1), Buffer.of(GROUP.printer), ANY_SIZE, Buffer.of(GROUP.end)])
      )
  })
  const queues = new CupsPrinting({
    exec: () => Promise.resolve({ code: 0, stdout: `127.0.0.1:${String(port)}\n`, stderr: '' }),
    environment: {},
    timeouts: { ...DEFAULT_TIMEOUTS, response: ANSWER_WITHIN },
    log: noOpLogger
  })
  const job: PrintJob = {
    pdf: Buffer.from(`%PDF-1.7 ${'slip '.repeat(400)}`),
    title: 'Points slip',
    widthMillimetres: 80,
    heightMillimetres: 120
  }
  return queues.print(
    job,
    { kind: 'queue', name: 'Q' },
    {
      signal: new AbortController().signal,
      hindered: () => undefined
    }
  )
}

const mayStillPrint = {
  ok: false,
  failure: { kind: 'not-printed', fault: 'print-system-down', mayStillPrint: true }
}

test.each([
  ['hangs up', (request, response) => request.on('end', () => response.destroy()).resume()],
  [
    'hangs up in the middle of its answer',
    (_request, response) =>
      response.writeHead(200, { 'content-length': 99 }).write('x', () => response.destroy())
  ],
  ['says what is no IPP', (_request, response) => response.end('hello')],
  ['fails', (_request, response) => response.writeHead(500).end()]
] as const satisfies readonly (readonly [string, RequestListener])[])(
  'a server that accepts a job and then %s may still print it',
  async (_name, listener) => {
    expect(await printOn(listener)).toEqual(mayStillPrint)
  }
)

test.each([
  ['Unable to add\n job for\u0000 destination "Q".', 'Unable to add job for destination "Q".'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['', 'IPP status 0x0500']
])('another refusal is told in the words of the server: %o', async (message, said) => {
  const answer = message === '' ? answerOf(0x0500) : refusalOf(0x0500, message)
  const result = printOn((request, response) => request.on('end', () => response.end(answer)).resume())
  expect(await result).toEqual({
    ok: false,
    failure: { kind: 'not-printed', fault: 'unknown', mayStillPrint: false, said }
  })
})

test('a refusal by HTTP is told by its status', async () => {
  const result = printOn((request, response) =>
    request.on('end', () => response.writeHead(413).end()).resume()
  )
  expect(await result).toMatchObject({
    failure: { fault: 'unknown', mayStillPrint: false, said: 'HTTP 413' }
  })
})

test('a server that accepts a job and then says nothing may still print it', async () => {
  const [ofQueue, ofDriver, ofJob] = [controlTimeLimit(), controlTimeLimit(), controlTimeLimit()]
  const result = printOn((request) => request.on('end', () => ofJob.expire()).resume())
  expect(await result).toEqual(mayStillPrint)
  expect([ofQueue.ms, ofDriver.ms, ofJob.ms]).toEqual([ANSWER_WITHIN, ANSWER_WITHIN, ANSWER_WITHIN])
})

test('without a server it is down', async () => {
  const server = await serve(() => undefined)
  open?.close()
  expect(await reasonOf(sendIppRequest(server, '/', ask, ANSWER_WITHIN))).toBe('down')
})

test('a response that does not end is refused', async () => {
  const server = await serve((_request, response) => {
    const chunk = Buffer.alloc(1_000_000)
    const write = (): void => {
      while (response.write(chunk));
      response.once('drain', write)
    }
    write()
  })
  const request = { operation: OPERATION.cupsGetPrinters, attributes: [] }
  const refused = await sendIppRequest(server, '/', request, ANSWER_WITHIN).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(IppError)
  expect(refused).toMatchObject({ cause: { message: 'The response is too long' } })
})

describe('a request', () => {
  test('is the bytes of RFC 8010', () => {
    const bytes = encodeRequest({
      operation: 0x000b,
      attributes: [
        ['printer-uri', 'uri', ['ipp://localhost/printers/Q']],
        ['requested-attributes', 'keyword', ['printer-name', 'printer-state']],
        ['job-id', 'integer', [258]]
      ]
    })
    expect(bytes.toString('hex')).toBe(
      Buffer.concat([
        // version 2.0, Get-Printer-Attributes, request 1, operation attributes
        Buffer.of(2, 0, 0, 0x0b, 0, 0, 0, 1, GROUP.operation),
        attribute(0x47, 'attributes-charset', text('utf-8')),
        attribute(0x48, 'attributes-natural-language', text('en')),
        attribute(0x45, 'printer-uri', text('ipp://localhost/printers/Q')),
        attribute(0x44, 'requested-attributes', text('printer-name')),
        attribute(0x44, '', text('printer-state')),
        attribute(0x21, 'job-id', Buffer.of(0, 0, 1, 2)),
        Buffer.of(GROUP.end)
      ]).toString('hex')
    )
  })
})

describe('a request that makes a job', () => {
  test('has the job’s attributes in a group of their own', () => {
    const bytes = encodeRequest({
      operation: 0x0002,
      attributes: [['document-format', 'mimeMediaType', ['application/pdf']]],
      job: [
        ['copies', 'integer', [2]],
        ['print-quality', 'enum', [5]],
        ['fit-to-page', 'boolean', [false]],
        ['page-ranges', 'rangeOfInteger', [{ from: 1, to: 9 }]],
        ['PageSize', 'nameWithoutLanguage', ['A6']]
      ]
    })
    const jobGroup = Buffer.concat([
      attribute(0x49, 'document-format', text('application/pdf')),
      Buffer.of(GROUP.job),
      attribute(0x21, 'copies', Buffer.of(0, 0, 0, 2)),
      attribute(0x23, 'print-quality', Buffer.of(0, 0, 0, 5)),
      attribute(0x22, 'fit-to-page', Buffer.of(0)),
      attribute(0x33, 'page-ranges', Buffer.of(0, 0, 0, 1, 0, 0, 0, 9)),
      attribute(0x42, 'PageSize', text('A6')),
      Buffer.of(GROUP.end)
    ])
    expect(bytes.toString('hex').endsWith(jobGroup.toString('hex'))).toBe(true)
  })
})

describe('an answer', () => {
  test('gives its groups, with every value of an attribute', () => {
    const answer = decodeResponse(
      Buffer.concat([
        head,
        Buffer.of(GROUP.operation),
        attribute(0x47, 'attributes-charset', text('utf-8')),
        Buffer.of(GROUP.printer),
        attribute(0x42, 'printer-name', text('Καφές')),
        attribute(0x44, 'printer-state-reasons', text('paused')),
        attribute(0x44, '', text('media-empty-error')),
        attribute(0x23, 'printer-state', Buffer.of(0, 0, 0, 5)),
        attribute(0x22, 'printer-is-accepting-jobs', Buffer.of(0)),
        Buffer.of(GROUP.printer),
        attribute(0x42, 'printer-name', text('Second')),
        Buffer.of(GROUP.end)
      ])
    )
    expect(answer.status).toBe(1)
    expect(answer.groups.map(({ tag }) => tag)).toEqual([GROUP.operation, GROUP.printer, GROUP.printer])
    expect(Object.fromEntries(answer.groups[1]?.attributes ?? [])).toEqual({
      'printer-name': ['Καφές'],
      'printer-state-reasons': ['paused', 'media-empty-error'],
      'printer-state': [5],
      'printer-is-accepting-jobs': [false]
    })
    expect(answer.groups[2]?.attributes.get('printer-name')).toEqual(['Second'])
  })

  test('reads a text that names its language', () => {
    const value = Buffer.concat([Buffer.of(0, 2), text('de'), Buffer.of(0, 6), text('Kasse1')])
    const answer = decodeResponse(
      Buffer.concat([
        head,
        Buffer.of(GROUP.printer),
        attribute(0x35, 'printer-info', value),
        Buffer.of(GROUP.end)
      ])
    )
    expect(answer.groups[0]?.attributes.get('printer-info')).toEqual(['Kasse1'])
  })

  test('reads collections, nested ones and ranges too, and what is around them', () => {
    const answer = decodeResponse(
      Buffer.concat([
        head,
        Buffer.of(GROUP.printer),
        attribute(0x42, 'printer-name', text('Q')),
        attribute(0x34, 'media-col-database', Buffer.alloc(0)),
        attribute(0x4a, '', text('media-size')),
        attribute(0x34, '', Buffer.alloc(0)),
        attribute(0x4a, '', text('x-dimension')),
        attribute(0x21, '', Buffer.of(0, 0, 31, 64)),
        attribute(0x4a, '', text('y-dimension')),
        attribute(0x33, '', Buffer.of(0, 0, 0, 9, 0, 0, 1, 0)),
        attribute(0x37, '', Buffer.alloc(0)),
        attribute(0x37, '', Buffer.alloc(0)),
        attribute(0x34, '', Buffer.alloc(0)),
        attribute(0x37, '', Buffer.alloc(0)),
        attribute(0x41, 'printer-info', text('At the counter')),
        Buffer.of(GROUP.end)
      ])
    )
    const size = new Map<string, unknown>([
      ['x-dimension', [8000]],
      ['y-dimension', [{ from: 9, to: 256 }]]
    ])
    expect(answer.groups[0]?.attributes).toEqual(
      new Map<string, unknown>([
        ['printer-name', ['Q']],
        [
          'media-col-database',
          [{ members: new Map([['media-size', [{ members: size }]]]) }, { members: new Map() }]
        ],
        ['printer-info', ['At the counter']]
      ])
    )
  })

  test('is malformed when collections lie in each other without end', () => {
    const collection = attribute(0x34, 'a', Buffer.alloc(0))
    const bytes = Buffer.concat([head, Buffer.of(GROUP.printer), ...Array<Buffer>(200_000).fill(collection)])
    expect(() => decodeResponse(bytes)).toThrow(MalformedIppError)
  })

  test('is malformed or read, never anything else, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(decodeResponse(Buffer.from(bytes)).status).toBeTypeOf('number')
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedIppError)
        }
      })
    )
  })

  test('is malformed when it ends early', () => {
    const whole = Buffer.concat([
      head,
      Buffer.of(GROUP.printer),
      attribute(0x42, 'printer-name', text('Q')),
      Buffer.of(GROUP.end)
    ])
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeResponse(whole.subarray(0, length))).toThrow(MalformedIppError)
    }
  })
})
