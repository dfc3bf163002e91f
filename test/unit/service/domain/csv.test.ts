import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BYTE_ORDER_MARK, csvRecord } from '../../../../electron/contract/text.ts'
import {
  decodeCsv,
  readRows,
  separatorLine,
  type Separator
} from '../../../../electron/service/domain/csv.ts'

const read = (text: string, separator: Separator = ',') =>
  Array.from(readRows(decodeCsv(new TextEncoder().encode(text)), separator), ({ row, cells, isReadable }) =>
    isReadable ? [row, cells] : [row, 'unreadable', cells]
  )

it.each([
  ['1,2', [[1, ['1', '2']]]],
  [`${BYTE_ORDER_MARK}1 , 2\r\n`, [[1, ['1', '2']]]],
  [
    '"1\r2\r3,4\r',
    [
      [1, 'unreadable', ['1']],
      [2, ['2']],
      [3, ['3', '4']]
    ]
  ],
  ['\n \n,\n1,2\n', [[4, ['1', '2']]]],
  [
    '"x\r\ny","say ""hi"""\n1,2',
    [
      [1, ['x\r\ny', 'say "hi"']],
      [2, ['1', '2']]
    ]
  ],
  [
    '"open,1\n1,2',
    [
      [1, 'unreadable', ['open', '1']],
      [2, ['1', '2']]
    ]
  ],
  [
    '1"2,3\n"1"2,3\n1,2',
    [
      [1, 'unreadable', ['12', '3']],
      [2, 'unreadable', ['12', '3']],
      [3, ['1', '2']]
    ]
  ],
  [`'=1+1,'+30`, [[1, ['=1+1', '+30']]]],
  ['', []]
])('reads %j', (text, rows) => {
  expect(read(text)).toEqual(rows)
})

it('reads UTF-16 with its mark, as a spreadsheet writes text', () => {
  expect(decodeCsv(Buffer.from(`${BYTE_ORDER_MARK}Zoé\t1`, 'utf16le'))).toBe('Zoé\t1')
  expect(() => decodeCsv(Buffer.from('n\tm', 'utf16le'))).toThrow('not UTF-8')
})

it.each([
  ['sep=;\r\na;b', ';', 'a;b'],
  ['"sep=\t"\na', '\t', 'a'],
  ['sepia;b', null, 'sepia;b']
])('takes the separator from the first line of %j', (text, separator, rest) => {
  expect(separatorLine(text)).toEqual({ separator, rest })
})

it.each([',', ';'] as const)('reads with %j what an export writes', (separator) => {
  const field = fc
    .string({ unit: fc.constantFrom('a', 'é', '安', "'", '"', '=', '+', ',', ';', '\n', '\r\n', ' ') })
    .filter((text) => text.trim() === text)
  fc.assert(
    fc.property(fc.array(fc.tuple(field, field), { maxLength: 5 }), (records) => {
      const text = records.map((fields) => csvRecord(fields, separator)).join('')
      expect(read(text, separator).map(([, cells]) => cells)).toEqual(
        records.filter((fields) => fields.join('') !== '')
      )
    })
  )
})
