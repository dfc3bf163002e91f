/** What a service that runs writes to its log. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { Log } from '../../../../electron/service/monitoring/log.ts'
import { MAIN, ServiceProgram } from './program.ts'

const program = new ServiceProgram()
const CODE = '7QK2M0ZC4T9A'

/**
 * Starts a service whose stderr is a file, as the journal is one for a unit. Its codes cannot be read.
 * @param isJournal whether the system says that the file is the journal
 */
const startBroken = async (isJournal: boolean) => {
  await program.run('init')
  const path = join(program.folder, 'journal')
  const file = openSync(path, 'a')
  const { dev, ino } = fstatSync(file)
  const server = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--data', program.data], {
    stdio: ['ignore', 'pipe', file],
    env: { ...process.env, JOURNAL_STREAM: `${String(dev)}:${String(isJournal ? ino : ino + 1)}` }
  })
  closeSync(file)
  onTestFinished(async () => {
    const ended = once(server, 'close')
    server.kill('SIGTERM')
    await ended
  })
  if (server.stdout === null) throw new Error('stdout is a pipe')
  let origin = ''
  for await (const line of createInterface(server.stdout)) {
    origin = new URL(line.replace(/^\w+ on /, '')).origin
    break
  }
  const other = new DatabaseSync(join(program.data, 'service.sqlite'))
  other.exec('ALTER TABLE codes RENAME TO gone')
  other.close()
  return { origin, logged: () => readFileSync(path, 'utf8').trimEnd().split('\n') }
}

it('names the route of a failed request, each line with its priority, and its stack once', async () => {
  const { origin, logged } = await startBroken(true)
  for (let times = 0; times < 2; times += 1) {
    expect((await fetch(`${origin}/q/${CODE}?phone=%2B306901234567`)).status).toBe(500)
  }
  const lines = logged()
  const said = '<3>GET /q/:code failed: Error: no such table: codes'
  expect(lines.filter((line) => line.includes('failed'))).toEqual([said, said])
  expect(lines.at(-1)).toBe(said)
  const frames = lines.slice(1, -1)
  expect(frames.length).toBeGreaterThan(2)
  expect(frames.every((line) => line.startsWith('<3>    at '))).toBe(true)
  expect(lines.join('\n')).not.toContain(CODE)
  expect(lines.join('\n')).not.toContain('690123')
})

it('writes no priorities where stderr is not the journal', async () => {
  const { origin, logged } = await startBroken(false)
  await fetch(`${origin}/q/${CODE}`)
  expect(logged()[0]).toBe('GET /q/:code failed: Error: no such table: codes')
})

it('gives each line of a refusal a priority', async () => {
  const path = join(program.folder, 'journal')
  const file = openSync(path, 'a')
  const { dev, ino } = fstatSync(file)
  const child = spawn(process.execPath, [MAIN, 'serve', '--data', program.data], {
    stdio: ['ignore', 'ignore', file],
    env: { ...process.env, JOURNAL_STREAM: `${String(dev)}:${String(ino)}` }
  })
  closeSync(file)
  expect(await once(child, 'close')).toEqual([1, null])
  expect(readFileSync(path, 'utf8')).toMatch(/^<3>There is no service in .*\n$/)
})

it.each([
  ['invalid input syntax for type bigint: "+306901234567"', 'invalid input syntax for type bigint: …'],
  ['Key 7QK2M0ZC4T9A is taken', 'Key … is taken'],
  ['no cus_7qk2m0zc4t9ax3bd here', 'no … here'],
  ['phone 0690 123-4567 or maria@example.com', 'phone … or …'],
  ['Invalid type: Expected number but received "Maria"', 'Invalid type: Expected number but received …'],
  [`Unexpected token 'M', "Maria Papa" is not valid JSON`, `Unexpected token 'M', … is not valid JSON`],
  ['relation "codes" does not exist', 'relation "codes" does not exist'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED …:5432']
])('leaves out what was sent: %s', (message, said) => {
  let text = ''
  new Log((written) => (text += written), false).failure('POST /pair', new Error(message))
  expect(text.split('\n')[0]).toBe(`POST /pair failed: Error: ${said}`)
})

it('says what caused a failure', () => {
  let text = ''
  const error = new Error('The disk is full.', { cause: new Error('SQLITE_FULL') })
  new Log((written) => (text += written), false).failure('POST /q/:code', error)
  expect(text.split('\n')[0]).toBe('POST /q/:code failed: Error: The disk is full. (Error: SQLITE_FULL)')
})
