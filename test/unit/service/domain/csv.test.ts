import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BYTE_ORDER_MARK, csvRecord } from '../../../../electron/contract/text.ts'
import { decodeCsv, parseCsv } from '../../../../electron/service/domain/csv.ts'

const read = (text: string) => {
  const { columns, lines } = parseCsv(decodeCsv(new TextEncoder().encode(text)))
  return { columns, lines: Array.from(lines, ({ line, fields }) => [line, fields && [...fields.values()]]) }
}

it.each([
  ['a,b\n1,2', [[2, ['1', '2']]]],
  [`${BYTE_ORDER_MARK}A B;b-c\r\n1 ; 2,3\r\n`, [[2, ['1', '2,3']]]],
  [
    'a,b\r"1\r2\r3,4\r',
    [
      [2, null],
      [3, null],
      [4, ['3', '4']]
    ]
  ],
  ['a,b\n\n \n,\n1,2\n', [[5, ['1', '2']]]],
  [
    'a,b\n"x\r\ny","say ""hi"""\n1,2',
    [
      [2, ['x\r\ny', 'say "hi"']],
      [4, ['1', '2']]
    ]
  ],
  [
    'a,b\n"open,1\n1,2',
    [
      [2, null],
      [3, ['1', '2']]
    ]
  ],
  [
    'a,b\n1\n1,2,3\n1"2,3\n"1"2,3\n1,2',
    [
      [2, null],
      [3, null],
      [4, null],
      [5, null],
      [6, ['1', '2']]
    ]
  ],
  [`a,b\n'=1+1,'+30`, [[2, ['=1+1', '+30']]]],
  ['a,b', []],
  ['', []]
])('reads %j', (text, lines) => {
  expect(read(text).lines).toEqual(lines)
})

it('names columns without case, spaces and dashes', () => {
  expect(read(`${BYTE_ORDER_MARK}Name,"E-mail",Lifetime_points\n`).columns).toEqual([
    'name',
    'email',
    'lifetimepoints'
  ])
})

it.each([',', ';'] as const)('reads with %j what an export writes', (separator) => {
  const field = fc
    .string({ unit: fc.constantFrom('a', 'é', '安', "'", '"', '=', '+', ',', ';', '\n', '\r\n', ' ') })
    .filter((text) => text.trim() === text)
  fc.assert(
    fc.property(fc.array(fc.tuple(field, field), { maxLength: 5 }), (records) => {
      const text =
        csvRecord(['a', 'b'], separator) + records.map((fields) => csvRecord(fields, separator)).join('')
      expect(read(text).lines.map(([, fields]) => fields)).toEqual(
        records.filter((fields) => fields.join('') !== '')
      )
    })
  )
})
