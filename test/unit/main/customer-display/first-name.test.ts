import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_FIRST_NAME_LENGTH } from '../../../../electron/contract/customer-display.ts'
import { firstNameOf } from '../../../../electron/main/customer-display/first-name.ts'

describe('the first name for the customer display', () => {
  it.each([
    ['Maria Papadopoulou', 'Maria'],
    ['Μαρία Παπαδοπούλου', 'Μαρία'],
    ['  Zoë \t van  Dyke ', 'Zoë'],
    ['Jean-Pierre Dupont', 'Jean-Pierre'],
    ["D'Arcy Wretzky", "D'Arcy"],
    ['Никита Волков', 'Никита'],
    ['ليلى حسن', 'ليلى'],
    ['عبد الله محمد', 'عبد الله'],
    ['Abdul Karim Hassan', 'Abdul Karim'],
    ['अनीता शर्मा', 'अनीता'],
    ['สมชาย ใจดี', 'สมชาย'],
    ['\u202bדנה לוי\u202c', 'דנה']
  ])('is the first word of %j', (name, first) => {
    expect(firstNameOf(name)).toBe(first)
  })

  it.each([
    ['Papadopoulou, Maria', 'Maria'],
    ['PAPADOPOULOU Maria', 'Maria'],
    ['Maria PAPADOPOULOU', 'Maria'],
    ['MARIA PAPADOPOULOU', 'MARIA'],
    ['山田 太郎', '太郎'],
    ['김 철수', '철수'],
    ['Nguyễn Thị Hồng', 'Hồng'],
    ['Hồng Nguyễn', 'Hồng']
  ])('is separated from the family name in %j', (name, first) => {
    expect(firstNameOf(name)).toBe(first)
  })

  it.each(['Madonna', 'Μαρία', 'Kim'])('is the only name of %j', (name) => {
    expect(firstNameOf(name)).toBe(name)
  })

  it.each([
    [''],
    ['   '],
    ['+30 690 123 4567'],
    ['6901234567'],
    ['٦٩٠١٢٣٤٥٦٧'],
    ['Maria 6901234567'],
    ['Maria 2'],
    ['maria@example.com'],
    ['Maria maria@example.com'],
    ['maria＠example.com'],
    ['maria.papadopoulou'],
    ['https://maria.example'],
    ['Mrs Papadopoulou'],
    ['Dr. Smith'],
    ['κα Παπαδοπούλου'],
    ['van Dyke'],
    ['J. Smith'],
    ['J Smith'],
    ['李小龙'],
    ['김철수'],
    ['山田 太郎 次郎'],
    ['李小龙 Bruce'],
    ['Nguyen Thi Hong'],
    ['Nagy Anna'],
    ['Kim Min-jun'],
    ['—'],
    ['😀'],
    ['M'.repeat(MAX_FIRST_NAME_LENGTH + 1)]
  ])('is empty for the name %j', (name) => {
    expect(firstNameOf(name)).toBeNull()
  })

  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          'Maria',
          '+30',
          '690',
          '@',
          ' ',
          ',',
          'ب',
          '٣',
          '李',
          '.',
          '-',
          "'",
          '\u202e',
          'é',
          'Ø'
        ),
        {
          maxLength: 24
        }
      )
      .map((parts) => parts.join(''))
  )

  it('contains only letters of a name, and no digit of any script', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const first = firstNameOf(name)
        expect(first ?? 'A').toMatch(/^[\p{L}\p{M}'’‐-]+(?: [\p{L}\p{M}]+)?$/u)
        expect(first ?? 'A').not.toMatch(/[\p{N}@]/u)
      }),
      { numRuns: 3000 }
    )
  })

  it('is empty if the name contains a phone or an e-mail', () => {
    const secrets = fc.oneof(
      fc.emailAddress(),
      fc.stringMatching(/^\+?[0-9][0-9 ()-]{5,14}[0-9]$/u),
      fc.stringMatching(/^[٠-٩]{6,12}$/u)
    )
    fc.assert(
      fc.property(anyText, secrets, anyText, (before, secret, after) => {
        expect(firstNameOf(`${before}${secret}${after}`)).toBeNull()
      }),
      { numRuns: 1000 }
    )
  })

  it('is never the second of two names in alphabets that write the first name first', () => {
    const word = (alphabet: RegExp) => fc.stringMatching(alphabet)
    const pair = fc.oneof(
      fc.tuple(word(/^[A-Z][a-z]{2,10}$/u), word(/^[A-Z][a-z]{2,12}$/u)),
      fc.tuple(word(/^[Α-Ρ][α-ω]{2,10}$/u), word(/^[Α-Ρ][α-ω]{2,12}$/u)),
      fc.tuple(word(/^[А-Я][а-я]{2,10}$/u), word(/^[А-Я][а-я]{2,12}$/u))
    )
    fc.assert(
      fc.property(pair, ([first, family]) => {
        fc.pre(first.toLowerCase() !== family.toLowerCase())
        expect(firstNameOf(`${first} ${family}`)).not.toBe(family)
        expect(firstNameOf(`${family}, ${first}`)).not.toBe(family)
        expect(firstNameOf(`${family.toUpperCase()} ${first}`)).not.toBe(family.toUpperCase())
      })
    )
  })
})
