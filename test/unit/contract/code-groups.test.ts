import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupedCode, ungroupedCode } from '../../../electron/contract/code-groups.ts'

const anyGroup = fc.stringMatching(/^[\dA-Z]{4}$/)

describe('a code in groups', () => {
  it.each([
    ['AB2CD3EF4GH5', 'AB2C D3EF 4GH5'],
    ['AB2CD3EF4GH5JK6M', 'AB2C D3EF 4GH5 JK6M'],
    ['K7QF-29XM', 'K7QF-29XM'],
    ['K7QF29XM', 'K7QF29XM'],
    ['ab2cd3ef4gh5', 'ab2cd3ef4gh5'],
    ['qr_8f14e45fceea', 'qr_8f14e45fceea'],
    ['', '']
  ])('of %j is shown as %j', (code, shown) => {
    expect(groupedCode(code)).toBe(shown)
  })

  it.each(['AB2C D3EF 4GH5', ' ab2c d3ef 4gh5 ', 'AB2C-D3EF-4GH5', 'AB2CD3EF4GH5', 'ab2cd3ef 4gh5'])(
    'is read from %j',
    (typed) => {
      expect(ungroupedCode(typed)).toBe('AB2CD3EF4GH5')
    }
  )

  it.each(['K7QF-29XM', 'Anna Maria', ' AR7K', 'https://points.example/q/AR7K', 'AB2C  D3EF 4GH5'])(
    'is not seen in %j',
    (typed) => {
      expect(ungroupedCode(typed)).toBe(typed.trim())
    }
  )

  it('is what was grouped', () => {
    fc.assert(
      fc.property(fc.array(anyGroup, { minLength: 3, maxLength: 6 }), (groups) => {
        const code = groups.join('')
        expect(ungroupedCode(groupedCode(code))).toBe(code)
      })
    )
  })
})
