import type { ElectronApplication } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FixtureApp } from './fixture-app.ts'

const MAIN = `
import { writeFileSync } from 'node:fs'
const program = join(here, 'child.mjs')
writeFileSync(program, \`
  const { parentPort } = process
  parentPort.postMessage({ type: process.type, args: process.argv.slice(1) })
  setTimeout(() => parentPort.on('message', ({ data, ports }) => {
    if (data === 'end') process.exit(7)
    if (data === 'throw') throw new Error('of the child')
    if (data === 'fault') for (const all = []; ; ) all.push(new Array(1e5).fill(data))
    parentPort.postMessage({ data, class: data?.bytes?.constructor.name, ports: ports.length })
  }), 50)
\`)
const attempt = (work) => { try { work(); return 'fine' } catch (error) { return error.message } }
note('before ready', attempt(() => utilityProcess.fork(program)))
globalThis.run = async (...messages) => {
  // A small heap is soon full.
  process.env.NODE_OPTIONS = messages.includes('fault') ? '--max-old-space-size=64' : ''
  const child = utilityProcess.fork(program, ['one', 'two'], { serviceName: 'Child' })
  const events = [['pid', child.pid, child.kill()]]
  const gone = (_event, details) => events.push(['gone', details])
  app.on('child-process-gone', gone)
  child.on('error', (type, location, report) => events.push(['error', type, location, JSON.parse(report).header.trigger]))
  child.on('spawn', () => events.push(['spawned', child.pid > 0]))
  child.on('message', (message) => events.push(message))
  for (const message of messages) child.postMessage(message)
  const code = await new Promise((resolve) => child.on('exit', resolve))
  app.off('child-process-gone', gone)
  child.postMessage('late')
  return { events, code, pid: child.pid }
}
globalThis.kill = async (signal) => {
  const child = utilityProcess.fork(program)
  const gone = []
  app.once('child-process-gone', (_event, { reason, exitCode }) => gone.push(reason, exitCode))
  await new Promise((resolve) => child.once('message', resolve))
  const killed = signal ? process.kill(child.pid, signal) : child.kill()
  const code = await new Promise((resolve) => child.once('exit', resolve))
  return [killed, child.kill(), code, ...gone]
}
globalThis.forkNothing = () => attempt(() => utilityProcess.fork(''))
globalThis.unclonable = () => attempt(() => utilityProcess.fork(program).postMessage(() => 1))
globalThis.child = () => {
  const child = utilityProcess.fork(program)
  return new Promise((resolve) => child.once('spawn', () => resolve(child.pid)))
}
app.whenReady().then(() => open())
`

interface Heard {
  readonly events: unknown[]
  readonly code: number
  readonly pid: number | undefined
}

/** What the app above has for tests, in its process. */
interface Globals {
  run(...messages: unknown[]): Promise<Heard>
  kill(signal?: string): Promise<unknown>
  forkNothing(): string
  unclonable(): string
  child(): Promise<number>
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('utilityProcess', () => {
  let app: FixtureApp
  let running: ElectronApplication
  beforeAll(async () => {
    app = new FixtureApp({ main: MAIN })
    running = await app.launch()
    await running.firstWindow()
  })
  afterAll(async () => {
    await running.close()
    app.remove()
  })

  it('starts nothing before the app is ready', async () => {
    expect(await app.noted('before ready')).toContain('cannot be created before app is ready')
  })

  it('runs an ES module with its arguments, and emits its messages and its exit', async () => {
    const { events, code, pid } = await running.evaluate(() =>
      (globalThis as unknown as Globals).run({ bytes: Buffer.from('ab') }, 'end')
    )
    expect(events).toEqual([
      ['pid', undefined, false],
      ['spawned', true],
      { type: 'utility', args: [expect.stringMatching(/child\.mjs$/), 'one', 'two'] },
      // It was sent before anybody listened, and its bytes have lost their class.
      { data: expect.anything() as unknown, class: 'Uint8Array', ports: 0 }
    ])
    expect(code).toBe(7)
    expect(pid).toBeUndefined()
  })

  it('ends with 1 when the child throws, and the app goes on', async () => {
    const { code } = await running.evaluate(() => (globalThis as unknown as Globals).run('throw'))
    expect(code).toBe(1)
  })

  it('kills a child, which then has ended with 0', async () => {
    expect(await running.evaluate(() => (globalThis as unknown as Globals).kill())).toEqual([
      true,
      false,
      0,
      'killed',
      15
    ])
  })

  it('emits child-process-gone and the signal’s number for a child that another program killed', async () => {
    expect(await running.evaluate(() => (globalThis as unknown as Globals).kill('SIGKILL'))).toEqual([
      true,
      false,
      9,
      'killed',
      9
    ])
  })

  it('emits error with a report before exit when V8 cannot go on', async () => {
    const { events, code } = await running.evaluate(() => (globalThis as unknown as Globals).run('fault'))
    expect(events.slice(-2)).toEqual([
      ['error', 'FatalError', 'OOMError', 'OOMError'],
      [
        'gone',
        {
          type: 'Utility',
          reason: 'crashed',
          exitCode: code,
          serviceName: 'node.mojom.NodeService',
          name: 'Child'
        }
      ]
    ])
  })

  it('throws without a program', async () => {
    expect(await running.evaluate(() => (globalThis as unknown as Globals).forkNothing())).toBe(
      'Missing UtilityProcess entry script.'
    )
  })

  it('refuses what cannot be cloned', async () => {
    expect(await running.evaluate(() => (globalThis as unknown as Globals).unclonable())).toBe(
      'An object could not be cloned.'
    )
  })

  it('ends its children with it, even when it is killed', async () => {
    const other = await app.launch()
    await other.firstWindow()
    const child = await other.evaluate(() => (globalThis as unknown as Globals).child())
    const main = await other.evaluate(() => process.pid)
    expect(isAlive(child)).toBe(true)
    process.kill(main, 'SIGKILL')
    await expect.poll(() => isAlive(child)).toBe(false)
  })
})
