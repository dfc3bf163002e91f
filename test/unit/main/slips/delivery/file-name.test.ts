import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNameOf } from '../../../../../electron/main/slips/delivery/file-name.ts'

describe('the file name of a code', () => {
  it.each([
    ['K7QF-29xm_4', 'K7QF-29xm_4'],
    ['a.b', 'a.b'],
    ['../../etc/passwd', '%2E.%2F..%2Fetc%2Fpasswd'],
    ['C:\\x', 'C%3A%5Cx'],
    ['..', '%2E%2E'],
    ['a%2Fb', 'a%252Fb'],
    ['con', '%63on'],
    ['LPT1.x', '%4CPT1.x'],
    ['é~ ', '%C3%A9%7E%20'],
    ['a\0b', 'a%00b']
  ])('for %j is %s', (code, name) => {
    expect(fileNameOf(code)).toBe(name)
  })

  it('stays a plain name of bounded length for any code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), (code) => {
        expect(fileNameOf(code)).toMatch(/^[A-Za-z0-9_%~-](?:[A-Za-z0-9_%~.-]{0,158}[A-Za-z0-9_%~-])?$/)
      })
    )
  })

  it('differs for different codes', () => {
    const code = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(code, code, (one, other) => {
        fc.pre(one !== other)
        expect(fileNameOf(one)).not.toBe(fileNameOf(other))
      })
    )
    expect(fileNameOf(`${'x'.repeat(300)}1`)).not.toBe(fileNameOf(`${'x'.repeat(300)}2`))
  })
})
