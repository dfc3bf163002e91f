import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'valibot'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { accountSchema, type Account } from '../../../../electron/contract/loyalty.ts'
import { createStanding, staffAnswers } from '../../../../electron/main/ipc/index.ts'
import { DEFAULT_SETTINGS } from '../../../../electron/main/settings/settings-schema.ts'
import { Staff } from '../../../../electron/main/staff/staff.ts'
import type { PersistedStaff } from '../../../../electron/main/staff/cashiers.ts'

const account = (id: string): Account => parse(accountSchema, { id, name: id })

let stored: PersistedStaff
let baseUrl: string | null
let business: Result<Account>
let staff: Staff

/** The service knows two tokens. */
const ownerOf = ({ token }: { token: string }): Promise<Result<Account>> =>
  Promise.resolve(token === 'ours' || token === 'theirs' ? ok(account(token)) : err({ kind: 'unauthorised' }))

const answers = (): ReturnType<typeof staffAnswers> => {
  const standing = createStanding({
    settings: { values: DEFAULT_SETTINGS, kept: true },
    session: { mode: 'business', accepted: true, business: null, offlineSince: null },
    forPage: (one) => one,
    staff: () => staff.state,
    language: () => 'en',
    slipLanguage: () => 'en',
    country: () => 'GR',
    customerDisplayOpen: () => false,
    slipsFolder: '',
    version: '',
    update: () => ({ kind: 'off' }),
    tell: () => undefined
  })
  return staffAnswers(standing, staff, {
    baseUrl: () => baseUrl,
    business: () => Promise.resolve(business),
    ownerOf
  })
}

beforeEach(async () => {
  stored = { managerPin: null, cashiers: [], wrongPins: {}, locked: false }
  baseUrl = 'https://points.example/api/'
  business = ok(account('ours'))
  staff = new Staff({
    store: {
      read: () => stored,
      update: (change) => {
        stored = { ...stored, ...change }
      }
    },
    lockAfterMinutes: () => null,
    systemIdleSeconds: () => 0,
    onChange: () => undefined
  })
  await staff.setManagerPin({ current: null, pin: '4711' })
  staff.lock()
})

describe('a forgotten PIN', () => {
  it('goes with the token of the till’s own business, and the till opens', async () => {
    expect(await answers().reset({ token: ' ours ' })).toMatchObject({
      ok: true,
      value: { staff: { manager: 'open', locked: false } }
    })
  })

  it.each([
    ['another business’s token', 'theirs', { kind: 'other-business' }],
    ['a token that nobody knows', 'guessed', { kind: 'unauthorised' }],
    ['no token', null, { kind: 'invalid-input', field: 'token', fault: 'missing' }]
  ])('stays with %s', async (_, token, failure) => {
    expect(await answers().reset({ token })).toEqual(err(failure as Parameters<typeof err>[0]))
    expect(staff.state).toMatchObject({ manager: 'locked', locked: true })
  })

  it('stays while nobody can say whose till this is', async () => {
    business = err({ kind: 'offline' })
    expect(await answers().reset({ token: 'theirs' })).toEqual(business)
    expect(staff.state.locked).toBe(true)
  })

  it('goes without a token on a till that serves no business', async () => {
    baseUrl = null
    expect(await answers().reset({ token: null })).toMatchObject({ ok: true })
  })
})
