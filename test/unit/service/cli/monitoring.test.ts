/** The port for programs that watch a service, which is a process of its own. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { post } from '../fixtures.ts'
import { readExposition, type ReadMetric } from '../monitoring/exposition.ts'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()

/** Starts a shop's service. Returns its origin and that of its metrics. */
const startShop = async () => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  await program.run('backup')
  const flags = ['--port', '0', '--public-url', 'https://points.example.com', '--metrics-listen', '0']
  const server = program.start(['serve', ...flags, '--data', program.data])
  let log = ''
  server.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const lines = createInterface(server.stdout)
  const origins: string[] = []
  for await (const line of lines) {
    origins.push(new URL(line.replace(/^\w+ on /, '')).origin)
    if (origins.length === 2) break
  }
  const [origin = '', watching = ''] = origins
  return { server, origin, watching, logged: () => log }
}

const pair = async (origin: string) => {
  const { code } = await program.json(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
  const answer = await fetch(`${origin}/pair`, post({ code }))
  return { code, token: v.parse(v.object({ token: v.string() }), await answer.json()).token }
}

const valueOf = (metrics: ReadonlyMap<string, ReadMetric>, name: string, labels: object = {}) =>
  metrics
    .get(name)
    ?.samples.find((sample) =>
      Object.entries(labels).every(([label, text]) => sample.labels.get(label) === text)
    )?.value

it('counts what tills and customers do, and names none of them', async () => {
  const { server, origin, watching, logged } = await startShop()
  const { code: pairingCode, token } = await pair(origin)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const issue = await fetch(`${origin}/api/qr`, { ...post({ points: 5 }), headers })
  const { code } = v.parse(v.object({ code: v.string() }), await issue.json())
  const collect = () =>
    fetch(`${origin}/q/${code}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ phone: '+306901234567', name: 'Μαρία' })
    })
  const cookie = (await collect()).headers.get('set-cookie') ?? ''
  // The same customer again gets the same answer, and no points.
  expect((await collect()).status).toBe(303)
  await fetch(`${origin}/api/customers/?name=Secret`, { headers })
  await fetch(`${origin}/nowhere/${code}`)
  await fetch(`${origin}/api/account`, { headers: { authorization: 'Bearer wrong' } })
  for (let tries = 0; tries < 20; tries += 1) await fetch(`${origin}/pair`, post({ code: 'BBBB-BBBB' }))

  const answer = await fetch(`${watching}/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  const metrics = readExposition(text)
  expect(valueOf(metrics, 'tillpoints_codes_issued_total')).toBe(1)
  expect(valueOf(metrics, 'tillpoints_codes_collected_total')).toBe(1)
  expect(valueOf(metrics, 'tillpoints_attempts_refused_total', { route: '/pair' })).toBe(1)
  const requests = (route: string, method: string, status: string) =>
    valueOf(metrics, 'tillpoints_requests_total', { route, method, status })
  expect(requests('/q/:code', 'POST', '3xx')).toBe(2)
  expect(requests('/api/account', 'GET', '4xx')).toBe(1)
  expect(requests('none', 'GET', '4xx')).toBe(1)
  expect(requests('/pair', 'POST', '4xx')).toBe(20)
  expect(valueOf(metrics, 'tillpoints_newest_backup_timestamp_seconds')).toBeCloseTo(Date.now() / 1000, -3)
  expect(valueOf(metrics, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
  expect(valueOf(metrics, 'nodejs_eventloop_lag_max_seconds')).toBeGreaterThan(0)

  const secrets = [
    token,
    code,
    pairingCode,
    '6901234567',
    'Μαρία',
    'Secret',
    'BBBB',
    '127.0.0.1',
    'usr_',
    'cus_',
    'dev_'
  ]
  for (const secret of [...secrets, cookie.replace(/^[^=]*=|;.*$/g, '')]) {
    expect(text).not.toContain(secret)
    expect(logged()).not.toContain(secret)
  }

  // Each port has what is its own.
  for (const path of ['/metrics', '/healthz', '/readyz'])
    expect((await fetch(origin + path)).status).toBe(404)
  for (const path of ['/api/account', `/q/${code}`, '/pair']) {
    expect((await fetch(watching + path, { headers })).status).toBe(404)
  }
  const closed = once(server, 'close')
  server.kill('SIGTERM')
  expect(await closed).toEqual([0, null])
})

it('is ready while the store takes writes and has the schema of this program', async () => {
  const { watching } = await startShop()
  const ready = async () => {
    const answer = await fetch(`${watching}/readyz`)
    return `${answer.status} ${await answer.text()}`
  }
  expect(await ready()).toBe('200 The service is ready.\n')
  const other = new DatabaseSync(join(program.data, 'service.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  await expect.poll(ready).toBe('503 The store has not taken a write for 2 seconds.\n')
  expect((await fetch(`${watching}/healthz`)).status).toBe(200)
  other.exec('COMMIT')
  await expect.poll(ready).toBe('200 The service is ready.\n')
  other.exec('PRAGMA user_version = 99')
  other.close()
  await expect.poll(ready).toMatch(/^503 A newer version/)
})

it('says which port another program uses, and exits with 1', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = v.parse(v.object({ port: v.number() }), other.address())
  await program.run('init')
  for (const ports of [
    ['--port', '0', '--metrics-listen', String(port)],
    ['--port', String(port), '--metrics-listen', '0']
  ]) {
    expect(await program.run('serve', ...ports)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Another program uses 127.0.0.1:${port}. Choose another port.\n`
    })
  }
})

it.each(['points.example.com:9464', '9464x', '127.0.0.1:', '127.0.0.1:70000'])(
  'refuses --metrics-listen %s before it listens',
  async (address) => {
    await program.run('init')
    const { code, stdout, stderr } = await program.run('serve', '--port', '0', '--metrics-listen', address)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--metrics-listen')
  }
)
