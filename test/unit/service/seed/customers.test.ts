import { parsePhoneNumberWithError as parsePhoneNumber } from 'libphonenumber-js'
import { describe, expect, it } from 'vitest'
import { KNOWN_CUSTOMERS } from '../../../../electron/service/index.ts'
import { seededCustomers } from '../../../../electron/service/seed/customers.ts'
import { NAME_GROUPS } from '../../../../electron/service/seed/people.ts'

const customers = [...seededCustomers(500)]

describe('seededCustomers', () => {
  it('have valid and unique phones in E.164', () => {
    const wrong = customers.filter(({ phone }) => {
      const parsed = parsePhoneNumber(phone)
      return !parsed.isValid() || parsed.number !== phone
    })
    expect(wrong).toEqual([])
    expect(new Set(customers.map(({ phone }) => phone)).size).toBe(500)
  })

  it('have phones of many countries, most of them Greek', () => {
    const countries = customers.map(({ phone }) => parsePhoneNumber(phone).country)
    expect(new Set(countries).size).toBeGreaterThan(15)
    expect(countries.filter((country) => country === 'GR').length).toBeGreaterThan(150)
  })

  it.each([
    'Latin',
    'Greek',
    'Cyrillic',
    'Arabic',
    'Hebrew',
    'Thai',
    'Devanagari',
    'Hiragana',
    'Han',
    'Hangul'
  ])('have names in %s', (script) => {
    const written = new RegExp(`\\p{Script=${script}}`, 'u')
    expect(customers.some(({ name }) => written.test(name))).toBe(true)
  })

  it('have some names in common', () => {
    expect(new Set(customers.map(({ name }) => name)).size).toBeLessThan(480)
  })

  it('have no e-mail or one at a reserved domain (RFC 2606)', () => {
    const emails = customers.flatMap(({ email }) => email ?? [])
    expect(emails.length).toBeGreaterThan(250)
    expect(emails.length).toBeLessThan(450)
    expect(new Set(emails).size).toBe(emails.length)
    const odd = emails.filter((email) => !/^[a-z0-9.+]+@example\.(com|org|net)$/.test(email))
    expect(odd).toEqual([])
  })

  it('have whole points, and a balance of at most the lifetime points', () => {
    for (const { balance, lifetimePoints } of customers) {
      expect(Number.isInteger(balance) && Number.isInteger(lifetimePoints)).toBe(true)
      expect(balance).toBeLessThanOrEqual(lifetimePoints)
    }
  })

  it('start with the known customers and are reproducible', () => {
    expect(customers.slice(0, KNOWN_CUSTOMERS.length)).toEqual(KNOWN_CUSTOMERS)
    expect([...seededCustomers(500)]).toEqual(customers)
    expect([...seededCustomers(3)]).toEqual(customers.slice(0, 3))
  })

  it('use the overflow range when a country has no phones left', () => {
    const phones = [...seededCustomers(20_000)].map(({ phone }) => phone)
    expect(new Set(phones).size).toBe(20_000)
    expect(phones.filter((phone) => !parsePhoneNumber(phone).isValid())).toEqual([])
  })
})

describe('NAME_GROUPS', () => {
  it('has shares that add up to 100', () => {
    expect(NAME_GROUPS.reduce((sum, { share }) => sum + share, 0)).toBe(100)
  })
})
