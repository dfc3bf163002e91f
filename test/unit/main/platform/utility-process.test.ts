/** A process beside main: what it is told, and when it may be ended. */
import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'

/** Electron's own child, of which a test says when it has started. */
class Child extends EventEmitter {
  readonly sent: unknown[] = []
  killed = 0
  hasStarted = false

  postMessage(message: unknown): void {
    this.sent.push(message)
  }

  kill(): boolean {
    // As Electron: one without a process yet cannot be killed.
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
const { startUtilityProcess } = await import('../../../../electron/main/platform/utility-process.ts')

let child: Child
const told: unknown[] = []
const start = () =>
  startUtilityProcess('/papers.js', ['/fonts'], 'Papers', {
    replied: (message) => told.push(message),
    ended: (code, fault) => told.push(['ended', code, fault])
  })

beforeEach(() => {
  child = new Child()
  told.length = 0
  electron.fork.mockReset().mockReturnValue(child)
})

test('runs a program with its arguments under a name', () => {
  start()
  expect(electron.fork).toHaveBeenCalledWith('/papers.js', ['/fonts'], { serviceName: 'Papers' })
})

test('carries messages both ways', () => {
  start().send('a question')
  child.emit('message', 'an answer')
  expect(child.sent).toEqual(['a question'])
  expect(told).toEqual(['an answer'])
})

test('is ended at once where it runs', () => {
  const helper = start()
  child.start()
  helper.end()
  expect(child.killed).toBe(1)
})

test('is ended as soon as it has started, where it had not yet', () => {
  start().end()
  expect(child.killed).toBe(0)
  child.start()
  expect(child.killed).toBe(1)
})

test('tells that it ended, and where V8 gave up', () => {
  start()
  child.emit('error', 'FatalError', 'v8::internal::Heap', '{}')
  child.emit('exit', 133)
  expect(told).toEqual([['ended', 133, 'FatalError at v8::internal::Heap']])
})
