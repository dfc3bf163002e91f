import { describe, expect, it } from 'vitest'
import { hanStyle, styleOfText } from '../../../../../electron/main/slip-pdf/text/han.ts'

describe('how Han characters are drawn', () => {
  it.each([
    ['ja', 'UTC', 'ja'],
    ['ko-KR', 'Asia/Tokyo', 'ko'],
    ['zh', 'UTC', 'zh-Hans'],
    ['zh-TW', 'UTC', 'zh-Hant'],
    ['zh-Hant-HK', 'UTC', 'zh-Hant'],
    ['en-GB', 'Asia/Taipei', 'zh-Hant'],
    ['en-GB', 'Asia/Tokyo', 'ja'],
    ['en-GB', 'Europe/Athens', 'zh-Hans'],
    ['not a locale', '', 'zh-Hans']
  ])('in %s and %s is %s', (locale, timeZone, style) => {
    expect(hanStyle({ locale, timeZone })).toBe(style)
  })

  it.each([
    ['東京カフェ', 'ja'],
    ['서울 中', 'ko'],
    ['中村', null]
  ])('%s tells %s by itself', (text, style) => {
    expect(styleOfText(text)).toBe(style)
  })
})
