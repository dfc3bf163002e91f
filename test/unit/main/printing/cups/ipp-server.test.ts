import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  readClientConfiguration,
  type ClientConfiguration
} from '../../../../../electron/main/printing/cups/client-configuration.ts'
import { IppError, IppServer } from '../../../../../electron/main/printing/cups/ipp-server.ts'
import {
  AUTHORITY_FILE,
  expired,
  otherHost,
  selfSigned,
  trusted,
  type Certificate
} from '../../../../support/certificates/index.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ipp-server-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Starts a server. Resolves with its client, and the headers of the requests that came. */
async function start(
  server: Server,
  configuration: Partial<ClientConfiguration>,
  listener: RequestListener = (_request, response) => response.end('answer')
) {
  const received: (string | undefined)[] = []
  server.on('request', (request, response) => {
    received.push(request.headers.authorization)
    listener(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const client = new IppServer(
    { kind: 'network', host: '127.0.0.1', port },
    {
      configuration: {
        ...(await readClientConfiguration({ HOME: folder, CUPS_SERVERROOT: folder })),
        certificateFolder: folder,
        ...configuration
      },
      environment: { CUPS_STATEDIR: folder }
    }
  )
  return { client, received }
}

const exchange = (client: IppServer): Promise<string> =>
  client.exchange('/', [Buffer.from('question')], 30_000).then(
    ({ status, body }) => `${String(status)} ${body.toString()}`,
    (error: unknown) => (error instanceof IppError ? error.reason : String(error))
  )

describe('an encrypted connection', () => {
  const KNOWN = 'localhost.crt'
  const known = (): Promise<string> => readFile(join(folder, KNOWN), 'utf8')
  /** Without the comment of its file. */
  const pem = ({ cert }: Certificate): string => new X509Certificate(cert).toString()
  const connect = (certificate: Certificate, configuration: Partial<ClientConfiguration> = {}) =>
    start(createServer(certificate), { encryption: 'always', ...configuration })

  test.each([
    ['of its own', selfSigned],
    ['for another name', otherHost],
    ['that has expired', expired]
  ])(
    'takes a certificate %s that it sees for the first time, and remembers it',
    async (_name, certificate) => {
      const { client } = await connect(certificate)
      expect(await exchange(client)).toBe('200 answer')
      expect(await known()).toBe(pem(certificate))
      expect(await exchange(client)).toBe('200 answer')
    }
  )

  test.each([
    ['that ends later', trusted, selfSigned, '200 answer'],
    ['that ends earlier', selfSigned, trusted, 'insecure'],
    ['that ends later, but is for another name', expired, otherHost, 'insecure']
  ])('is given another certificate %s', async (_name, before, now, expected) => {
    await writeFile(join(folder, KNOWN), pem(before))
    const { client, received } = await connect(now)
    expect(await exchange(client)).toBe(expected)
    expect(await known()).toBe(pem(expected === 'insecure' ? before : now))
    expect(received).toHaveLength(expected === 'insecure' ? 0 : 1)
  })

  test.each([
    ['is for another name', otherHost, { validateCertificates: true }],
    ['is new', selfSigned, { trustOnFirstUse: false }]
  ])('refuses a certificate that %s, if client.conf says so', async (_name, certificate, configuration) => {
    const { client, received } = await connect(certificate, configuration)
    expect(await exchange(client)).toBe('insecure')
    expect(received).toEqual([])
    await expect(known()).rejects.toThrow('ENOENT')
  })

  test('takes one that an authority vouches for, without remembering it', async () => {
    const authorities = getCACertificates('default')
    onTestFinished(() => setDefaultCACertificates(authorities))
    setDefaultCACertificates([await readFile(AUTHORITY_FILE, 'utf8')])
    const { client } = await connect(trusted, { trustOnFirstUse: false })
    expect(await exchange(client)).toBe('200 answer')
    await expect(known()).rejects.toThrow('ENOENT')
  })

  test('is not made with a server that knows none', async () => {
    const { client, received } = await start(createHttpServer(), { encryption: 'required' })
    expect(await exchange(client)).toBe('insecure')
    expect(received).toEqual([])
  })
})

describe('a server on this machine that asks who the user is', () => {
  const challenge: RequestListener = ({ headers }, response) => {
    if (headers.authorization === 'Local c0ffee') response.end('answer')
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="CUPS", Local trc="y"' }).end()
  }

  test('gets the certificate of the system, in the first request from then on', async () => {
    const { client, received } = await start(createHttpServer(), {}, challenge)
    await writeCertificate('c0ffee')
    expect(await exchange(client)).toBe('200 answer')
    expect(await exchange(client)).toBe('200 answer')
    expect(received).toEqual([undefined, 'Local c0ffee', 'Local c0ffee'])
  })

  test('gets the next certificate when CUPS has changed it', async () => {
    const { client, received } = await start(createHttpServer(), {}, challenge)
    await writeCertificate('0ld')
    expect(await exchange(client)).toBe('401 ')
    await writeCertificate('c0ffee')
    expect(await exchange(client)).toBe('200 answer')
    expect(received).toEqual([undefined, 'Local 0ld', 'Local 0ld', 'Local c0ffee'])
  })

  test('gets nothing from an account that may not read it', async () => {
    const { client, received } = await start(createHttpServer(), {}, challenge)
    expect(await exchange(client)).toBe('401 ')
    expect(received).toEqual([undefined])
  })

  async function writeCertificate(text: string): Promise<void> {
    await mkdir(join(folder, 'certs'), { recursive: true })
    await writeFile(join(folder, 'certs/0'), text)
  }
})
