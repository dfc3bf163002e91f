/** The address that codes on slips begin with: given, kept with the data, or missing. */
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()

const codeSchema = v.object({ code: v.string() })
const pairedSchema = v.object({ baseUrl: v.string(), token: v.string() })

const LOCAL = 'http://127.0.0.1:4010'

/** Serves a folder while `use` runs, which gets the base URL of the API. */
const serving = async (folder: string, options: readonly string[], use: (url: string) => Promise<void>) => {
  const child = program.start(['serve', '--port', '0', ...options, '--data', folder])
  const [line] = v.parse(v.tuple([v.string()]), await once(createInterface(child.stdout), 'line'))
  await use(line.replace('listening on ', ''))
  const ended = once(child, 'close')
  child.kill()
  await ended
}

/** Pairs a till. */
const pair = async (url: string, folder = program.data): Promise<Response> => {
  const made = await program.exactly('till', 'pair', '--name', 'Till', '--json', '--data', folder)
  const body = JSON.stringify(v.parse(codeSchema, JSON.parse(made.stdout)))
  const headers = { 'content-type': 'application/json' }
  return fetch(new URL('/pair', url), { method: 'POST', headers, body })
}

/** Expects that a till is told an origin, and that codes begin with it. */
const expectOrigin = async (url: string, origin: string, folder = program.data): Promise<void> => {
  const { baseUrl, token } = v.parse(pairedSchema, await (await pair(url, folder)).json())
  expect(baseUrl).toBe(`${origin}/api`)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const issued = await fetch(`${url}/qr`, { method: 'POST', headers, body: '{"points":5}' })
  expect(JSON.stringify(await issued.json())).toContain(`${origin}/q/`)
}

it('is kept when it is given, also in a backup that a new machine restores', async () => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  await serving(program.data, ['--public-url', 'https://first.example.com'], (url) =>
    expectOrigin(url, 'https://first.example.com')
  )
  await serving(program.data, ['--public-url', 'https://points.example.com'], (url) =>
    expectOrigin(url, 'https://points.example.com')
  )
  const file = join(program.folder, 'backup.sqlite')
  await program.run('backup', file)
  const machine = join(program.folder, 'machine')
  await program.exactly('restore', file, '--data', machine)
  await serving(machine, [], (url) => expectOrigin(url, 'https://points.example.com', machine))
  const { stdout } = await program.exactly('staff', 'link', '--data', machine)
  expect(stdout).toMatch(/^https:\/\/points\.example\.com\/welcome\//)
})

it('is needed for tills, unless it is named as this machine', async () => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  await serving(program.data, [], async (url) => {
    const refused = await pair(url)
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      message: 'The service was started without its public address (--public-url)'
    })
  })
  await serving(program.data, ['--public-url', LOCAL], (url) => expectOrigin(url, LOCAL))
  const database = new DatabaseSync(join(program.data, 'service.sqlite'))
  database.exec('DELETE FROM settings')
  database.close()
  const { code, stdout, stderr } = await program.run('serve', '--port', '0')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('start with --public-url https://points.example.com')
})
