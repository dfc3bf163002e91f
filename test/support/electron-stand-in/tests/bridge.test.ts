import type { ElectronApplication, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstPage, FixtureApp } from './fixture-app.ts'

const PRELOAD = `
const { contextBridge, ipcRenderer, webFrame } = require('electron')
globalThis.secret = 'of the preload'
class Person { constructor() { this.name = 'Ada' } greet() { return 'hi' } }
const kept = []
contextBridge.exposeInMainWorld('api', {
  number: 1,
  nested: { list: [1, { deep: true }], date: new Date(0), map: new Map([['a', new Set([1])]]), bytes: new Uint8Array([1, 2]) },
  person: new Person(),
  error: Object.assign(new TypeError('typed'), { code: 42 }),
  add: (a, b) => a + b,
  receiver() { return this.number },
  echo: (value) => value,
  describe: (value) => Object.prototype.toString.call(value) + ' ' + Object.getPrototypeOf(value)?.constructor?.name,
  later: async (value) => value,
  fail: () => { throw Object.assign(new RangeError('out of range'), { code: 1 }) },
  throwText: () => { throw 'a text' },
  reject: async () => { throw Object.assign(new RangeError('refused'), { code: 1 }) },
  call: (callback, value) => callback(value),
  keep: (callback) => kept.push(callback),
  fire: () => kept.map((callback) => callback('fired')),
  drop: () => { kept.length = 0 },
  adder: () => (a) => (b) => a + b,
  clearCache: () => webFrame.clearCache()
})
const tried = (work) => { try { work(); return 'fine' } catch (error) { return error.message } }
contextBridge.exposeInMainWorld('facts', {
  again: tried(() => contextBridge.exposeInMainWorld('api', {})),
  onDocument: tried(() => contextBridge.exposeInMainWorld('document', {})),
  fs: tried(() => require('fs')),
  relative: tried(() => require('./other.cjs')),
  events: tried(() => require('node:events')),
  sendSync: tried(() => ipcRenderer.sendSync('x')),
  platform: tried(() => process.platform),
  globals: [typeof module, typeof exports]
})
`
const PAGE = `<!doctype html><title>Bridge</title><script src="page.js"></script><iframe src="empty.html"></iframe>`
const SCRIPT = `window.atStart = [typeof window.api, typeof window.secret, typeof window.require, typeof window.process]`

interface Api {
  [key: string]: unknown
  number: number
  call(callback: (value: unknown) => unknown, value: unknown): unknown
}
declare const api: Api & Record<string, (...args: unknown[]) => unknown>
declare const facts: Record<string, unknown>
declare global {
  interface Window {
    /** a function that crossed the bridge */
    passed?: WeakRef<() => number>
  }
}

