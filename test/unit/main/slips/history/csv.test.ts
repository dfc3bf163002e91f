import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvField, csvRecord } from '../../../../../electron/main/slips/history/csv.ts'

/** Reads one record as RFC 4180 says. */
function parse(record: string): string[] {
  expect(record.endsWith('\r\n')).toBe(true)
  const fields: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy
  for (let match = pattern.exec(record); match !== null; match = pattern.exec(record)) {
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] !== ',') break
  }
  return fields
}

describe('a field', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+49 1', "'+49 1"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', `"'\rx"`],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    [250, '250'],
    [null, '']
  ])('%j is written as %j', (value, written) => {
    expect(csvField(value)).toBe(written)
  })
})

it('any text comes out of a record as it went in, apart from the mark before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (texts) => {
      const read = parse(csvRecord(texts))
      expect(read).toEqual(texts.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)))
      for (const field of read) expect(field).not.toMatch(/^[=+\-@\t\r]/)
    })
  )
})
