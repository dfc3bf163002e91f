/** A process that collects one code for many customers at once, on a message: see `processes.test.ts`. */
import * as v from 'valibot'
import { systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { Refusal } from '../../electron/service/domain/refusal.ts'
import { CollectStore } from '../../electron/service/store/collects.ts'
import { openPostgres } from '../../electron/service/store/postgres.ts'

const workSchema = v.object({ business: v.number(), code: v.string(), customers: v.array(v.string()) })

const database = await openPostgres(String(process.argv[2]))
const collects = new CollectStore({ database, now: () => new Date(), random: systemRandomBytes })

process.once('message', (message) => {
  const { business, code, customers } = v.parse(workSchema, message)
  const collect = async (customer: string): Promise<string> => {
    try {
      await collects.collect({ business, customer, code, by: 'test' })
      return 'collected'
    } catch (error) {
      if (error instanceof Refusal) return error.reason
      throw error
    }
  }
  void Promise.all(customers.map(collect)).then(async (outcomes) => {
    await database.close()
    process.send?.(outcomes, () => process.disconnect())
  })
})
process.send?.('ready')
