import { beforeEach, describe, expect, test } from 'vitest'
import { pluralArguments, formatSlipPoints } from '../../../../renderer/src/format/numbers.ts'
import { failureMessage } from '../../../../renderer/src/i18n/failure-messages.ts'
import { screenLocale, setLocale } from '../../../../renderer/src/i18n/locale.svelte.ts'
import { m, slipMessages } from '../../../../renderer/src/i18n/messages.ts'

const ENGLISH = { language: 'en', slipLanguage: 'en', country: 'GR' } as const

describe('setLocale', () => {
  beforeEach(async () => {
    await setLocale(ENGLISH)
  })

  test('changes the language of messages, also of message functions that were read before', async () => {
    const word = m.navTill
    expect(word()).toBe('Till')
    await setLocale({ ...ENGLISH, language: 'de' })
    expect(word()).toBe('Kasse')
    expect(m.navTill()).toBe('Kasse')
    expect(screenLocale()).toMatch(/^de-GR-u-/)
  })

  test('sets the language of slips separately, with Latin digits', async () => {
    await setLocale({ language: 'en', slipLanguage: 'ar', country: 'EG' })
    expect(m.points(pluralArguments(250))).toBe('250 points')
    expect(slipMessages.headline()).toBe('نقاطك')
    expect(formatSlipPoints(1250)).toBe('1,250')
  })

  test('called twice at once uses the language of the last call', async () => {
    await Promise.all([setLocale({ ...ENGLISH, language: 'ar' }), setLocale({ ...ENGLISH, language: 'fr' })])
    expect(m.navTill()).toBe('Caisse')
  })

  test.each([
    [0, '0 نقطة'],
    [1, 'نقطة واحدة'],
    [2, 'نقطتان'],
    [7, '7 نقاط'],
    [42, '42 نقطة'],
    [100, '100 نقطة']
  ])('Arabic plural of %i points', async (count, text) => {
    await setLocale({ ...ENGLISH, language: 'ar', country: 'EG' })
    expect(m.points(pluralArguments(count)).replaceAll(/\p{Bidi_Control}/gu, '')).toBe(text)
  })

  test('isolates inserted values with bidi marks in Arabic, and only there', async () => {
    const text = () => m.noCustomerWith({ text: '+30 690 000 0000' })
    expect(text()).toBe('No customer with +30 690 000 0000.')
    await setLocale({ ...ENGLISH, language: 'ar' })
    expect(text()).toContain('\u2068+30 690 000 0000\u2069')
  })

  test('a list in an Arabic sentence has the direction of its words', async () => {
    await setLocale({ ...ENGLISH, language: 'ar' })
    const { sentence } = failureMessage({
      ...{ kind: 'not-printed', fault: 'refused-size', mayStillPrint: false },
      offered: { papers: ['58mm', 'A4'], sizes: [] }
    })
    // An isolate takes its direction from the first letter that is not in an isolate of its own (UAX 9, P2).
    expect(sentence).not.toContain('\u2068\u2068')
    expect(sentence).toContain('· ورقة\u00a0A4\u2069')
  })
})
