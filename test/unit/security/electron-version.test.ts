/** Which Electron the till is made with (SECURITY.md, item 16). What becomes known of it later, the audits tell. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const read = (name: string): unknown => JSON.parse(readFileSync(join(PROJECT, name), 'utf8'))

const { devDependencies } = v.parse(
  v.object({ devDependencies: v.record(v.string(), v.string()) }),
  read('package.json')
)
const { packages } = v.parse(
  v.object({ packages: v.record(v.string(), v.looseObject({ version: v.optional(v.string()) })) }),
  read('package-lock.json')
)

test('is one release, the same in the lockfile, and no preview', () => {
  expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/)
  expect(packages['node_modules/electron']?.version).toBe(devDependencies['electron'])
})

test('is not older than the one whose defaults the till was written against', () => {
  expect(Number(devDependencies['electron']?.split('.')[0])).toBeGreaterThanOrEqual(45)
})
