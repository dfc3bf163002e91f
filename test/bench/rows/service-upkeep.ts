/** The service over a longer time: its memory at full load, and nightly backups meanwhile. */
import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { backupsFolder, dataFile } from '../../../electron/service/cli/place.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { createChain, startService } from '../../support/service-load/chain.ts'
import { wholeMemoryOf } from '../../support/undriven-app/processes.ts'
import { sizeOf, type Bench } from '../bench.ts'
import { atMost, atMostTimes, type Measured } from '../line.ts'
import { collect, issue, storesHere, withPlaces, withServers } from './service.ts'

/** One business; minutes at full load, in bursts of so many seconds; and nights with a backup. */
const EXTENT = {
  smoke: { customers: 500, minutes: 0.1, seconds: 1, nights: 2 },
  full: { customers: sizeOf('CUSTOMERS', 50_000), minutes: sizeOf('MINUTES', 10), seconds: 5, nights: 14 }
} as const
const requests = [issue, issue, collect]

/** The bench of the service's memory. */
export const serviceMemoryBench: Bench = {
  name: 'service-memory',
  description: 'the process after ten minutes over 64 connections, as fast as it answers, against one minute',
  async measure({ extent, folder, say }) {
    const { customers, minutes, seconds } = EXTENT[extent]
    const bursts = Math.round((minutes * 60) / seconds)
    const lines: Measured[] = []
    for (const store of storesHere()) {
      say(`${store}: ${String(minutes)} minutes`)
      await withPlaces(store, folder, async ([place]) => {
        await createChain(place, { businesses: 1, customers })
        const server = await startService(place)
        await withServers([server], customers, async (send) => {
          const took: number[] = []
          for (let burst = 0; burst < bursts; burst++) {
            await send(server, { seconds, connections: 64, requests })
            took.push(wholeMemoryOf(server.pid).proportional)
          }
          const samples = { ours: took.slice(-6), baseline: took.slice(0, 60 / seconds).slice(-6) }
          const line = { unit: 'MB', samples } as const
          const name = `service-memory, ${store}: after ${String(minutes)} minutes`
          lines.push(
            { ...line, name, against: 'one minute', target: atMostTimes(1.3) },
            { ...line, name: `${name}, all of it`, target: atMost(200, 'p50') }
          )
        })
      })
    }
    return lines
  }
}

/** The bench of nightly backups. */
export const serviceBackupBench: Bench = {
  name: 'service-backup',
  description: 'requests while backups are made, 100 a second, and the size of 14 backups against the data',
  async measure({ extent, folder, say }) {
    const { customers, nights } = EXTENT[extent]
    await createChain({ folder }, { businesses: 1, customers, codes: 10 })
    const server = await startService({ folder })
    const program = join(PROJECT, 'electron/service/cli/main.ts')
    const command = [program, ...['backup', '--keep', '14'], ...['--data', folder]]
    return withServers([server], customers, async (send) => {
      const ours: number[] = []
      for (let night = 0; night < nights; night++) {
        say(`backup ${String(night + 1)}`)
        const done = new AbortController()
        const backup = promisify(execFile)(process.execPath, command).finally(() => done.abort())
        while (!done.signal.aborted) {
          const { ms } = await send(server, { seconds: 1, perSecond: 100, requests })
          ours.push(...Object.values(ms).flat())
        }
        await backup
      }
      const backups = readdirSync(backupsFolder(folder)).map((name) => join(backupsFolder(folder), name))
      const size = (files: readonly string[]) => [
        files.reduce((sum, file) => sum + statSync(file).size / 1e6, 0)
      ]
      const samples = { ours: size(backups), baseline: size([dataFile(folder)]) }
      const line = { name: `service-backup: ${String(backups.length)} backups`, unit: 'MB', samples } as const
      const waited = { name: 'service-backup: a request meanwhile', unit: 'ms', samples: { ours } } as const
      return [
        { ...waited, target: atMost(100, 'max') },
        { ...line, against: 'data', target: atMostTimes(4) }
      ]
    })
  }
}
