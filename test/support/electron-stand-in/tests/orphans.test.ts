import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FixtureApp } from './fixture-app.ts'

/** Chromium processes that a stand-in with this pid started, found by the parent that the profile's name can't tell. */
function chromiums(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent
      } catch {
        return false
      }
    })
    .map(Number)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

describe('what remains when one half of a running app dies', () => {
  let app: FixtureApp
  beforeAll(() => {
    app = new FixtureApp({ main: "app.whenReady().then(() => open()).then(() => note('loaded'))" })
  })
  afterAll(() => app.remove())

  it('leaves no Chromium behind when the main process is killed', async () => {
    const running = app.spawn()
    await app.noted('loaded')
    const children = chromiums(running.child.pid ?? 0)
    expect(children.length).toBeGreaterThan(0)
    running.child.kill('SIGKILL')
    await running.ended
    await expect.poll(() => children.filter(isAlive)).toEqual([])
  })

  it('ends with an error when Chromium dies under it', async () => {
    app.forget()
    const running = app.spawn()
    await app.noted('loaded')
    const [browser] = chromiums(running.child.pid ?? 0).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('remote-debugging-pipe')
    )
    process.kill(browser ?? 0, 'SIGKILL')
    expect(await running.ended).toEqual({ code: 1, signal: null })
    expect(running.output).toContain('Chromium ended unexpectedly')
  })
})
