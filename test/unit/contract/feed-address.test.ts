import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { parseFeedUrl, updatesSettingsSchema } from '../../../electron/contract/updates.ts'

describe('the address of updates', () => {
  it.each([
    ['https://updates.example/till/', 'https://updates.example/till/'],
    [' https://updates.example/till ', 'https://updates.example/till/'],
    ['https://updates.example', 'https://updates.example/'],
    ['http://127.0.0.1:4010/feed', 'http://127.0.0.1:4010/feed/'],
    ['http://localhost:4010', 'http://localhost:4010/'],
    ['http://[::1]:4010/', 'http://[::1]:4010/']
  ])('%j is read as %s', (text, feed) => {
    expect(parseFeedUrl(text)).toBe(feed)
  })

  it.each([
    'http://updates.example/till/',
    'http://127.0.0.1.example/',
    'http://localhost.example/',
    'ftp://updates.example/',
    'file:///srv/updates/',
    'https://name:password@updates.example/',
    'https://updates.example/?token=1',
    'https://updates.example/#top',
    'updates.example',
    ''
  ])('%j is refused', (text) => {
    expect(parseFeedUrl(text)).toBeNull()
    expect(v.safeParse(updatesSettingsSchema, { feed: text }).success).toBe(false)
  })

  it('is kept as it is read, or not at all', () => {
    expect(v.parse(updatesSettingsSchema, { feed: 'https://updates.example' })).toEqual({
      feed: 'https://updates.example/'
    })
    expect(v.parse(updatesSettingsSchema, { feed: null })).toEqual({ feed: null })
  })
})
