import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TESTED_APIS } from './tested-apis.ts'
import { usedApis } from './used-apis.ts'

it('names a test for every API that the till uses, and for no other', () => {
  expect(TESTED_APIS.flatMap(([, apis]) => apis).sort()).toEqual(usedApis())
})

it('names tests that exist', () => {
  const missing = TESTED_APIS.filter(([test]) => {
    const [file = '', title = ''] = test.split(' › ')
    return !readFileSync(join(import.meta.dirname, file), 'utf8').includes(`'${title}`)
  })
  expect(missing).toEqual([])
})
