import { beforeEach, describe, expect, test } from 'vitest'
import { pluralArguments, formatSlipPoints } from '../../../../renderer/src/format/numbers.ts'
import { screenLocale, setLocale } from '../../../../renderer/src/i18n/locale.svelte.ts'
import { m, slipMessages } from '../../../../renderer/src/i18n/messages.ts'

const ENGLISH = { language: 'en', slipLanguage: 'en', country: 'GR' } as const

describe('what the page says', () => {
  beforeEach(async () => {
    await setLocale(ENGLISH)
  })

  test('is of the language of the moment, also by a function taken earlier', async () => {
    const word = m.navTill
    expect(word()).toBe('Till')
    await setLocale({ ...ENGLISH, language: 'de' })
    expect(word()).toBe('Kasse')
    expect(m.navTill()).toBe('Kasse')
    expect(screenLocale()).toBe('de-GR')
  })

  test('on the paper is of the slip’s own language, in Latin digits', async () => {
    await setLocale({ language: 'en', slipLanguage: 'ar', country: 'EG' })
    expect(m.points(pluralArguments(250))).toBe('250 points')
    expect(slipMessages.headline()).toBe('نقاطك')
    expect(formatSlipPoints(1250)).toBe('1,250')
  })

  test('is what was requests for last, whichever words come first', async () => {
    await Promise.all([setLocale({ ...ENGLISH, language: 'ar' }), setLocale({ ...ENGLISH, language: 'fr' })])
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
    await setLocale({ ...ENGLISH, language: 'ar', country: 'EG' })
    expect(m.points(pluralArguments(count)).replaceAll(/\p{Bidi_Control}/gu, '')).toBe(said)
  })

  test('keeps what is filled in apart where lines run from right to left, and only there', async () => {
    const said = () => m.noCustomerWith({ text: '+30 690 000 0000' })
    expect(said()).toBe('No customer with +30 690 000 0000.')
    await setLocale({ ...ENGLISH, language: 'ar' })
    expect(said()).toContain('\u2068+30 690 000 0000\u2069')
  })
})
