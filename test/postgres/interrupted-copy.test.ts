/** `copy` into PostgreSQL, ended by a signal. */
import { mkdirSync } from 'node:fs'
import { once } from 'node:events'
import { expect, inject, it, onTestFinished } from 'vitest'
import { CustomerStore } from '../../electron/service/store/customers.ts'
import { dataFile } from '../../electron/service/cli/place.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { createTestDatabase } from '../support/postgres/databases.ts'
import { ServiceProgram } from '../unit/service/cli/program.ts'
import { Shop } from '../unit/service/store/shop.ts'

const program = new ServiceProgram()
/** Three batches of a copy. */
const CUSTOMERS = 6000

/** Creates a service with many customers in the folder of the program. */
const fillFolder = async (): Promise<void> => {
  mkdirSync(program.data)
  const database = await openSqlite(dataFile(program.data))
  const { business } = await Shop.addTo(database)
  const customers = Array.from({ length: CUSTOMERS }, (_, index) => ({
    id: `cus_${String(index).padStart(16, '0')}`,
    name: 'Anna',
    phone: `+30694${String(1_000_000 + index)}`,
    email: null
  }))
  await database.transaction((queries) =>
    new CustomerStore(queries).addAll(business, customers, '2026-11-01T00:00:00.000Z')
  )
  await database.close()
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  'says that nothing was changed after %s, leaves the target empty, and copies when it is run again',
  async (signal) => {
    await fillFolder()
    const created = await createTestDatabase(inject('postgresUrl') ?? '')
    onTestFinished(() => created.remove())
    const args = ['copy', '--from', program.data, '--to', created.url, '--progress']
    const child = program.start(args)
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      // A second signal would end the process.
      if (!said.includes('customers:') && chunk.includes('customers:')) child.kill(signal)
      said += chunk.toString()
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(said).toMatch(/\nInterrupted\. Nothing was changed\.\n$/)

    const target = await created.open()
    expect(await target.read('SELECT business FROM businesses')).toEqual([])
    await target.close()
    expect(await program.exactly(...args)).toMatchObject({ code: 0 })
  }
)
