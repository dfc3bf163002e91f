/** At 200 % zoom a screen of 1024 × 768 has 512 × 384 CSS pixels: everything that can be used must be reachable there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pictureNamed } from '../support/screenshots/pictures.ts'
import { openStudio, type Look, type Studio } from '../support/screenshots/studio.ts'
import { unreachableControls } from './reach.ts'

const ZOOMED = { width: 512, height: 384 }
const LOOKS: readonly (readonly [string, Look])[] = [
  ['from left to right', { size: ZOOMED, theme: 'light', language: 'en' }],
  ['from right to left', { size: ZOOMED, theme: 'light', language: 'ar' }]
]

/** One picture of each screen and of each kind of dialog. */
const SCREENS = [
  'onboarding',
  'till',
  'till-points',
  'till-register',
  'till-results',
  'customers',
  'rewards',
  'slips',
  'slips-details',
  'slips-discard',
  'report-day',
  'settings',
  'settings-printer',
  'staff-settings'
]

let studio: Studio
beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio.close())

describe.each(LOOKS)('zoomed in twice, %s', (_name, look) => {
  test.concurrent.each(SCREENS)('every control of %s can be reached', async (name) => {
    const { page, faults, close } = await studio.open(pictureNamed(name), look)
    const unreachable = await unreachableControls(page)
    await close()
    expect(faults).toEqual([])
    expect(unreachable).toEqual([])
  })
})
