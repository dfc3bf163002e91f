import { describe, expect, it } from 'vitest'
import type { InstallObstacle, UpdateState } from '../../../../electron/contract/updates.ts'
import { Updates, type Updater } from '../../../../electron/main/updates/updates.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const NOW = '2026-11-21T08:00:00.000Z'

/** An updater that offers 1.1.0, and writes down what is asked of it. */
class FakeUpdater implements Updater {
  able = true
  offer: string | null = '1.1.0'
  readonly asked: string[] = []
  failure: Error | null = null
  percents: readonly number[] = []

  async check(feed: string): Promise<string | null> {
    this.asked.push(`check ${feed}`)
    await Promise.resolve()
    if (this.failure) throw this.failure
    return this.offer
  }

  async download(onPercent: (percent: number) => void): Promise<void> {
    this.asked.push('download')
    for (const percent of this.percents) onPercent(percent)
    await Promise.resolve()
  }

  install(): void {
    this.asked.push('install')
    if (this.failure) throw this.failure
  }
}

interface Till {
  readonly updates: Updates
  readonly updater: FakeUpdater
  readonly told: UpdateState[]
  /** how often the updater was opened */
  opened: number
  feed: string | null
  obstacle: Exclude<InstallObstacle, 'customer'> | null
  restarted: boolean
}

/** A till with updates from a feed. */
function till(notInstalled = false): Till {
  const updater = new FakeUpdater()
  const made: Till = {
    updater,
    told: [],
    opened: 0,
    feed: 'https://updates.example/',
    obstacle: null,
    restarted: false,
    updates: new Updates({
      feed: () => made.feed,
      openUpdater() {
        made.opened += 1
        return Promise.resolve(updater)
      },
      obstacle: () => made.obstacle,
      closeDown() {
        updater.asked.push('close down')
        return Promise.resolve()
      },
      restart: () => (made.restarted = true),
      notInstalled,
      onChange: () => made.told.push(made.updates.state),
      now: () => new Date(NOW),
      log: noOpLogger
    })
  }
  return made
}

const coded = (code: string): Error => Object.assign(new Error(code), { code })

describe('looking for an update', () => {
  it('asks nobody, and loads nothing, without a feed', async () => {
    const made = till()
    made.feed = null
    await made.updates.check()
    expect(made.updates.state).toEqual({ kind: 'off' })
    expect(made.opened).toBe(0)
  })

  it('fetches what is newer in the background, and tells how far it is', async () => {
    const made = till()
    made.updater.percents = [1, 4.9, 5.2, 6, 50, 100]
    await made.updates.check()
    expect(made.told).toEqual([
      { kind: 'checking' },
      { kind: 'downloading', version: '1.1.0', percent: 0 },
      { kind: 'downloading', version: '1.1.0', percent: 5 },
      { kind: 'downloading', version: '1.1.0', percent: 50 },
      { kind: 'downloading', version: '1.1.0', percent: 100 },
      { kind: 'ready', version: '1.1.0' }
    ])
    expect(made.updater.asked).toEqual(['check https://updates.example/', 'download'])
  })

  it('says when this is the newest', async () => {
    const made = till()
    made.updater.offer = null
    await made.updates.check()
    expect(made.updates.state).toEqual({ kind: 'newest', checkedAt: NOW })
  })

  it('says when this installation cannot replace itself', async () => {
    const made = till()
    made.updater.able = false
    await made.updates.check()
    expect(made.updates.state).toEqual({ kind: 'unsupported' })
    expect(made.updater.asked).toEqual([])
  })

  it('looks once for two presses at once', async () => {
    const made = till()
    await Promise.all([made.updates.check(), made.updates.check()])
    expect(made.updater.asked.filter((each) => each.startsWith('check'))).toHaveLength(1)
  })

  it.each([
    [coded('ERR_CHECKSUM_MISMATCH'), 'damaged'],
    [coded('ERR_UPDATER_INVALID_SIGNATURE'), 'untrusted'],
    [coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'no-feed'],
    [coded('HTTP_ERROR_403'), 'no-feed'],
    [coded('HTTP_ERROR_503'), 'unreachable'],
    [new Error('net::ERR_CONNECTION_REFUSED'), 'unreachable']
  ])('tells what went wrong: %s is %s', async (failure, fault) => {
    const made = till()
    made.updater.failure = failure
    await made.updates.check()
    expect(made.updates.state).toEqual({ kind: 'failed', fault, checkedAt: NOW })
  })

  it('forgets what another feed said, but not what lies here already', async () => {
    const made = till()
    made.updater.offer = null
    await made.updates.check()
    made.feed = 'https://other.example/'
    expect(made.updates.state).toEqual({ kind: 'unchecked' })

    made.updater.offer = '1.1.0'
    await made.updates.check()
    made.feed = null
    expect(made.updates.state).toEqual({ kind: 'ready', version: '1.1.0' })
    await made.updates.check()
    expect(made.updater.asked.filter((each) => each === 'download')).toHaveLength(1)
  })
})

describe('installing an update', () => {
  const ready = async (): Promise<Till> => {
    const made = till()
    await made.updates.check()
    return made
  }

  it('ends the services first, and then replaces the program', async () => {
    const made = await ready()
    expect(await made.updates.install(false)).toEqual({ kind: 'restarting' })
    expect(made.updater.asked.slice(-2)).toEqual(['close down', 'install'])
    expect(made.updates.state).toEqual({ kind: 'installing', version: '1.1.0' })
  })

  it('waits while a customer is served, a slip is on its way, or many are issued', async () => {
    const made = await ready()
    expect(await made.updates.install(true)).toEqual({ kind: 'wait', for: 'customer' })
    for (const obstacle of ['slip', 'batch'] as const) {
      made.obstacle = obstacle
      expect(await made.updates.install(false)).toEqual({ kind: 'wait', for: obstacle })
    }
    expect(made.updater.asked).not.toContain('close down')
    expect(made.updates.state).toEqual({ kind: 'ready', version: '1.1.0' })
  })

  it('has nothing to install before something was fetched', async () => {
    const made = till()
    expect(await made.updates.install(false)).toEqual({ kind: 'nothing' })
    expect(made.opened).toBe(0)
  })

  it('restarts the till as it was when the program cannot be replaced, and then says so', async () => {
    const made = await ready()
    made.updater.failure = new Error('EACCES')
    expect(await made.updates.install(false)).toEqual({ kind: 'restarting' })
    expect(made.restarted).toBe(true)
    expect(till(true).updates.state).toEqual({ kind: 'failed', fault: 'not-installed', checkedAt: NOW })
  })
})
