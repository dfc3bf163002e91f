/** The child's side of `utilityProcess.fork`: gives a program its `process.parentPort`, and runs it. */
import { EventEmitter } from 'node:events'
import { flushCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Electron's `process.parentPort`. What comes before anybody listens is kept for the first who does. */
class ParentPort extends EventEmitter {
  #early: object[] | null = []

  constructor() {
    super()
    process.on('message', (data) => this.#hear({ data, ports: [] }))
    this.on('newListener', (event) => {
      if (event === 'message') queueMicrotask(() => this.#catchUp())
    })
  }

  postMessage(message: unknown): void {
    // As Electron's messages are: bytes without their class, and nothing that cannot be cloned.
    process.send?.(structuredClone(message))
    // The app kills its child, which then writes no cache at its end. What is written already, is not written again.
    flushCompileCache()
  }

  #hear(event: object): void {
    if (this.#early) this.#early.push(event)
    else this.emit('message', event)
  }

  #catchUp(): void {
    const early = this.#early ?? []
    this.#early = null
    for (const event of early) this.emit('message', event)
  }
}

// A child goes when its app does, even when that is killed.
process.on('disconnect', () => process.exit())
Object.assign(process, { type: 'utility', parentPort: new ParentPort() })
// As Electron shows it: the program, and its arguments behind it.
process.argv.splice(1, 1)
const [, program] = process.argv
if (program === undefined) throw new Error('electron stand-in: the child was given no program')
await import(pathToFileURL(program).href)
