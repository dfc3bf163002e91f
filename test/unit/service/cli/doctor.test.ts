import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { addressFindings } from '../../../../electron/service/cli/doctor.ts'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()

it('finds nothing in a shop that customers can reach', async () => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Shop', '--country', 'GR')
  const backups = join(program.folder, 'backups')
  mkdirSync(backups)
  expect((await program.run('backup', join(backups, 'one.sqlite'))).code).toBe(0)
  const flags = ['--public-url', 'https://points.example.com', '--backups', backups]
  expect(await program.run('doctor', ...flags)).toEqual({ code: 0, stdout: 'Nothing found.\n', stderr: '' })
})

it('says in words what is wrong, and exits with 1', async () => {
  await program.run('init')
  const backups = join(program.folder, 'backups')
  mkdirSync(backups)
  const old = join(backups, 'old.sqlite')
  writeFileSync(old, '')
  utimesSync(old, new Date(), new Date(Date.now() - 3 * 24 * 3_600_000))
  const answer = await program.run(
    'doctor',
    '--public-url',
    'http://192.168.1.5',
    '--backups',
    backups,
    '--json'
  )
  expect(answer.code).toBe(1)
  const { findings } = v.parse(v.object({ findings: v.array(v.string()) }), JSON.parse(answer.stdout))
  expect(findings).toEqual([
    expect.stringContaining('no business yet'),
    expect.stringContaining("only phones in the shop's Wi-Fi"),
    expect.stringContaining('no TLS'),
    expect.stringContaining('72 hours old')
  ])
})

it.each([
  ['https://points.example.com', 0],
  ['https://8.8.8.8', 0],
  ['https://127.0.0.1:4010', 1],
  ['https://[::1]', 1],
  ['https://localhost', 1],
  ['https://172.20.1.1', 1],
  ['https://[fd00::1]', 1],
  ['https://till.local', 1],
  ['https://shop', 1],
  ['http://points.example.com', 1],
  ['nonsense', 1]
])('%s has %i findings', (address, count) => {
  expect(addressFindings(address)).toHaveLength(count)
})
