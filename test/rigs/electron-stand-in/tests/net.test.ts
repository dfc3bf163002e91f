import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AUTHORITY, CERTIFICATES } from './certificates.ts'
import { FixtureApp } from './fixture-app.ts'

describe('net.fetch, as Electron has it', () => {
  let app: FixtureApp
  let running: ElectronApplication
  const servers: Server[] = []
  const heard: Record<string, string | undefined>[] = []

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
        heard.push({ url, method, authorization: headers.authorization, agent: headers['user-agent'] })
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

  it('gives a response without an address, as Electron’s has none', async () => {
    expect(await fetchInMain(`${web}/x`)).toEqual([201, '', 'body'])
    expect(await fetchInMain(`${web}/empty`)).toEqual([204, '', ''])
    expect(heard.at(-1)?.['agent']).toMatch(/FixtureShop\/1\.2\.3 .*Electron\//)
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
    expect(heard.at(-1)).toMatchObject({ url: '/here', method: 'GET' })
    const headers = { authorization: 'Bearer secret' }
    await fetchInMain(`${web}/there`, { headers })
    expect(heard.at(-1)).toMatchObject({ url: '/here', authorization: 'Bearer secret' })
    await fetchInMain(`${web}/abroad`, { headers })
    expect(heard.at(-1)).toMatchObject({ url: '/here', authorization: undefined })
  })

  it('rejects with plain errors that carry Chromium’s names', async () => {
    const refused = await listen(createTcpServer())
    servers.pop()?.close()
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

  it('is offline when a test says so', async () => {
    const answers = await running.evaluate(async (electron, address) => {
      const standIn = Reflect.get(electron, '__standIn') as { answer(api: string, value: unknown): void }
      standIn.answer('net.isOnline', false)
      const online = electron.net.isOnline()
      standIn.answer('net.isOnline', false)
      return [online, await electron.net.fetch(address).then(String, String), electron.net.isOnline()]
    }, web)
    expect(answers).toEqual([false, 'Error: net::ERR_INTERNET_DISCONNECTED', true])
  })
})
