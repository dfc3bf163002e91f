/** SIGKILL of daily runs, two at once: each lot ends once, and what one has not done the next one does. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { killDailyRuns } from '../support/killed-daily-runs.ts'

it('ends every lot once, whenever runs are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daily-run-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'service.sqlite')
  const database = await openSqlite(file)
  onTestFinished(() => database.close())
  await killDailyRuns(database, file)
})
