import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { usedApis } from './used-apis.ts'

/** The rows of the README's table: a test, as `file › beginning of its title`, and the APIs whose behaviour it holds. */
const rows = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \S+\.test\.ts › /.test(line))
  .map((line) => {
    const [, test = '', apis = ''] = line.split('|').map((cell) => cell.trim())
    return { test, apis: Array.from(apis.matchAll(/`([^`]+)`/g), ([, api = '']) => api) }
  })

it('names a test for every API that the till uses, and for no other', () => {
  expect(rows.flatMap(({ apis }) => apis).sort()).toEqual(usedApis())
})

it('names tests that exist', () => {
  const missing = rows.filter(({ test }) => {
    const [file = '', title = ''] = test.split(' › ')
    return !readFileSync(join(import.meta.dirname, file), 'utf8').includes(`'${title}`)
  })
  expect(missing).toEqual([])
})
