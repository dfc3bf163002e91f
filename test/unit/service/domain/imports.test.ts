import { setImmediate } from 'node:timers'
import { expect, it } from 'vitest'
import { MAX_IMPORT_LINES, parseImport } from '../../../../electron/service/domain/imports.ts'

const rewards = (count: number): string =>
  `name,points\n${Array.from({ length: count }, (_, index) => `R${index},80`).join('\n')}\n`

it('lets others be served while it parses a long file', async () => {
  let served = 0
  let isParsing = true
  const serve = (): void => {
    served += 1
    if (isParsing) setImmediate(serve)
  }
  setImmediate(serve)
  const { rows } = await parseImport('rewards', rewards(20_000))
  isParsing = false
  expect(rows).toHaveLength(20_000)
  expect(served).toBeGreaterThanOrEqual(20)
})

it('refuses a file with more lines than are in memory at once', async () => {
  await expect(parseImport('rewards', rewards(MAX_IMPORT_LINES + 1))).rejects.toMatchObject({
    reason: 'file-too-long'
  })
})
