import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LoyaltyPointsService } from '../../../electron/service/index.ts'
import { listen, serve } from '../../../electron/service/server.ts'

const program = join(import.meta.dirname, '../../../electron/service/cli/main.ts')
const headers = { authorization: 'Bearer demo', 'content-type': 'application/json' }

const started: ChildProcess[] = []

const start = (...flags: string[]) => {
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

/** Starts the program. Resolves when it listens, with its base URL and the lines printed before. */
const startListening = async (...flags: string[]) => {
  const child = start(...flags)
  const printed: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (http:\/\/127\.0\.0\.1:\d+\/api)$/.exec(line)?.[1]
    if (url !== undefined) return { child, url, printed }
    printed.push(line)
  }
  throw new Error(`the service exited without listening: ${printed.join('; ')}`)
}

const outcome = async (child: ChildProcess) => {
  const texts = { stdout: '', stderr: '' }
  child.stdout?.on('data', (data: Buffer) => (texts.stdout += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (texts.stderr += data.toString()))
  const [code] = v.parse(v.looseTuple([v.nullable(v.number())]), await once(child, 'close'))
  return { code, ...texts }
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-'))
})
afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

describe('the service as a program', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints its URL and data file, and exits with 0 on %s',
    async (signal) => {
      const { child, url, printed } = await startListening('--port', '0', '--token', 'demo')
      expect(printed).toEqual(['data: in memory, lost on exit'])
      expect((await fetch(`${url}/account`, { headers })).status).toBe(200)
      const closed = once(child, 'close')
      child.kill(signal)
      expect(await closed).toEqual([0, null])
    }
  )

  it('exits with 2 and one line for an invalid option, and with 0 for --help', async () => {
    expect(await outcome(start('--port', 'x'))).toEqual({
      code: 2,
      stdout: '',
      stderr: '--port must be a whole number from 0 to 65535, not "x" (see --help)\n'
    })
    expect(await outcome(start('--help'))).toMatchObject({ code: 0, stderr: '' })
  })

  it('exits with 1 and one line when the data file is invalid or the port is in use', async () => {
    const textFile = join(folder, 'text.txt')
    writeFileSync(textFile, 'not a database, and long enough not to be taken for an empty one'.repeat(20))
    const notADatabase = await outcome(start('--port', '0', '--data', textFile))
    expect(notADatabase).toMatchObject({ code: 1, stdout: '' })
    expect(notADatabase.stderr).toBe(`The service cannot start: file is not a database\n`)

    const taken = await serve({ port: 0, tokens: ['demo'], file: ':memory:', seed: { customers: 0 } })
    const portTaken = await outcome(start('--port', new URL(taken.url).port))
    expect(portTaken).toMatchObject({ code: 1, stdout: '' })
    expect(portTaken.stderr).toBe(
      `The service cannot start: Another program uses ${new URL(taken.url).host}. Choose another port.\n`
    )
    await taken.close()
  })

  it('keeps every acknowledged customer and code when it is killed during writes', async () => {
    const file = join(folder, 'service.sqlite')
    const flags = ['--port', '0', '--token', 'demo', '--data', file, '--customers', '20']
    const acknowledged = { customers: [] as string[], codes: [] as string[] }
    const createdSchema = v.object({ id: v.optional(v.string()), code: v.optional(v.string()) })

    for (let round = 0; round < 3; round += 1) {
      const { child, url, printed } = await startListening(...flags)
      expect(printed).toEqual([`data: ${file}`])
      const send = async (path: string, body: unknown) => {
        const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
        const { id, code } = v.parse(createdSchema, await response.json())
        if (id !== undefined) acknowledged.customers.push(id)
        if (code !== undefined) acknowledged.codes.push(code)
      }
      // Concurrent writers; the process is killed at the fortieth acknowledgement.
      const before = acknowledged.customers.length
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let count = 0; ; count += 1) {
          const phone = `+3069${round}${writer}${String(count).padStart(6, '0')}`
          await send('/customers', { name: `Customer ${round}-${writer}-${count}`, phone })
          await send('/qr', { points: count + 1 })
          if (acknowledged.customers.length - before >= 40) child.kill('SIGKILL')
        }
      })
      const ends = await Promise.allSettled(writers)
      expect(ends.map(({ status }) => status)).toEqual(Array.from(ends, () => 'rejected'))
    }

    const { url } = await startListening(...flags)
    const statuses = await Promise.all([
      ...acknowledged.customers.map((id) => fetch(`${url}/customers/${id}`, { headers })),
      ...acknowledged.codes.map((code) => fetch(`${url}/qr/${code}`, { headers }))
    ])
    expect(acknowledged.customers.length).toBeGreaterThanOrEqual(120)
    expect(statuses.filter(({ status }) => status !== 200)).toEqual([])
    const page = v.object({ data: v.array(v.object({ name: v.string() })) })
    const found = await fetch(`${url}/customers/?name=${encodeURIComponent('customer 2-0-0')}`, { headers })
    expect(v.parse(page, await found.json()).data).toEqual([{ name: 'Customer 2-0-0' }])
  })
})

