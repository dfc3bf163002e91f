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
  let other = ''
  beforeAll(async () => {
    const port = await listen(
      createServer((request, response) => {
        const { url = '', method, headers } = request
        received.push({ url, method, authorization: headers.authorization, agent: headers['user-agent'] })
        if (url === '/loop') response.writeHead(302, { location: '/loop' }).end()
        else if (url === '/there') response.writeHead(302, { location: '/here' }).end()
        else if (url === '/abroad') response.writeHead(302, { location: `${other}/here` }).end()
        else if (url === '/see-other') response.writeHead(303, { location: '/here' }).end()
        else if (url === '/short')
          response.writeHead(200, { 'content-length': '100' }).write('half', () => request.socket.destroy())
        else if (url === '/slow') response.writeHead(200).write('half')
        else if (url === '/empty') response.writeHead(204).end()
        else response.writeHead(201, 'Made', { 'x-own': 'yes' }).end('body')
      })
    )
    web = `http://127.0.0.1:${port}`
    other = `http://localhost:${port}`
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

  it('follows redirects, but not with manual or error', async () => {
    expect(await fetchInMain(`${web}/there`)).toEqual([201, '', 'body'])
    expect(await fetchInMain(`${web}/there`, { redirect: 'manual' })).toBe('Error: Redirect was cancelled')
    expect(await fetchInMain(`${web}/there`, { redirect: 'error' })).toBe(
      "Error: Attempted to redirect, but redirect policy was 'error'"
    )
    expect(await fetchInMain(`${web}/loop`)).toBe('Error: net::ERR_TOO_MANY_REDIRECTS')
  })

  it('turns a POST into a GET where the answer says so, and takes no authorisation to another origin', async () => {
    await fetchInMain(`${web}/see-other`, { method: 'POST', body: 'x' })
    expect(received.at(-1)).toMatchObject({ url: '/here', method: 'GET' })
    const headers = { authorization: 'Bearer secret' }
    await fetchInMain(`${web}/there`, { headers })
    expect(received.at(-1)).toMatchObject({ url: '/here', authorization: 'Bearer secret' })
    await fetchInMain(`${web}/abroad`, { headers })
    expect(received.at(-1)).toMatchObject({ url: '/here', authorization: undefined })
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
    expect(await fetchInMain('file:///no/such/file')).toBe('Error: net::ERR_FILE_NOT_FOUND')
    expect(await fetchInMain(`${web}/short`)).toEqual([200, '', 'Error: net::ERR_CONTENT_LENGTH_MISMATCH'])
  })

  it.each(CERTIFICATES)('refuses a certificate that is $fault', async ({ key, cert, host, error }) => {
    const port = await listen(createTlsServer({ key, cert }, (_request, response) => response.end('secret')))
    expect(await fetchInMain(`https://${host}:${port}/`)).toBe(`Error: net::${error}`)
  })

  it('rejects an aborted call with the signal’s reason', async () => {
    const reasons = await running.evaluate(async ({ net }, address) => {
      const name = (error: Error): string => error.name
      const late = new AbortController()
      const response = await net.fetch(`${address}/slow`, { signal: late.signal })
      const body = response.text().catch(name)
      late.abort()
      const early = new AbortController()
      const call = net.fetch(`${address}/x`, { signal: early.signal }).then(String, name)
      early.abort()
      return [
        await body,
        await call,
        await net.fetch(`${address}/x`, { signal: AbortSignal.abort() }).then(String, name),
        await net
          .fetch(`${address}/slow`, { signal: AbortSignal.timeout(50) })
          .then((r) => r.text())
          .then(String, name)
      ]
    }, web)
    expect(reasons).toEqual(['AbortError', 'AbortError', 'AbortError', 'TimeoutError'])
  })

  it('ends what is under way when its session closes all connections, and goes on', async () => {
    const ended = await running.evaluate(async ({ net, session }, address) => {
      const lane = session.fromPartition('lane')
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

  it('is offline when a test sets it', async () => {
    const answers = await running.evaluate(async (electron, address) => {
      const standIn = Reflect.get(electron, '__standIn') as { answer(api: string, value: unknown): void }
      standIn.answer('net.isOnline', false)
      const online = electron.net.isOnline()
      standIn.answer('net.isOnline', false)
      return [online, await electron.net.fetch(address).then(String, String), electron.net.isOnline()]
    }, web)
    expect(answers).toEqual([false, 'Error: net::ERR_INTERNET_DISCONNECTED', true])
  })

  /** Asks through net.request in the main process. @returns what happened, in order */
  const requestInMain = (options: object, follow = false, abortAfter = 0): Promise<string[]> =>
    running.evaluate(
      ({ net }, [given, goesOn, patience]) =>
        new Promise<string[]>((resolve) => {
          const happened: string[] = []
          const request = net.request(given)
          request.on('redirect', (status, method, url) => {
            happened.push(`redirect ${status} ${method} ${new URL(url).pathname}`)
            if (goesOn) request.followRedirect()
          })
          request.on('response', (response) => {
            happened.push(
              `response ${response.statusCode} ${response.statusMessage} ${String(response.headers['x-own'])}`
            )
            let text = ''
            response.on('data', (chunk) => (text += String(chunk)))
            response.on('end', () => happened.push(`end ${text}`))
            response.on('error', (error: Error) => happened.push(`body ${error.message}`))
            response.on('aborted', () => happened.push('aborted'))
            if (patience > 0) setTimeout(() => request.abort(), patience)
          })
          request.on('error', (error) => happened.push(error.message))
          request.on('close', () => setTimeout(() => resolve(happened), 20))
          request.end()
        }),
      [options, follow, abortAfter] as const
    )

  it('answers net.request with a head and a stream', async () => {
    const { hostname, port } = new URL(web)
    const headers = { 'X-Asked': 'yes', 'User-Agent': 'asker' }
    expect(await requestInMain({ protocol: 'http:', hostname, port, path: '/x', headers })).toEqual([
      'response 201 Made yes',
      'end body'
    ])
    expect(received.at(-1)).toMatchObject({ url: '/x', agent: 'asker' })
  })

  it('lets the listener of a manual net.request decide on redirects', async () => {
    const url = `${web}/there`
    expect(await requestInMain({ url })).toEqual(['response 201 Made yes', 'end body'])
    expect(await requestInMain({ url, redirect: 'manual' }, true)).toEqual([
      'redirect 302 GET /here',
      'response 201 Made yes',
      'end body'
    ])
    expect(await requestInMain({ url, redirect: 'manual' })).toEqual([
      'redirect 302 GET /here',
      'Redirect was cancelled'
    ])
    expect(await requestInMain({ url, redirect: 'error' })).toEqual([
      "Attempted to redirect, but redirect policy was 'error'"
    ])
  })

  it('fails net.request by Chromium’s names, also in the middle of an answer', async () => {
    expect(await requestInMain({ url: 'http://no-such-host.invalid/' })).toEqual([
      'net::ERR_NAME_NOT_RESOLVED'
    ])
    const broken = await requestInMain({ url: `${web}/short` })
    expect(broken[0]).toMatch(/^response 200/)
    expect(broken.slice(1).sort()).toEqual([
      'body net::ERR_CONTENT_LENGTH_MISMATCH',
      'net::ERR_CONTENT_LENGTH_MISMATCH'
    ])
  })

  it('ends an aborted net.request without an error', async () => {
    expect(await requestInMain({ url: `${web}/slow` }, false, 50)).toEqual([
      'response 200 OK undefined',
      'aborted'
    ])
  })

  it('has the app’s guard of a partition asked before each request and each step of a redirect', async () => {
    const answers = await running.evaluate(async ({ net, session }, address) => {
      const guarded = session.fromPartition('guarded')
      guarded.webRequest.onBeforeRequest({ urls: ['http://*/here'] }, (_details, decide) =>
        decide({ cancel: true })
      )
      const asked = (path: string): Promise<string> =>
        new Promise((resolve) => {
          const request = net.request({ url: `${address}${path}`, session: guarded })
          request.on('response', (response) => resolve(String(response.statusCode)))
          request.on('error', (error) => resolve(error.message))
          request.end()
        })
      return [
        await asked('/x'),
        await asked('/there'),
        await guarded.fetch(`${address}/here`).then(String, String)
      ]
    }, web)
    expect(answers).toEqual(['201', 'net::ERR_BLOCKED_BY_CLIENT', 'Error: net::ERR_BLOCKED_BY_CLIENT'])
  })
})
