import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { InstallObstacle, UpdateState } from '../../../../electron/contract/updates.ts'
import { Updates, type Updater } from '../../../../electron/main/updates/updates.ts'
import { ok } from '../../../../electron/contract/failure.ts'
import { createLazy } from '../../../../electron/main/lazy.ts'
import { MemorySettings } from '../../../support/session.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const NOW = '2026-11-21T08:00:00.000Z'

beforeEach(() => void vi.setSystemTime(NOW))
afterEach(() => void vi.useRealTimers())

/** An updater that offers 1.1.0 and records its calls. */
class FakeUpdater implements Updater {
  able = true
  offer: string | null = '1.1.0'
  readonly calls: string[] = []
  failure: Error | null = null
  percents: readonly number[] = []

  async check(feed: string): Promise<string | null> {
    this.calls.push(`check ${feed}`)
    await Promise.resolve()
    if (this.failure) throw this.failure
    return this.offer
  }

  async download(onPercent: (percent: number) => void): Promise<void> {
    this.calls.push('download')
    for (const percent of this.percents) onPercent(percent)
    await Promise.resolve()
  }

  discard(): void {
    this.calls.push('discard')
  }

  install(): void {
    this.calls.push('install')
    if (this.failure) throw this.failure
  }
}

interface UpdatesFixture {
  readonly updates: Updates
  readonly updater: FakeUpdater
  readonly states: UpdateState[]
  /** how often the updater was opened */
  opened: number
  readonly setFeed: (feed: string | null) => void
  obstacle: Exclude<InstallObstacle, 'customer'> | null
}

/** Creates updates with a feed. */
function createUpdates(notInstalled = false): UpdatesFixture {
  const updater = new FakeUpdater()
  const settings = new MemorySettings({ updates: { feed: 'https://updates.example/' } })
  const made: UpdatesFixture = {
    updater,
    states: [],
    opened: 0,
    setFeed: (feed) => settings.update({ updates: { feed } }),
    obstacle: null,
    updates: new Updates({
      settings,
      defaultFeed: null,
      updater: createLazy(() => {
        made.opened += 1
        return Promise.resolve(updater)
      }),
      slips: { opened: ok({ pendingWork: () => made.obstacle }) },
      shutdown: {
        closeServices() {
          updater.calls.push('close down')
          return Promise.resolve()
        },
        restartWithoutUpdate: () => {
          updater.calls.push('restart')
        }
      },
      notInstalled,
      onChange: () => made.states.push(made.updates.state),
      log: noOpLogger
    })
  }
  return made
}

/** Stops the updates, and lets what that starts run. */
async function stopped({ updates }: UpdatesFixture): Promise<void> {
  updates.stop()
  await new Promise((resolve) => setImmediate(resolve))
}

const errorWithCode = (code: string): Error => Object.assign(new Error(code), { code })

