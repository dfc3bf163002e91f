/** `copy` into a folder: its data file appears when it is whole. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { openLocked } from '../../../../electron/service/store/sqlite.ts'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()
let target: string
let partial: string

beforeEach(async () => {
  target = join(program.folder, 'target')
  partial = join(target, 'service.sqlite.partial')
  await program.run('init')
  mkdirSync(target)
})

const copy = () => program.exactly('copy', '--from', program.data, '--to', target)

it.each(['', 'no database'])('replaces the %j that a killed copy left', async (left) => {
  writeFileSync(partial, left)
  expect(await copy()).toMatchObject({ code: 0 })
  expect(readdirSync(target)).toEqual(['service.sqlite'])
})

it('makes no file when the data cannot be copied, and fills the empty one of a new service', async () => {
  expect(await program.exactly('copy', '--from', join(program.folder, 'none'), '--to', target)).toMatchObject(
    {
      code: 1
    }
  )
  expect(readdirSync(target)).toEqual([])
  await program.exactly('init', '--data', target)
  expect(await copy()).toMatchObject({ code: 0 })
})

it('is refused while another program copies to the same folder, whose file stays', async () => {
  const other = openLocked(partial)
  other.exec('CREATE TABLE copied (number INTEGER)')
  expect(await copy()).toEqual({
    code: 1,
    stdout: '',
    stderr: `The service is running on ${partial}. Stop it first.\n`
  })
  expect(other.prepare('SELECT * FROM copied').all()).toEqual([])
  other.close()
  expect(readdirSync(target)).toEqual(['service.sqlite.partial'])
  expect(await copy()).toMatchObject({ code: 0 })
  expect(readdirSync(target)).toEqual(['service.sqlite'])
})
