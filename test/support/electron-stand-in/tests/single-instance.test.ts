import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { join } from 'node:path'
import { FixtureApp } from './fixture-app.ts'

const MAIN = `
app.commandLine.appendSwitch('added')
const first = app.requestSingleInstanceLock({ greeting: 'hello', from: process.pid })
note(first ? 'first' : 'second')
if (!first) app.quit()
app.on('second-instance', (_event, argv, cwd, data) => {
  note('received', JSON.stringify({ argv: argv.slice(-5), cwd, greeting: data.greeting, ready: app.isReady() }))
  if (argv.includes('--release')) app.releaseSingleInstanceLock()
  if (argv.includes('--end')) app.quit()
})
app.whenReady().then(() => note('ready', process.pid))
app.on('window-all-closed', () => {})
`

describe('the single-instance lock', () => {
  let app: FixtureApp
  beforeAll(() => {
    app = new FixtureApp({ main: MAIN })
  })
  afterAll(() => app.remove())

  it('the first process holds the lock and gets second-instance; the second ends before ready', async () => {
    const first = app.spawn()
    await app.noted('ready')
    const second = await app.spawn({ args: ['one', '--flag=1', 'two'] }).ended
    expect(second.code).toBe(0)
    expect(app.notes().filter((line) => /^(first|second|received)/.test(line))).toEqual([
      'first',
      `received ${JSON.stringify({ argv: ['--ozone-platform=x11', '--added', '.', 'one', 'two'], cwd: app.folder, greeting: 'hello', ready: true })}`,
      'second'
    ])
    expect(app.notes().filter((line) => line.startsWith('ready'))).toHaveLength(1)
    await app.spawn({ args: ['--end'] }).ended
    expect((await first.ended).code).toBe(0)
  })

  it('keeps the locks of two user-data folders apart', async () => {
    app.forget()
    const one = app.spawn()
    await app.noted('ready')
    const other = app.spawn({ userData: join(app.folder, 'other') })
    await expect.poll(() => app.notes().filter((line) => line.startsWith('ready')).length).toBe(2)
    expect(app.notes().filter((line) => line === 'first')).toHaveLength(2)
    for (const running of [one, other]) running.child.kill('SIGTERM')
    await Promise.all([one.ended, other.ended])
  })

  it('is free again after its holder was killed, or released it', async () => {
    app.forget()
    const killed = app.spawn()
    await app.noted('ready')
    killed.child.kill('SIGKILL')
    await killed.ended
    app.forget()
    const heir = app.spawn()
    await app.noted('ready')
    expect(app.notes()).toContain('first')
    await app.spawn({ args: ['--release'] }).ended
    await app.noted('received')
    app.forget()
    const next = app.spawn()
    await app.noted('ready')
    expect(app.notes()).toContain('first')
    for (const running of [heir, next]) running.child.kill('SIGTERM')
    await Promise.all([heir.ended, next.ended])
  })
})