describe('preload and contextBridge', () => {
  let app: FixtureApp
  let running: ElectronApplication
  let page: Page
  beforeAll(async () => {
    const main = `app.whenReady().then(() => open())`
    app = new FixtureApp({ main, preload: PRELOAD, files: { 'index.html': PAGE, 'page.js': SCRIPT } })
    running = await app.launch()
    page = await firstPage(running)
  })
  afterAll(async () => {
    await running.close()
    app.remove()
  })

  it('exposes the API before the page’s first script, and nothing else of the preload’s world', async () => {
    expect(await page.evaluate('atStart')).toEqual(['object', 'undefined', 'undefined', 'undefined'])
    expect(await page.evaluate(() => Object.keys(window).filter((key) => /stand/i.test(key)))).toEqual([])
  })

  it('does not run the preload in a sub-frame', async () => {
    const [, frame] = page.frames()
    expect(await frame?.evaluate('typeof window.api')).toBe('undefined')
  })

  it('lets a sandboxed preload require electron only', async () => {
    expect(await page.evaluate(() => facts)).toMatchObject({
      fs: 'module not found: fs',
      relative: 'module not found: ./other.cjs',
      events: "electron stand-in: require('node:events') in a preload is not implemented",
      globals: ['object', 'object'],
      sendSync: 'electron stand-in: ipcRenderer.sendSync is not implemented',
      platform: 'electron stand-in: process (in a preload).platform is not implemented'
    })
  })

  it('refuses to expose the same name twice, or one that the window has', async () => {
    const sentence = 'Cannot bind an API on top of an existing property on the window object'
    expect(await page.evaluate(() => [facts['again'], facts['onDocument']])).toEqual([sentence, sentence])
  })

  it('freezes the exposed object deeply', async () => {
    const result = await page.evaluate(() => {
      const nested = api['nested'] as unknown as { list: object[] }
      const replaced = Reflect.set(window, 'api', 1)
      return [
        Object.isFrozen(api),
        Object.isFrozen(nested),
        Object.isFrozen(nested.list[1]),
        replaced,
        typeof api
      ]
    })
    expect(result).toEqual([true, true, true, false, 'object'])
  })

  it('copies values as structured clone does, classes without their methods, errors as their message', async () => {
    const result = await page.evaluate(() => {
      const { nested, person, error } = api as unknown as Record<string, Record<string, unknown>>
      const thrown = error as unknown as Error & { code?: number }
      return {
        date: nested?.['date'] instanceof Date,
        map: (nested?.['map'] as Map<string, Set<number>> | undefined)?.get('a')?.has(1),
        bytes: [...((nested?.['bytes'] ?? []) as Uint8Array)],
        person: [person?.['name'], typeof person?.['greet']],
        error: [thrown instanceof Error, thrown.name, thrown.message, thrown.code]
      }
    })
    expect(result).toEqual({
      date: true,
      map: true,
      bytes: [1, 2],
      person: ['Ada', 'undefined'],
      error: [true, 'Error', 'typed', undefined]
    })
  })

  it('proxies functions both ways, with their receiver, and gives the original back to its own world', async () => {
    const result = await page.evaluate(() => {
      const own = (): number => 1
      const received: unknown[] = []
      api['keep']?.((value: unknown) => received.push(value))
      api['fire']?.()
      const adder = api['adder']?.() as (a: number) => (b: number) => number
      return [
        api['add']?.(1, 2),
        api['receiver']?.(),
        api.call((value) => [value, 'back'], 'to'),
        api['echo']?.(own) === own,
        adder(2)(3),
        received
      ]
    })
    expect(result).toEqual([3, 1, ['to', 'back'], true, 5, ['fired']])
  })

  it('keeps a function while the other world has a proxy of it, and no longer', async () => {
    const isAlive = async (): Promise<boolean> => {
      await page.requestGC()
      return page.evaluate(() => window.passed?.deref() !== undefined)
    }
    await page.evaluate(() => {
      const own = (): number => 1
      window.passed = new WeakRef(own)
      api['keep']?.(own)
      api['echo']?.(own)
    })
    expect(await isAlive()).toBe(true)
    expect(await page.evaluate(() => api['fire']?.())).toContain(1)
    await page.evaluate(() => api['drop']?.())
    await expect.poll(isAlive).toBe(false)
  })

  it('keeps a function when those of the document before a reload are collected', async () => {
    const keep = () =>
      page.evaluate(() => {
        for (let count = 0; count < 100; count++) api['keep']?.(() => count)
      })
    await keep()
    // A tool that looks into a document keeps it after it was left.
    const left = await page.evaluateHandle(() => window)
    await page.evaluate(() => api['drop']?.())
    await page.reload()
    await keep()
    for (let turn = 0; turn < 5; turn++) await page.requestGC()
    await left.dispose()
    expect(await page.evaluate(() => api['fire']?.())).toEqual(
      Array.from({ length: 100 }, (_, count) => count)
    )
  })

  it('proxies promises', async () => {
    const result = await page.evaluate(async () => {
      const refused = await (api['reject']?.() as Promise<never> | undefined)?.catch(
        (error: unknown) => error as Error & { code?: number }
      )
      return [
        await api['later']?.({ a: [1] }),
        [refused instanceof Error, refused?.name, refused?.message, refused?.code],
        await api['echo']?.(Promise.resolve('resolved'))
      ]
    })
    expect(result).toEqual([{ a: [1] }, [true, 'Error', 'refused', undefined], 'resolved'])
  })

  it('passes what a function threw as an Error with its message only', async () => {
    const result = await page.evaluate(() => {
      const thrown = (name: string): unknown[] => {
        try {
          return [api[name]?.()]
        } catch (error) {
          const caught = error as Error & { code?: number }
          return [caught instanceof Error, caught.name, caught.message, caught.code]
        }
      }
      return [thrown('fail'), thrown('throwText')]
    })
    expect(result).toEqual([
      [true, 'Error', 'out of range', undefined],
      [
        true,
        'Error',
        'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.',
        undefined
      ]
    ])
  })

  it('refuses a proxy, at the top or inside, with "An object could not be cloned."', async () => {
    const result = await page.evaluate(() => {
      const attempt = (value: unknown): unknown => {
        try {
          api['echo']?.(value)
          return 'passed'
        } catch (error) {
          return (error as Error).message
        }
      }
      return [
        attempt(new Proxy({}, {})),
        attempt(new Proxy([1], {})),
        attempt({ inside: [new Proxy({ a: 1 }, {})], also: () => 1 }),
        attempt(new Proxy({ callback: () => 1 }, {})),
        attempt(new WeakMap()),
        attempt({ callback: () => 1, promise: Promise.resolve(), plain: { a: 1 } })
      ]
    })
    const refused = 'An object could not be cloned.'
    expect(result).toEqual([refused, refused, refused, refused, refused, 'passed'])
  })

  it('keeps cycles, and gives up beyond a depth of 1000', async () => {
    const result = await page.evaluate(() => {
      const cycle: Record<string, unknown> = { name: 'cycle', callback: () => 1 }
      cycle['self'] = cycle
      const back = api['echo']?.(cycle) as Record<string, unknown>
      let deep: unknown = { callback: () => 1 }
      for (let index = 0; index < 1100; index++) deep = { deep }
      try {
        api['echo']?.(deep)
        return [back['self'] === back, 'passed']
      } catch (error) {
        return [back['self'] === back, (error as Error).message]
      }
    })
    expect(result[0]).toBe(true)
    expect(result[1]).toMatch(/^Electron contextBridge recursion depth exceeded/)
  })

  it('clearCache frees what the page no longer uses', async () => {
    const isHeld = await page.evaluateHandle(() => {
      const unused = new WeakRef(new ArrayBuffer(1e6))
      return () => unused.deref() !== undefined
    })
    expect(await page.evaluate((held) => held(), isHeld)).toBe(true)
    await page.evaluate(() => api['clearCache']?.())
    await expect.poll(() => page.evaluate((held) => held(), isHeld)).toBe(false)
  })
})

describe('a preload that can’t run', () => {
  it.each([
    ['throws', 'throw new Error("broken preload")', /broken preload/],
    ['is no CommonJS', 'import x from "y"', /import/]
  ])('is reported on the console, and the page shown, when it %s', async (_name, preload, reason) => {
    const app = new FixtureApp({
      main: 'app.whenReady().then(() => new BrowserWindow(options())).then((window) => (globalThis.shop = window))',
      preload
    })
    const running = await app.launch()
    const page = await running.firstWindow()
    const errors: string[] = []
    page.on('console', (message) => errors.push(message.text()))
    await running.evaluate(() =>
      (globalThis as unknown as { shop: Electron.BrowserWindow }).shop.loadURL('data:text/html,x')
    )
    await expect.poll(() => errors.join(' ')).toMatch(reason)
    expect(errors[0]).toMatch(/Unable to load preload script: .*preload\.cjs/)
    await running.close()
    app.remove()
  })
})
