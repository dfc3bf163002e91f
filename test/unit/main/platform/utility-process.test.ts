/** The wrapper of Electron’s utility process: messages, start and end. */
import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'

/** A fake of Electron's child process; the test decides when it has started. */
class Child extends EventEmitter {
  readonly sent: unknown[] = []
  killed = 0
  hasStarted = false

  postMessage(message: unknown): void {
    this.sent.push(message)
  }

  kill(): boolean {
    // As in Electron: a child that has not started cannot be killed.
    if (this.hasStarted) this.killed += 1
    return this.hasStarted
  }

  start(): void {
    this.hasStarted = true
    this.emit('spawn')
  }
}

const electron = vi.hoisted(() => ({ fork: vi.fn() }))
vi.mock('electron', () => ({ utilityProcess: electron }))
const { UtilityProgram } = await import('../../../../electron/main/platform/utility-process.ts')

let child: Child
const received: unknown[] = []
const startWorker = () =>
  new UtilityProgram('/worker.js', ['/fonts'], 'Worker').start({
    replied: (message) => received.push(message),
    ended: (code, fault) => received.push(['ended', code, fault])
  })

beforeEach(() => {
  child = new Child()
  received.length = 0
  electron.fork.mockReset().mockReturnValue(child)
})

test('runs a program with its arguments under a name', () => {
  startWorker()
  expect(electron.fork).toHaveBeenCalledWith('/worker.js', ['/fonts'], { serviceName: 'Worker' })
})

test('sends and receives messages', () => {
  startWorker().send('a request')
  child.emit('message', 'a response')
  expect(child.sent).toEqual(['a request'])
  expect(received).toEqual(['a response'])
})

test('end() kills a started process at once', () => {
  const process = startWorker()
  child.start()
  process.end()
  expect(child.killed).toBe(1)
})

test('end() before the start kills the process as soon as it has started', () => {
  startWorker().end()
  expect(child.killed).toBe(0)
  child.start()
  expect(child.killed).toBe(1)
})

test('reports the exit code, and the location of a fatal V8 error', () => {
  startWorker()
  child.emit('error', 'FatalError', 'v8::internal::Heap', '{}')
  child.emit('exit', 133)
  expect(received).toEqual([['ended', 133, 'FatalError at v8::internal::Heap']])
})
