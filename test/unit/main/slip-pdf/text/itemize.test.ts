import { describe, expect, it } from 'vitest'
import {
  hanStyleOfSlip,
  bidiLevels,
  mirrored,
  hanStyleOfText,
  visualOrder
} from '../../../../../electron/main/slip-pdf/text/itemize.ts'

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
    expect(hanStyleOfSlip({ locale, timeZone })).toBe(style)
  })

  it.each([
    ['東京カフェ', 'ja'],
    ['서울 中', 'ko'],
    ['中村', null]
  ])('the text %s alone has the style %s', (text, style) => {
    expect(hanStyleOfText(text)).toBe(style)
  })
})

describe('levels', () => {
  it.each([
    ['abc 12', '000000'],
    ['שלום 12 (ab)', '111112211221'],
    ['ab שלום', '0001111'],
    // a letter of a right-to-left script, and a picture, of two units each
    ['\u{1E900}1', '112'],
    ['ab🍕', '0000']
  ])('of %s are %s', (text, levels) => {
    expect(bidiLevels(text).join('')).toBe(levels)
  })
})

describe('the visual order of runs', () => {
  const runs = (...levels: number[]) => levels.map((level, index) => ({ level, index }))
  it.each([
    [
      [0, 1, 0],
      [0, 1, 2]
    ],
    [
      [1, 2, 1],
      [2, 1, 0]
    ],
    [
      [0, 1, 2, 1, 0],
      [0, 3, 2, 1, 4]
    ],
    [
      [1, 2, 2, 1],
      [3, 1, 2, 0]
    ],
    [[], []]
  ])('of levels %j is %j', (levels, order) => {
    expect(visualOrder(runs(...levels)).map(({ index }) => index)).toEqual(order)
  })

  it('mirrors only brackets', () => {
    expect(['(', '»', 'a'].map(mirrored)).toEqual([')', '«', 'a'])
  })
})