describe('checking for updates', () => {
  it('does not open the updater without a feed', async () => {
    const made = createUpdates()
    made.setFeed(null)
    await made.updates.check()
    expect(made.updates.state).toEqual({ kind: 'off' })
    expect(made.opened).toBe(0)
  })

  it('downloads a newer version in the background and reports the progress', async () => {
    const made = createUpdates()
    made.updater.percents = [1, 4.9, 5.2, 6, 50, 100]
    await made.updates.check()
    expect(made.states).toEqual([
      { kind: 'checking' },
      { kind: 'downloading', version: '1.1.0', percent: 0 },
      { kind: 'downloading', version: '1.1.0', percent: 5 },
      { kind: 'downloading', version: '1.1.0', percent: 50 },
      { kind: 'downloading', version: '1.1.0', percent: 100 },
      { kind: 'ready', version: '1.1.0' }
    ])
    expect(made.updater.calls).toEqual(['check https://updates.example/', 'download'])
  })

  it('reports that this is the newest version', async () => {
    const made = createUpdates()
    made.updater.offer = null
    await made.updates.check()
    expect(made.updates.state).toEqual({ kind: 'newest', checkedAt: NOW })
  })

  it('reports an installation that cannot replace itself', async () => {
    const made = createUpdates()
    made.updater.able = false
    await made.updates.check()
    expect(made.updates.state).toEqual({ kind: 'unsupported' })
    expect(made.updater.calls).toEqual([])
  })

  it('checks once for two concurrent calls', async () => {
    const made = createUpdates()
    await Promise.all([made.updates.check(), made.updates.check()])
    expect(made.updater.calls.filter((each) => each.startsWith('check'))).toHaveLength(1)
  })

  it.each([
    [errorWithCode('ERR_CHECKSUM_MISMATCH'), 'damaged'],
    [errorWithCode('ERR_UPDATER_INVALID_SIGNATURE'), 'untrusted'],
    [errorWithCode('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'no-feed'],
    [errorWithCode('HTTP_ERROR_403'), 'no-feed'],
    [errorWithCode('HTTP_ERROR_503'), 'unreachable'],
    [new Error('net::ERR_CONNECTION_REFUSED'), 'unreachable']
  ])('reports %s as %s', async (failure, fault) => {
    const made = createUpdates()
    made.updater.failure = failure
    await made.updates.check()
    expect(made.updates.state).toEqual({ kind: 'failed', fault, checkedAt: NOW })
  })

  it('drops the result of another feed', async () => {
    const made = createUpdates()
    made.updater.offer = null
    await made.updates.check()
    made.setFeed('https://other.example/')
    expect(made.updates.state).toEqual({ kind: 'unchecked' })
  })

  it.each([null, 'https://other.example/'])(
    'does not install a downloaded version after the feed became %s',
    async (feed) => {
      const made = createUpdates()
      await made.updates.check()
      made.setFeed(feed)
      expect(made.updates.state).toEqual({ kind: feed === null ? 'off' : 'unchecked' })
      expect(await made.updates.install(false)).toEqual({ kind: 'nothing' })
      await stopped(made)
      expect(made.updater.calls.slice(2)).toEqual(['discard'])
    }
  )

  it.each<[string, Partial<FakeUpdater>]>([
    ['has no newer version', { offer: null }],
    ['cannot be reached', { failure: new Error('net::ERR_CONNECTION_REFUSED') }]
  ])('does not install a version of the server of before when the next one %s', async (_what, answer) => {
    const made = createUpdates()
    await made.updates.check()
    made.setFeed('https://other.example/')
    Object.assign(made.updater, answer)
    await made.updates.check()
    await stopped(made)
    expect(made.updater.calls.at(-1)).toBe('discard')
  })

  it('does not install a version whose server was removed while it downloaded', async () => {
    const made = createUpdates()
    const checked = made.updates.check()
    made.setFeed(null)
    await stopped(made)
    await checked
    expect(made.updater.calls).toContain('discard')
  })

  it('keeps a downloaded version of the same feed for the end of the app', async () => {
    const made = createUpdates()
    await made.updates.check()
    await stopped(made)
    expect(made.updater.calls).not.toContain('discard')
  })
})

describe('installing an update', () => {
  const ready = async (): Promise<UpdatesFixture> => {
    const made = createUpdates()
    await made.updates.check()
    return made
  }

  it('closes the services before it replaces the program', async () => {
    const made = await ready()
    expect(await made.updates.install(false)).toEqual({ kind: 'restarting' })
    expect(made.updater.calls.slice(-2)).toEqual(['close down', 'install'])
    expect(made.updates.state).toEqual({ kind: 'installing', version: '1.1.0' })
  })

  it('waits while a customer is served, a slip is issued, or a batch runs', async () => {
    const made = await ready()
    expect(await made.updates.install(true)).toEqual({ kind: 'wait', for: 'customer' })
    for (const obstacle of ['slip', 'batch'] as const) {
      made.obstacle = obstacle
      expect(await made.updates.install(false)).toEqual({ kind: 'wait', for: obstacle })
    }
    expect(made.updater.calls).not.toContain('close down')
    expect(made.updates.state).toEqual({ kind: 'ready', version: '1.1.0' })
  })

  it('installs nothing before a download', async () => {
    const made = createUpdates()
    expect(await made.updates.install(false)).toEqual({ kind: 'nothing' })
    expect(made.opened).toBe(0)
  })

  it('restarts the till when the program cannot be replaced, and reports that afterwards', async () => {
    const made = await ready()
    made.updater.failure = new Error('EACCES')
    expect(await made.updates.install(false)).toEqual({ kind: 'restarting' })
    // Otherwise it would be installed again when the app exits.
    expect(made.updater.calls.slice(-3)).toEqual(['install', 'discard', 'restart'])
    expect(createUpdates(true).updates.state).toEqual({
      kind: 'failed',
      fault: 'not-installed',
      checkedAt: NOW
    })
  })
})