describe('the service over HTTP', () => {
  it('listens on 127.0.0.1, returns links with its own origin, and stops listening when closed', async () => {
    const served = await serve({ port: 0, tokens: ['demo'], file: ':memory:', seed: { customers: 1 } })
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
    const response = await fetch(`${served.url}/account`, { headers })
    const { logo } = v.parse(v.object({ logo: v.string() }), await response.json())
    expect((await fetch(logo)).headers.get('content-type')).toBe('image/png')
    await served.close()
    await expect(fetch(`${served.url}/account`, { headers })).rejects.toThrow('fetch failed')
  })

  it.each([
    ['a request that is not HTTP', 'hello\r\n\r\n', 400],
    [
      'a header that is too large',
      `GET /api/account HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      431
    ],
    ['an invalid Host header', 'GET /api/account HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['a request without credentials and Host', 'GET /api/account HTTP/1.1\r\nConnection: close\r\n\r\n', 401]
  ])('responds to %s with an Error body', async (_what, sent, status) => {
    const served = await serve({ port: 0, tokens: ['demo'], file: ':memory:', seed: { customers: 1 } })
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    socket.write(sent)
    let received = ''
    for await (const data of socket) received += String(data)
    const [head, body] = received.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body ?? '')).toMatchObject({ statusCode: status })
    await served.close()
  })

  it.each([
    ['headers that never end', 'GET /api/account HTTP/1.1\r\n', 'X: x\r\n'],
    [
      'a body that trickles',
      `POST /api/qr HTTP/1.1\r\nAuthorization: Bearer demo\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`,
      ' '
    ]
  ])('ends the connection of a slow client that sends %s, and serves others', async (_what, start, part) => {
    const errors: unknown[] = []
    const served = await listen({
      port: 0,
      clientTimeouts: { headersMs: 1500, requestMs: 3000, checkMs: 20 },
      openService: (publicUrl) =>
        LoyaltyPointsService.open({
          publicUrl,
          tokens: ['demo'],
          file: ':memory:',
          seed: { customers: 1 },
          onInternalError: (error) => errors.push(error)
        })
    })
    const others = async (): Promise<number> => {
      const response = await fetch(`${served.url}/account`, { headers })
      await response.arrayBuffer()
      return response.status
    }
    // Its connection is kept: the time of a new one runs while a busy machine has not yet read its request.
    expect(await others()).toBe(200)
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    socket.write(start)
    const trickle = setInterval(() => socket.write(part), 10)
    socket.on('error', () => undefined).on('close', () => clearInterval(trickle))
    let received = ''
    socket.on('data', (data) => (received += String(data)))
    const closed = once(socket, 'close')
    expect(await others()).toBe(200)
    await closed
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(received.split('\r\n\r\n')[1] ?? '')).toMatchObject({ statusCode: 408 })
    await served.close()
    expect(errors).toEqual([])
  })

  it('rejects when the data file cannot be opened', async () => {
    const file = join(folder, 'no-such-folder', 'service.sqlite')
    await expect(serve({ port: 0, tokens: ['demo'], file })).rejects.toThrow('unable to open database file')
  })
})
