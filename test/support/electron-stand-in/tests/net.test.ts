import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../loopback.ts'
import { AUTHORITY, CERTIFICATES } from './certificates.ts'
import { FixtureApp } from './fixture-app.ts'

describe('net.fetch and net.request', () => {
  let app: FixtureApp
  let running: ElectronApplication
  const servers: Server[] = []
  const received: Record<string, string | undefined>[] = []

  async function listen(server: Server): Promise<number> {
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    return (server.address() as AddressInfo).port
  }

  let web = ''
  beforeAll(async () => {
    const port = await listen(
      createServer((request, response) => {
        const { url = '', headers } = request
        received.push({ url, agent: headers['user-agent'] })
        if (url === '/there') response.writeHead(302, { location: '/here' }).end()
        else if (url === '/short')
          response.writeHead(200, { 'content-length': '100' }).write('half', () => request.socket.destroy())
        else if (url === '/slow') response.writeHead(200).write('half')
        else if (url === '/empty') response.writeHead(204).end()
        else response.writeHead(201, 'Made', { 'x-own': 'yes' }).end('body')
      })
    )
    web = `http://127.0.0.1:${port}`
    app = new FixtureApp({ main: 'app.whenReady()' })
    const authority = join(app.folder, 'authority.pem')
    writeFileSync(authority, AUTHORITY)
    running = await app.launch({ env: { NODE_EXTRA_CA_CERTS: authority } })
  })
  afterAll(async () => {
    await running.close()
    app.remove()
    for (const server of servers) server.close()
  })

  /** Fetches in the main process. @returns status, text and some facts, or the error as text */
  const fetchInMain = (url: string, init: RequestInit = {}): Promise<unknown> =>
    running.evaluate(
      ({ net }, [address, options]) =>
        net.fetch(address, options as RequestInit).then(
          async (response) => [response.status, response.url, await response.text().catch(String)],
          (error: unknown) => `${String(error)}${(error as Error).cause ? ' with a cause' : ''}`
        ),
      [url, init] as const
    )

  it('returns a response with an empty url', async () => {
    expect(await fetchInMain(`${web}/x`)).toEqual([201, '', 'body'])
    expect(await fetchInMain(`${web}/empty`)).toEqual([204, '', ''])
    expect(received.at(-1)?.['agent']).toMatch(/FixtureShop\/1\.2\.3 .*Electron\//)
  })

  it('follows no redirect', async () => {
    expect(await fetchInMain(`${web}/there`, { redirect: 'manual' })).toBe('Error: Redirect was cancelled')
    expect(await fetchInMain(`${web}/there`, { redirect: 'error' })).toBe(
      "Error: Attempted to redirect, but redirect policy was 'error'"
    )
    expect(await fetchInMain(`${web}/there`)).toContain(
      'net.fetch that follows a redirect is not implemented'
    )
    expect(received.map(({ url }) => url)).not.toContain('/here')
  })

  it('has a network, which a machine with loopback alone may not have', async () => {
    expect(await running.evaluate(({ net }) => net.isOnline())).toBe(true)
  })

  it('refuses own schemes and files', async () => {
    expect(await fetchInMain('app://shop/')).toContain('net.fetch of app: is not implemented')
    expect(await fetchInMain('file:///etc/hostname')).toContain('net.fetch of file: is not implemented')
  })

  it('rejects with plain errors that carry Chromium’s names', async () => {
    const refused = await freePort()
    const silent = await listen(createTcpServer((socket) => socket.once('data', () => socket.end())))
    const rude = await listen(
      createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    )
    const babbling = await listen(
      createTcpServer((socket) => socket.once('data', () => socket.end('what?\r\n\r\n')))
    )
    expect(await fetchInMain(`http://127.0.0.1:${refused}/`)).toBe('Error: net::ERR_CONNECTION_REFUSED')
    expect(await fetchInMain(`http://127.0.0.1:${silent}/`)).toBe('Error: net::ERR_EMPTY_RESPONSE')
    expect(await fetchInMain(`http://127.0.0.1:${rude}/`)).toBe('Error: net::ERR_CONNECTION_RESET')
    expect(await fetchInMain(`http://127.0.0.1:${babbling}/`)).toBe('Error: net::ERR_INVALID_HTTP_RESPONSE')
    expect(await fetchInMain('http://no-such-host.invalid/')).toBe('Error: net::ERR_NAME_NOT_RESOLVED')
    expect(await fetchInMain(`${web}/short`)).toEqual([200, '', 'Error: net::ERR_CONTENT_LENGTH_MISMATCH'])
  })

  it.each(CERTIFICATES)('refuses a certificate that is $fault', async ({ key, cert, host, error }) => {
    const port = await listen(createTlsServer({ key, cert }, (_request, response) => response.end('secret')))
    expect(await fetchInMain(`https://${host}:${port}/`)).toBe(`Error: net::${error}`)
  })

  it('rejects an aborted call with the signal’s reason, and its body with an AbortError', async () => {
    const reasons = await running.evaluate(async ({ net }, address) => {
      const name = (error: Error): string => error.name
      const late = new AbortController()
      const response = await net.fetch(`${address}/slow`, { signal: late.signal })
      const body = response.text().catch(name)
      late.abort(new RangeError('late'))
      const early = new AbortController()
      const call = net.fetch(`${address}/x`, { signal: early.signal }).then(String, name)
      early.abort(new RangeError('early'))
      return [
        await body,
        await call,
        await net.fetch(`${address}/x`, { signal: AbortSignal.abort() }).then(String, name)
      ]
    }, web)
    expect(reasons).toEqual(['AbortError', 'RangeError', 'AbortError'])
  })

  it('ends what is under way when its session closes all connections, and goes on', async () => {
    const ended = await running.evaluate(async ({ net, session }, address) => {
      const lane = session.fromPartition('lane', { cache: false })
      const read = await net.fetch(`${address}/slow`)
      const written = await lane.fetch(`${address}/slow`, { method: 'POST' })
      const bodies = [read, written].map((response) => response.text().catch(String))
      await session.defaultSession.closeAllConnections()
      const first = await bodies[0]
      await lane.closeAllConnections()
      return [first, await bodies[1], await net.fetch(`${address}/x`).then(({ status }) => status)]
    }, web)
    expect(ended).toEqual(['Error: net::ERR_ABORTED', 'Error: net::ERR_ABORTED', 201])
  })

  /** Requests a path through net.request in the main process, with a session. @returns what happened, in order */
  const requestInMain = (
    path: string,
    {
      follows = false,
      abortAfter = 0,
      ...options
    }: { redirect?: string; follows?: boolean; abortAfter?: number } = {}
  ): Promise<string[]> =>
    running.evaluate(
      ({ net, session }, [base, given, goesOn, patience]) => {
        const { protocol, hostname, port, pathname } = new URL(base)
        const headers = { 'User-Agent': 'asker' }
        const guarded = session.fromPartition('guarded', { cache: false })
        const happened: string[] = []
        const send = (target: string): Promise<string[]> =>
          new Promise((resolve) => {
            const options = {
              protocol: protocol as 'http:',
              hostname,
              port: Number(port),
              path: target,
              headers,
              session: guarded
            }
            const request = net.request({ ...options, ...(given as object) })
            request.on('redirect', (status, method, url) => {
              happened.push(`redirect ${status} ${method} ${new URL(url).pathname}`)
              if (!goesOn) return
              request.abort()
              void send(new URL(url).pathname).then(resolve)
            })
            request.on('response', (response) => {
              const { statusCode, statusMessage, headers: received, rawHeaders } = response
              happened.push(`response ${statusCode} ${statusMessage} ${String(received['x-own'])}`)
              if (rawHeaders.includes('x-own')) happened.push('raw')
              let text = ''
              response.on('data', (chunk) => (text += String(chunk)))
              response.on('end', () => happened.push(`end ${text}`))
              response.on('error', (error: Error) => happened.push(`body ${error.message}`))
              if (patience > 0) setTimeout(() => request.abort(), patience)
            })
            request.on('abort', () => happened.push('abort'))
            request.on('error', (error) => happened.push(error.message))
            request.on('close', () => {
              happened.push('close')
              // The request to the target is still to end.
              if (!goesOn || target === '/here') setTimeout(() => resolve(happened), 20)
            })
            request.end()
          })
        return send(pathname)
      },
      [`${web}${path}`, options, follows, abortAfter] as const
    )

  it('answers net.request with a head and a stream', async () => {
    expect(await requestInMain('/x')).toEqual(['response 201 Made yes', 'raw', 'end body', 'close'])
    expect(received.at(-1)).toMatchObject({ url: '/x', agent: 'asker' })
  })

  it.each(['follow', 'manual'])(
    'emits redirect, whose listener aborts and asks anew, with the policy %s',
    async (redirect) => {
      const happened = await requestInMain('/there', { redirect, follows: true })
      expect(happened.slice(0, 2)).toEqual(['redirect 302 GET /here', 'abort'])
      expect(happened).toContain('end body')
    }
  )

  it('cancels a manual redirect that no listener handles', async () => {
    expect(await requestInMain('/there', { redirect: 'manual' })).toEqual([
      'redirect 302 GET /here',
      'Redirect was cancelled',
      'close'
    ])
  })

  it('fails net.request in the middle of an answer by Chromium’s names', async () => {
    const broken = await requestInMain('/short')
    expect(broken[0]).toMatch(/^response 200/)
    expect(broken.slice(1).sort()).toEqual([
      'body net::ERR_CONTENT_LENGTH_MISMATCH',
      'close',
      'net::ERR_CONTENT_LENGTH_MISMATCH'
    ])
  })

  it('ends an aborted net.request without an error', async () => {
    const aborted = await requestInMain('/slow', { abortAfter: 50 })
    expect(aborted[0]).toBe('response 200 OK undefined')
    expect(aborted.slice(1).sort()).toEqual(['abort', 'close'])
  })

  it.each([
    ['another session', { session: {} }, 'TypeError: `session` should be an instance of the Session class'],
    [
      'a header without a value',
      { headers: { 'x-own': null } },
      'Error: `value` required in setHeader("x-own", value)'
    ],
    ['headers that are no object', { headers: 'x' }, 'TypeError: headers must be an object'],
    [
      'another protocol',
      { protocol: 'file:' },
      'Error: ClientRequest only supports http: and https: protocols'
    ]
  ])('throws for %s', async (_name, given, message) => {
    const thrown = await running.evaluate(({ net, session }, options) => {
      try {
        net.request({ session: session.fromPartition('guarded', { cache: false }), ...(options as object) })
        return 'fine'
      } catch (error) {
        return String(error)
      }
    }, given)
    expect(thrown).toBe(message)
  })

  it('has the app’s guard of a partition asked before each request', async () => {
    const answers = await running.evaluate(async ({ session }, address) => {
      const guarded = session.fromPartition('guarded', { cache: false })
      guarded.webRequest.onBeforeRequest({ urls: ['http://*/here'] }, (_details, decide) =>
        decide({ cancel: true })
      )
      const asked = (path: string): Promise<string> =>
        guarded.fetch(`${address}${path}`).then(({ status }) => String(status), String)
      return [await asked('/x'), await asked('/here')]
    }, web)
    expect(answers).toEqual(['201', 'Error: net::ERR_BLOCKED_BY_CLIENT'])
    expect(await requestInMain('/here')).toEqual(['net::ERR_BLOCKED_BY_CLIENT', 'close'])
  })
})
