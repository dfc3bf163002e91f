import { expect, it } from 'vitest'
import { Refusal } from '../../../../electron/service/domain/refusal.ts'
import { MonitoredDatabase } from '../../../../electron/service/monitoring/database.ts'
import { renderMetrics } from '../../../../electron/service/monitoring/metrics.ts'
import { Monitor } from '../../../../electron/service/monitoring/monitor.ts'
import { openShop } from '../store/shop.ts'
import { readExposition } from './exposition.ts'

it('counts failures and repeats of the store, and nothing that the domain refuses', async () => {
  const { database } = await openShop()
  const monitor = new Monitor(() => null)
  const repeating = {
    dialect: database.dialect,
    read: database.read.bind(database),
    write: database.write.bind(database),
    deleteReplaced: database.deleteReplaced.bind(database),
    close: database.close.bind(database),
    transaction: async <Value>(work: Parameters<typeof database.transaction<Value>>[0]) => {
      await database.transaction(work)
      return database.transaction(work)
    }
  }
  const watched = new MonitoredDatabase(repeating, monitor)
  await watched.transaction((queries) => queries.read('SELECT 1'))
  await watched.read('SELECT 1')
  const refused = new MonitoredDatabase(database, monitor).transaction(() =>
    Promise.reject(new Refusal('code-used', 'Used.'))
  )
  await expect(refused).rejects.toThrow('Used.')
  await expect(watched.write('INSERT INTO nothing VALUES (1)')).rejects.toThrow('nothing')
  const metrics = readExposition(renderMetrics(monitor.metrics))
  monitor.close()
  expect(metrics.get('tillpoints_store_repeats_total')?.samples[0]?.value).toBe(1)
  expect(metrics.get('tillpoints_store_errors_total')?.samples[0]?.value).toBe(1)
})
