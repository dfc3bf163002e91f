import { expect, it } from 'vitest'
import type { PhoneKey, TypedPhone } from '../../../../electron/contract/customer-display.ts'
import { PHONE_ENTRY_TIMEOUT_MS, PhoneEntry } from '../../../../electron/main/customer-display/phone-entry.ts'

/** Creates an entry in a country, with timers that the test ends. */
const createEntry = (code = 'GR') => {
  const phones: TypedPhone[] = []
  const timers = new Map<() => void, number>()
  const entry = new PhoneEntry({
    country: { code },
    clock: {
      now: () => new Date(0),
      after: (ms, run) => {
        timers.set(run, ms)
        return () => timers.delete(run)
      }
    },
    onChange: (phone) => phones.push(phone)
  })
  return {
    entry,
    phones,
    timers,
    press: (keys: string, ...named: PhoneKey[]): void => {
      for (const key of [...keys.split(''), ...named]) entry.press(key as PhoneKey)
    }
  }
}

it('ignores keys that nobody asked for', () => {
  const { entry, phones, timers, press } = createEntry()
  press('6901234567', 'delete', 'done', 'cancel')
  expect(entry.shown).toBeNull()
  expect(phones).toEqual([])
  expect(timers.size).toBe(0)
})

it.each([
  ['GR', '6901234567', '+30', '690 123 4567'],
  ['GR', '', '+30', ''],
  ['US', '2125550123', '+1', '(212) 555-0123'],
  // The trunk prefix, or another country, stands instead of the country code.
  ['DE', '0171123456', '', '0171 123456'],
  ['US', '12125550123', '', '1 (212) 555-0123'],
  ['GR', '+447400123456', '', '+44 7400 123456'],
  ['GR', '00447400123456', '', '00 44 7400 123456'],
  // Zero is not a trunk prefix.
  ['IT', '0612345678', '+39', '06 1234 5678'],
  ['XX', '6901234567', '', '6901234567']
])('formats in %s the keys %s as “%s %s”', (country, keys, prefix, text) => {
  const { entry, press } = createEntry(country)
  entry.start()
  press(keys)
  expect(entry.shown).toEqual({ prefix, text, isInvalid: false })
})

it('deletes digits, takes a plus sign as the first key only, and at most 17 digits', () => {
  const { entry, phones, press } = createEntry()
  entry.start()
  press('69+0', 'delete')
  expect(phones.at(-1)).toEqual({ text: '+30 69', end: null })
  press('', 'delete', 'delete', 'delete')
  expect(phones.at(-1)).toEqual({ text: '', end: null })
  press('++123456789012345678901234567890')
  expect(phones.at(-1)?.text.replaceAll(/\D/gu, '')).toBe('12345678901234567')
})

it('is done with a whole phone only, and says that one is wrong until the next key', () => {
  const { entry, phones, press } = createEntry()
  entry.start()
  press('', 'done')
  expect(entry.shown).toEqual({ prefix: '+30', text: '', isInvalid: true })
  press('69012345')
  expect(entry.shown?.isInvalid).toBe(false)
  press('', 'done')
  expect(entry.shown?.isInvalid).toBe(true)
  press('67', 'done')
  expect(entry.shown).toBeNull()
  expect(phones.filter(({ end }) => end !== null)).toEqual([{ text: '+30 690 123 4567', end: 'done' }])
})

it('is cancelled by the customer', () => {
  const { entry, phones, press } = createEntry()
  entry.start()
  press('69', 'cancel')
  expect(entry.shown).toBeNull()
  expect(phones.at(-1)?.end).toBe('cancelled')
})

it('ends when no key is pressed for a minute: each key begins the minute again', () => {
  const { entry, phones, timers, press } = createEntry()
  entry.start()
  press('6')
  expect([...timers.values()]).toEqual([PHONE_ENTRY_TIMEOUT_MS])
  for (const run of timers.keys()) run()
  expect(entry.shown).toBeNull()
  expect(phones.at(-1)?.end).toBe('timed-out')
})

it('begins anew when it is asked again, and keeps no timer at its end', () => {
  const { entry, timers, press } = createEntry()
  entry.start()
  press('690')
  entry.start()
  expect(entry.shown?.text).toBe('')
  entry.end('stopped')
  expect(timers.size).toBe(0)
})
