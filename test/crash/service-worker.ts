/**
 * Issues and collects codes on a data file until it is killed: `service-worker.ts FILE BUSINESS CUSTOMER`. Prints `=CODE` for
 * each code that was acknowledged, and `+CODE` for each collection.
 */
import { writeSync } from 'node:fs'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { Shop } from '../support/service-shop.ts'

/** Calls that are under way at once. */
const CALLS = 16

const [file = '', business = '', customer = ''] = process.argv.slice(2)
const shop = new Shop(await openSqlite(file), Number(business))
shop.now = new Date()

const work = async (): Promise<never> => {
  for (;;) {
    const code = await shop.issue(10)
    // At once: what is buffered would be lost with the process.
    writeSync(1, `=${code}\n`)
    await shop.collect(customer, code)
    writeSync(1, `+${code}\n`)
  }
}

await Promise.all(Array.from({ length: CALLS }, work))
