import { setImmediate } from 'node:timers'
import { expect, it } from 'vitest'
import { MAX_IMPORT_LINES, type ImportKind } from '../../../../electron/service/domain/import-columns.ts'
import { parseImport, type ParsedImport } from '../../../../electron/service/domain/imports.ts'
import { SPOILED_FILES, TILL_EXPORTS } from './till-exports.ts'

const parse = (kind: ImportKind, text: string, country = 'GR'): Promise<ParsedImport> =>
  parseImport(kind, text, { country, chosen: {} })

const rewards = (count: number): string =>
  `name,points\n${Array.from({ length: count }, (_, index) => `R${index},80`).join('\n')}\n`

const customersOf = (parsed: ParsedImport) =>
  parsed.kind === 'customers' ? parsed.rows.map(({ phone, balance, name }) => [phone, balance, name]) : []

it.each([...TILL_EXPORTS, ...SPOILED_FILES])(
  'brings each customer, or names the line: $what',
  async ({ text, customers, refused = [], unusedPoints = [], country }) => {
    const parsed = await parse('customers', text, country)
    expect(customersOf(parsed)).toEqual(customers)
    expect(parsed.refused.map(({ line, fault }) => [line, fault])).toEqual(refused)
    expect(parsed.unusedPoints).toEqual(unusedPoints)
  }
)

it('loses no line of 100,000, and no point', async () => {
  const all = Array.from({ length: 100_000 }, (_, index) => {
    if (index % 1000 === 7) return `Anna;12;${index}`
    return `Anna ${index};69${String(40_000_000 + index)};${index % 300},00`
  })
  const parsed = await parse('customers', `Name;Phone;Points\r\n${all.join('\r\n')}\r\n`)
  const points = all.keys().reduce((sum, index) => sum + (index % 1000 === 7 ? 0 : index % 300), 0)
  expect(customersOf(parsed).reduce((sum, [, balance]) => sum + Number(balance), 0)).toBe(points)
  expect(parsed.rows).toHaveLength(99_900)
  expect(parsed.refused.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, n) => n * 1000 + 9))
}, 60_000)

it('reads the columns that were chosen, and names those that are not used', async () => {
  const text = 'Who,Number,Stamps,Memo\nAnna,6940000001,12,tea\n'
  const guessed = await parse('customers', text)
  expect(guessed.unused).toEqual(['Who', 'Stamps', 'Memo'])
  const parsed = await parseImport('customers', text, {
    country: 'GR',
    // The last one is not in the file.
    chosen: { name: 0, phone: 1, balance: 2, email: 9 }
  })
  expect(customersOf(parsed)).toEqual([['+306940000001', 12, 'Anna']])
  expect([parsed.unused, parsed.choice]).toEqual([['Memo'], { name: 0, phone: 1, balance: 2 }])
})

it('lets others be served while it parses a long file', async () => {
  let served = 0
  let isParsing = true
  const serve = (): void => {
    served += 1
    if (isParsing) setImmediate(serve)
  }
  setImmediate(serve)
  const { rows } = await parse('rewards', rewards(20_000))
  isParsing = false
  expect(rows).toHaveLength(20_000)
  expect(served).toBeGreaterThanOrEqual(20)
})

it('refuses a file with more lines than are in memory at once', async () => {
  await expect(parse('rewards', rewards(MAX_IMPORT_LINES + 1))).rejects.toMatchObject({
    reason: 'file-too-long'
  })
})
