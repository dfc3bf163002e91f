/** `import` of CSV files. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()
const NAMES = ['Zoé', 'Άννα', 'Анна', 'علي', 'अन्ना', '安娜']
const result = v.object({
  added: v.number(),
  known: v.number(),
  refused: v.array(v.object({ line: v.number(), reason: v.string() }))
})

/** Imports a file in which lines are refused. */
const importOthers = async (...args: string[]) => {
  const { code, stdout } = await program.run('import', ...args, '--json')
  expect(code).toBe(1)
  return v.parse(result, JSON.parse(stdout))
}

const LINES = 20_000
const BROKEN = [
  '"Anna;+306940000000;5;5',
  'Anna;6940000000;5;5',
  'Anna;+306940000001;x;5',
  'Anna;+306940000002;1;1;1'
]

it('imports 20,000 lines with 300 broken ones once, also when it is stopped and run again', async () => {
  const file = join(program.folder, 'customers.csv')
  const lines = Array.from({ length: LINES }, (_, index) =>
    index % 66 === 0 && index / 66 < 300
      ? (BROKEN[(index / 66) % BROKEN.length] ?? '')
      : `"${NAMES[index % 6] ?? ''} ""${index}""";+3069${String(10_000_000 + index)};${index % 90};100`
  )
  writeFileSync(file, `\ufeffName;Phone;Balance;Lifetime points\r\n${lines.join('\r\n')}\r\n`)
  await program.run('init')
  await program.run('business', 'add', '--name', 'Corner Café', '--country', 'FR')
  const preview = await importOthers(file, '--customers', '--dry-run')
  expect(preview).toMatchObject({ added: LINES - 300, known: 0 })
  expect(preview.refused.map(({ line }) => line)).toEqual(Array.from({ length: 300 }, (_, n) => n * 66 + 2))

  const stopped = program.start(['import', file, '--customers', '--progress', '--data', program.data])
  await once(stopped.stderr, 'data')
  const ended = once(stopped, 'close')
  stopped.kill('SIGINT')
  await ended
  const finished = await importOthers(file, '--customers')
  expect(finished.added + finished.known).toBe(LINES - 300)
  expect(await importOthers(file, '--customers')).toMatchObject({ added: 0 })

  const database = await openSqlite(join(program.data, 'service.sqlite'))
  const [sums] = await database.read(
    `SELECT count(*) AS entries, sum(lifetime_points) AS points, (SELECT count(*) FROM customers) AS customers FROM entries`
  )
  await database.close()
  const customers = LINES - 300
  expect(sums).toEqual({ entries: customers, points: customers * 100, customers })
  expect((await program.run('verify')).code).toBe(0)
})

it('imports rewards, and refuses a file without the columns', async () => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const file = join(program.folder, 'rewards.csv')
  writeFileSync(file, 'points,name\n80,"Tea, green"\n0,Nothing\n90,καφές\n')
  expect(await importOthers(file, '--rewards')).toMatchObject({
    added: 2,
    refused: [{ line: 3 }]
  })
  expect(await importOthers(file, '--rewards')).toMatchObject({ added: 0, known: 2 })
  writeFileSync(file, 'points,name\n80,"Tea, green"\n')
  expect(await program.run('import', file, '--rewards')).toMatchObject({ code: 0 })
  expect(await program.run('import', file, '--customers')).toMatchObject({
    code: 1,
    stderr: 'The file has no column phone; it has points, name (see --columns).\n'
  })
})
