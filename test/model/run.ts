/** Runs commands in worlds on one small disk, for a test file. */
import fc from 'fast-check'
import { afterAll, beforeAll, vi } from 'vitest'
import type { LoyaltyPointsService } from '../../electron/service/index.ts'
import { mountTmpfs, type Tmpfs } from '../support/tmpfs.ts'
import { Cashier } from './commands.ts'
import { openService } from './service.ts'
import { World } from './world.ts'

/** Megabytes: a backup is made only beside 50 MB that stay free. */
const DISK_SIZE = 72

/** Returns a function that runs commands in a new world, and resolves with it after it was closed. */
export function worldsForTests(): (commands: Iterable<fc.AsyncCommand<Cashier, World>>) => Promise<World> {
  let disk: Tmpfs
  let service: LoyaltyPointsService
  beforeAll(async () => {
    // The timers of the tills run between two commands.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    disk = mountTmpfs(DISK_SIZE)
    service = await openService()
  })
  afterAll(async () => {
    vi.useRealTimers()
    await service.close()
    disk.remove()
  })
  return async (commands) => {
    const world = World.open(disk, service)
    try {
      await fc.asyncModelRun(() => ({ model: new Cashier(), real: world }), commands)
    } finally {
      await world.close()
    }
    return world
  }
}
