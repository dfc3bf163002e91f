import { beforeEach, describe, expect, test } from 'vitest'
import { counted } from '../../../../renderer/src/format/counted.ts'
import { screenLocale } from '../../../../renderer/src/format/locale.ts'
import { formatSlipPoints } from '../../../../renderer/src/format/slip.ts'
import { m as first } from '../../../../renderer/src/i18n/first.ts'
import { m } from '../../../../renderer/src/i18n/m.ts'
import { onSlip } from '../../../../renderer/src/i18n/on-slip.ts'
import { speak, speakAll } from '../../../../renderer/src/i18n/speech.svelte.ts'

const ENGLISH = { language: 'en', slipLanguage: 'en', country: 'GR' } as const

test('the words of the first paint come first, and the others when they are wanted, in the language of then', async () => {
  await speak(ENGLISH)
  expect(first.findCustomer()).toBe('Find customer')
  expect(() => m.navTill()).toThrow('Only the words of the first paint')
  const all = speakAll()
  // Another language is chosen while the words of the one before are on their way.
  const german = speak({ ...ENGLISH, language: 'de' })
  await all
  expect([first.navTill(), m.navTill(), m.tillLocked()]).toEqual([
    'Kasse',
    'Kasse',
    'Diese Kasse ist gesperrt'
  ])
  await german
})

describe('what the page says', () => {
  beforeEach(async () => {
    await speakAll()
    await speak(ENGLISH)
  })

  test('is of the language of the moment, also by a function taken earlier', async () => {
    const word = m.navTill
    expect(word()).toBe('Till')
    await speak({ ...ENGLISH, language: 'de' })
    expect([word(), m.navTill(), screenLocale()]).toEqual(['Kasse', 'Kasse', 'de-GR'])
  })

  test('on the paper is of the slip’s own language, in Latin digits', async () => {
    await speak({ language: 'en', slipLanguage: 'ar', country: 'EG' })
    expect([m.points(counted(250)), onSlip.headline(), formatSlipPoints(1250)]).toEqual([
      '250 points',
      'نقاطك',
      '1,250'
    ])
  })

  test('is what was asked for last, whichever words come first', async () => {
    await Promise.all([speak({ ...ENGLISH, language: 'ar' }), speak({ ...ENGLISH, language: 'fr' })])
    expect(m.navTill()).toBe('Caisse')
  })

  test.each([
    [0, '٠ نقطة'],
    [1, 'نقطة واحدة'],
    [2, 'نقطتان'],
    [7, '٧ نقاط'],
    [42, '٤٢ نقطة'],
    [100, '١٠٠ نقطة']
  ])('counts %i points as Arabic does', async (count, said) => {
    await speak({ ...ENGLISH, language: 'ar', country: 'EG' })
    expect(m.points(counted(count)).replaceAll(/\p{Bidi_Control}/gu, '')).toBe(said)
  })

  test('keeps what is filled in apart where lines run from right to left, and only there', async () => {
    const said = () => m.noCustomerWith({ text: '+30 690 000 0000' })
    expect(said()).toBe('No customer with +30 690 000 0000.')
    await speak({ ...ENGLISH, language: 'ar' })
    expect(said()).toContain('\u2068+30 690 000 0000\u2069')
  })
})
