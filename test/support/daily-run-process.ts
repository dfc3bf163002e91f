/** A process that does the daily run of a moment, on a file or a database of PostgreSQL, until it is done or killed. */
import { DailyRun } from '../../electron/service/store/daily-run.ts'
import { openPostgres } from '../../electron/service/store/postgres.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'

const [, , place = '', at = ''] = process.argv
const database = await (place.startsWith('postgres') ? openPostgres(place) : openSqlite(place))
process.send?.('ready')
await new DailyRun({ database, now: () => new Date(at) }).run()
await database.close()
process.disconnect()
