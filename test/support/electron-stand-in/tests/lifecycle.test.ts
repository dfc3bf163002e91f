import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FixtureApp } from './fixture-app.ts'

const EVENTS = ['ready', 'window-all-closed', 'before-quit', 'will-quit', 'quit']

const MAIN = `
for (const name of ${JSON.stringify(EVENTS)}) app.on(name, () => note(name))
app.removeAllListeners('window-all-closed')
let vetoes = (process.env.VETO ?? '').split(',')
const veto = (name, event) => {
  if (!vetoes.includes(name)) return
  vetoes = vetoes.filter((each) => each !== name)
  note('vetoed', name)
  event.preventDefault()
  setTimeout(() => app.quit(), 50)
}
app.on('before-quit', (event) => veto('before-quit', event))
app.on('will-quit', (event) => veto('will-quit', event))
note('main', app.isReady(), ...(process.env.PASSED_ON ? [process.env.PASSED_ON] : []))
app.whenReady().then(async () => {
  note('whenReady', app.isReady())
  const window = await open()
  note('loaded')
  window.on('close', (event) => { note('close'); veto('close', event) })
  window.on('closed', () => note('closed'))
  if (process.env.DO) new Function('app', 'window', 'note', '__standIn', process.env.DO)(app, window, note, electron.__standIn)
})
`

describe('the lifecycle of an app', () => {
  let app: FixtureApp
  beforeAll(() => {
    app = new FixtureApp({ main: MAIN })
  })
  afterAll(() => app.remove())

  async function run(env: Record<string, string>): Promise<{ code: number | null; notes: string[] }> {
    app.forget()
    const { code } = await app.spawn({ env }).ended
    return { code, notes: app.notes() }
  }

  it('emits its lifecycle events in order, and app.quit ends with code 0', async () => {
    const { code, notes } = await run({ DO: 'app.quit()' })
    expect(notes).toEqual([
      'main false',
      'ready',
      'whenReady true',
      'loaded',
      'before-quit',
      'close',
      'closed',
      'will-quit',
      'quit'
    ])
    expect(code).toBe(0)
  })

  it('quits when the last window closes and window-all-closed has no listener', async () => {
    const { code, notes } = await run({ DO: 'window.close()' })
    expect(notes.slice(4)).toEqual(['close', 'closed', 'before-quit', 'will-quit', 'quit'])
    expect(code).toBe(0)
  })

  it('lets before-quit, a window and will-quit each veto the end', async () => {
    const { code, notes } = await run({ DO: 'app.quit()', VETO: 'before-quit,close,will-quit' })
    expect(notes.slice(4)).toEqual([
      'before-quit',
      'vetoed before-quit',
      'before-quit',
      'close',
      'vetoed close',
      'before-quit',
      'close',
      'closed',
      'will-quit',
      'vetoed will-quit',
      'before-quit',
      'will-quit',
      'quit'
    ])
    expect(code).toBe(0)
  })

  it('app.exit ends with its code and emits no veto events', async () => {
    const { code, notes } = await run({ DO: 'app.exit(7)', VETO: 'before-quit,close,will-quit' })
    expect(notes.slice(4)).toEqual(['closed', 'quit'])
    expect(code).toBe(7)
  })

  it('process.exit is app.exit', async () => {
    const { code, notes } = await run({ DO: 'process.exit(3)' })
    expect(notes.slice(4)).toEqual(['closed', 'quit'])
    expect(code).toBe(3)
  })

  it('SIGTERM quits as a person would, and removes what the run left in the temporary folder', async () => {
    app.forget()
    const running = app.spawn()
    await app.noted('loaded')
    expect(readdirSync(app.temporary)).toEqual([expect.stringMatching(/^tillpoints-stand-in-/)])
    running.child.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: 0, signal: null })
    expect(app.notes().slice(4)).toEqual(['before-quit', 'close', 'closed', 'will-quit', 'quit'])
    expect(readdirSync(app.temporary)).toEqual([])
  })

  it('app.relaunch starts the next process when this one has ended, with the environment of the call', async () => {
    const { code } = await run({
      DO: `
        if (process.argv.includes('--again')) return void app.quit()
        process.env.PASSED_ON = 'yes'
        app.relaunch({ args: [...process.argv.slice(1), '--again'] })
        delete process.env.PASSED_ON
        setTimeout(() => app.exit(7), 200)`
    })
    expect(code).toBe(7)
    await expect.poll(() => app.notes().filter((line) => line === 'quit')).toHaveLength(2)
    const starts = app.notes().filter((line) => /^(main|quit)/.test(line))
    expect(starts).toEqual(['main false', 'quit', 'main false yes', 'quit'])
  })

  it('the end of the Windows session emits session-end and kills the process, unless the app quits then', async () => {
    const END = "window.on('session-end', ({ reasons }) => note('session-end', reasons));"
    const ended = await run({ DO: `${END} __standIn.endSession(); note('after')` })
    expect(ended.notes.slice(4)).toEqual(['session-end shutdown'])
    expect(ended.code).toBeNull()
    const quitting = await run({
      DO: `${END} window.on('session-end', () => app.quit()); __standIn.endSession()`
    })
    expect(quitting.notes.slice(4)).toEqual([
      'session-end shutdown',
      'before-quit',
      'close',
      'closed',
      'will-quit',
      'quit'
    ])
    expect(quitting.code).toBe(0)
  })

  it('goes on after an uncaught error in main, having shown it', async () => {
    app.forget()
    const running = app.spawn({ env: { DO: 'setTimeout(() => app.quit(), 300); throw new Error("oops")' } })
    expect(await running.ended).toEqual({ code: 0, signal: null })
    expect(running.output).toContain('oops')
  })
})
