import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { channelOf, CALLS, IPC_METHODS } from '../../../electron/contract/bridge.ts'

const { till, connection, customers, slips } = CALLS
const intentId = '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d'

test('no two calls share a channel', () => {
  const channels = Object.entries(IPC_METHODS).flatMap(([group, calls]) =>
    calls.map((call) => channelOf(group, call))
  )
  expect(new Set(channels).size).toBe(channels.length)
})

describe('what the page may send', () => {
  test.each([
    [till.state, undefined],
    [till.set, {}],
    [till.set, { language: 'el', slipLanguage: null }],
    [till.set, { country: null, accent: '#0b6b4f' }],
    [connection.check, { baseUrl: '', token: '' }],
    [customers.find, { box: 'till', text: '06 12', page: 1 }],
    [slips.issue, { intentId, points: 0.5, customer: null }],
    [slips.issue, { intentId, points: 250, customer: { id: 'c', name: '' } }]
  ] as const)('%#', ({ input: schema }: { readonly input: v.GenericSchema }, input) => {
    expect(v.is(schema, input)).toBe(true)
  })
})

describe('what it may not', () => {
  test.each([
    [till.state, {}],
    [till.set, { language: 'el-GR' }],
    [till.set, { country: 'fr' }],
    [till.set, { accent: 'green' }],
    [till.set, { token: 'x' }],
    [connection.check, { baseUrl: 'x' }],
    [connection.check, { baseUrl: 'x', token: 'x'.repeat(8001) }],
    [customers.find, { text: '06 12', page: 0 }],
    [customers.find, { text: 'x'.repeat(501), page: 1 }],
    [customers.find, { text: 5, page: 1 }],
    [slips.issue, { intentId: 'once', points: 250, customer: null }],
    [slips.issue, { intentId, points: '250', customer: null }],
    [slips.issue, { intentId, points: 250 }],
    [slips.list, { offset: -1 }]
  ] as const)('%#', ({ input: schema }: { readonly input: v.GenericSchema }, input) => {
    expect(v.is(schema, input)).toBe(false)
  })
})
