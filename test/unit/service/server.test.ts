import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCommandLine, serve, usage } from '../../../electron/service/server.ts'

describe('the flags of the service', () => {
  it('have defaults that a developer can start with', () => {
    expect(readCommandLine([])).toEqual({
      kind: 'serve',
      options: {
        port: 4010,
        tokens: ['demo'],
        expired: [],
        file: ':memory:',
        seed: { customers: 500, rewards: 24 }
      }
    })
  })

  it('are all read, tokens as often as they come', () => {
    const flags = '--port 0 --token one --token=two --expired old --data x.sqlite --customers 7 --rewards 0'
    expect(readCommandLine(flags.split(' '))).toEqual({
      kind: 'serve',
      options: {
        port: 0,
        tokens: ['one', 'two'],
        expired: ['old'],
        file: 'x.sqlite',
        seed: { customers: 7, rewards: 0 }
      }
    })
  })

  it('show the help, which names each of them', () => {
    expect(readCommandLine(['--help', '--port', 'x'])).toEqual({ kind: 'help' })
    for (const flag of ['--port', '--token', '--expired', '--data', '--customers', '--rewards', '--help']) {
      expect(usage).toContain(flag)
    }
  })

  it.each([
    ['--port 65536', '--port takes a whole number from 0 to 65535, not "65536"'],
    ['--port=-1', '--port takes a whole number from 0 to 65535, not "-1"'],
    ['--port http', '--port takes a whole number from 0 to 65535, not "http"'],
    ['--customers 1.5', '--customers takes a whole number from 0 to 1000000, not "1.5"'],
    ['--rewards x', '--rewards takes a whole number from 0 to 100000, not "x"'],
    ['--token two,three', '--token takes letters, digits and - . _ ~ + / only (RFC 6750), not "two,three"'],
    ['--token expired-one', '--token "expired-one" would be answered as expired; leave that word out'],
    ['--data=', '--data takes the path of a file'],
    ['--prot 4010', "Unknown option '--prot'"],
    ['4010', "Unexpected argument '4010'"],
    ['--port', "Option '--port <value>' argument missing"]
  ])('answer %s with one clear line', (flags, message) => {
    expect(readCommandLine(flags.split(' '))).toEqual({ kind: 'mistake', message })
  })
})

const program = join(import.meta.dirname, '../../../electron/service/server.ts')
const headers = { authorization: 'Bearer demo', 'content-type': 'application/json' }

const started: ChildProcess[] = []

const start = (...flags: string[]) => {
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

/** Starts the program and waits until it listens; gives its base address and what it printed before. */
const startListening = async (...flags: string[]) => {
  const child = start(...flags)
  const printed: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (http:\/\/127\.0\.0\.1:\d+\/api)$/.exec(line)?.[1]
    if (url !== undefined) return { child, url, printed }
    printed.push(line)
  }
  throw new Error(`the service ended without listening: ${printed.join('; ')}`)
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
  folder = mkdtempSync(join(tmpdir(), 'training-'))
})
afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

describe('the service as a program', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'says where it listens and keeps data, and ends on %s',
    async (signal) => {
      const { child, url, printed } = await startListening('--port', '0', '--token', 'demo')
      expect(printed).toEqual(['data in memory: gone when this ends'])
      expect((await fetch(`${url}/account`, { headers })).status).toBe(200)
      const closed = once(child, 'close')
      child.kill(signal)
      expect(await closed).toEqual([0, null])
    }
  )

  it('answers a wrong flag with one line and 2, and help with 0', async () => {
    expect(await outcome(start('--port', 'x'))).toEqual({
      code: 2,
      stdout: '',
      stderr: '--port takes a whole number from 0 to 65535, not "x" (--help shows the flags)\n'
    })
    expect(await outcome(start('--help'))).toMatchObject({ code: 0, stderr: '' })
  })

  it('says in one line why it cannot start', async () => {
    const letter = join(folder, 'letter.txt')
    writeFileSync(letter, 'not a database, and long enough not to be taken for an empty one'.repeat(20))
    const notADatabase = await outcome(start('--port', '0', '--data', letter))
    expect(notADatabase).toMatchObject({ code: 1, stdout: '' })
    expect(notADatabase.stderr).toBe(`The service cannot start: file is not a database\n`)

    const taken = await serve({ port: 0, tokens: ['demo'], file: ':memory:', seed: { customers: 0 } })
    const portTaken = await outcome(start('--port', new URL(taken.url).port))
    expect(portTaken).toMatchObject({ code: 1, stdout: '' })
    expect(portTaken.stderr).toMatch(/^The service cannot start: listen EADDRINUSE[^\n]*\n$/)
    await taken.close()
  })

  it('loses nothing that it acknowledged when it is killed', async () => {
    const file = join(folder, 'training.sqlite')
    const flags = ['--port', '0', '--token', 'demo', '--data', file, '--customers', '20']
    const acknowledged = { customers: [] as string[], codes: [] as string[] }
    const answers = v.object({ id: v.optional(v.string()), code: v.optional(v.string()) })

    for (let round = 0; round < 3; round += 1) {
      const { child, url, printed } = await startListening(...flags)
      expect(printed).toEqual([`data kept in ${file}`])
      const send = async (path: string, body: unknown) => {
        const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
        const { id, code } = v.parse(answers, await response.json())
        if (id !== undefined) acknowledged.customers.push(id)
        if (code !== undefined) acknowledged.codes.push(code)
      }
      // Several at once, and killed in the middle of it: the fortieth acknowledgement is the signal.
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
  it('listens on this machine only, and its links carry its own address', async () => {
    const served = await serve({ port: 0, tokens: ['demo'], file: ':memory:', seed: { customers: 1 } })
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
    const response = await fetch(`${served.url}/account`, { headers })
    const { logo } = v.parse(v.object({ logo: v.string() }), await response.json())
    expect((await fetch(logo)).headers.get('content-type')).toBe('image/png')
    await served.close()
    await expect(fetch(`${served.url}/account`, { headers })).rejects.toThrow('fetch failed')
  })

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without end', `GET /api/account HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['an impossible host', 'GET /api/account HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['a caller without credentials and host', 'GET /api/account HTTP/1.1\r\nConnection: close\r\n\r\n', 401]
  ])('answers %s with an Error body', async (_what, sent, status) => {
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

  it('rejects, and frees the port, when the data cannot be opened', async () => {
    const file = join(folder, 'no-such-folder', 'training.sqlite')
    await expect(serve({ port: 0, tokens: ['demo'], file })).rejects.toThrow('unable to open database file')
  })
})
