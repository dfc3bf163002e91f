import { describe, expect, test } from 'vitest'
import type { Standing } from '../../../../electron/contract/earning-rules.ts'
import { isFoundBy, RecentCustomers } from '../../../../electron/main/session/recent-customers.ts'
import { slip } from '../../renderer/support/bridge.ts'
import { customer } from '../loyalty/samples.ts'

const GOLD: Standing = {
  level: { name: 'Gold', factor: '1.5' },
  next: null,
  ending: { points: 120, lastDay: '2026-11-30' }
}
const named = (id: string, balance = 0) => ({ ...customer, id, balance })
const idsOf = (recent: RecentCustomers): string[] => recent.list([]).map(({ id }) => id)

describe('recent customers', () => {
  test('lists served customers once each, last served first', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    recent.see(['a', 'b', 'c', 'd'].map((id) => named(id)))
    for (const id of ['a', 'b', 'a', 'c']) recent.serve(id)
    expect(idsOf(recent)).toEqual(['c', 'a', 'b'])
  })

  test('are those of slips with a code, of the counter and of programs', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    recent.see([named('a')])
    const one = { id: 'a', name: 'A' }
    for (const state of ['requested', 'unknown', 'refused', 'printing'] as const)
      recent.handleSlip(slip('i', { customer: one, state }))
    expect(idsOf(recent)).toEqual([])
    recent.handleSlip(slip('i', { customer: null, state: 'issued' }))
    recent.handleSlip(slip('i', { customer: one, state: 'issued' }))
    expect(idsOf(recent)).toEqual(['a'])
  })

  test('have the balance of the newest version that passed by; null for others', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    recent.see([named('a', 40)])
    recent.see([named('a', 85), { ...named('b'), balance: null }])
    expect(['a', 'b', 'c'].map((id) => recent.balanceOf(id))).toEqual([85, null, null])
  })

  test('lists at most twenty', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    for (let number = 1; number <= 25; number++) {
      recent.see([named(String(number))])
      recent.serve(String(number))
    }
    expect(idsOf(recent)).toHaveLength(20)
    expect(idsOf(recent)[0]).toBe('25')
  })

  test('are followed by those of the journal, each once, twenty in all', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    recent.see([named('a', 5), named('b', 6)])
    recent.serve('a')
    const before = ['b', 'a', ...Array.from({ length: 20 }, (_, index) => `old-${String(index)}`)]
    const list = recent.list(before.map((id) => ({ id, name: id })))
    expect(list.slice(0, 3).map(({ id, balance }) => [id, balance])).toEqual([
      ['a', 5],
      ['b', 6],
      ['old-0', null]
    ])
    expect(list).toHaveLength(20)
  })

  test('shows the newest version of a customer at the same position', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    recent.see([named('a'), named('b')])
    recent.serve('a')
    recent.serve('b')
    recent.see([named('a', 500)])
    expect(recent.list([]).map(({ id, balance }) => [id, balance])).toEqual([
      ['b', 0],
      ['a', 500]
    ])
  })

  test('keeps the lists of two businesses apart', () => {
    const shop = { number: 1 }
    const session = { owner: shop }
    const recent = new RecentCustomers(session)
    recent.see([named('a')])
    recent.serve('a')
    session.owner = { number: 0 }
    expect(idsOf(recent)).toEqual([])
    recent.serve('a')
    expect(idsOf(recent)).toEqual([])
    session.owner = shop
    expect(idsOf(recent)).toEqual(['a'])
  })

  test('are forgotten with everything that is known of them', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    recent.see([named('a', 5), named('b')])
    recent.serve('a')
    recent.setStanding('a', GOLD)
    expect(recent.find('a')).toMatchObject({ balance: 5 })
    recent.forget('a')
    // An answer may come late.
    recent.setStanding('a', GOLD)
    expect([recent.find('a'), recent.standingOf('a')]).toEqual([null, null])
    recent.serve('a')
    expect(idsOf(recent)).toEqual([])
  })

  test('have the level that was read last, in their business alone', () => {
    const session = { owner: { number: 1 } }
    const recent = new RecentCustomers(session)
    recent.see([named('a')])
    recent.setStanding('a', GOLD)
    recent.setStanding('b', GOLD)
    expect(['a', 'b'].map((id) => recent.standingOf(id))).toEqual([GOLD, null])
    session.owner = { number: 2 }
    expect(recent.standingOf('a')).toBeNull()
  })

  test('keep their level when their points change, and not which of them end next', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    recent.see([named('a')])
    recent.setBalance('a', 5)
    recent.setStanding('a', GOLD)
    recent.setBalance('a', 10)
    expect(recent.standingOf('a')).toEqual({ ...GOLD, ending: null })
  })
})

describe('customers who are looked up without the service', () => {
  const maria = {
    ...customer,
    id: 'cus_1',
    name: 'Μαρία Papadopoulou-Åse',
    phone: '+30 690 123 4567',
    email: 'Maria@Example.com'
  }

  test('are those served, those seen, and those of the journal, each once', () => {
    const recent = new RecentCustomers({ owner: { number: 1 } })
    recent.see(['a', 'b', 'c'].map((id) => named(id)))
    recent.serve('b')
    const before = ['c', 'd'].map((id) => ({ id, name: `Journal ${id}` }))
    expect(recent.known(before).map(({ id }) => id)).toEqual(['b', 'c', 'a', 'd'])
    expect(recent.known(before).at(-1)).toMatchObject({ name: 'Journal d', balance: null })
  })

  test.each([
    ['μαρια', true],
    ['ase PAP', true],
    ['dopoulou', false],
    ['690 123 4567', true],
    ['00306901234567', true],
    ['4567', true],
    ['690-12', true],
    ['567', false],
    ['06901', true],
    ['maria@example.com', true],
    ['cus_1', true],
    ['cus_', false],
    ['+', false],
    ['  ', false],
    ['Ben', false]
  ])('%s: %s', (text, isFound) => {
    expect(isFoundBy(maria, text, 'GR')).toBe(isFound)
  })

  test('have no phone in the journal', () => {
    expect(isFoundBy({ ...maria, phone: '', email: null }, '4567', 'GR')).toBe(false)
  })
})
