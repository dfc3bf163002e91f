import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, everyWay, exactly, OTHER_TOKEN, type Caller } from '../ways.ts'

describe.each(everyWay)('the account, $way', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open()
  })
  afterAll(() => caller.close())

  it('is a shop in Athens, with every field of the document', async () => {
    const account = bodyOf(await caller.call('/account'), exactly.account)
    expect(account).toMatchObject({ timeZone: 'Europe/Athens', currentCustomers: 30 })
    expect(account.address).toMatchObject({ city: 'Αθήνα', country: 'Greece' })
    expect(Object.values(account.address).every((line) => line !== '')).toBe(true)
    expect(account.logo).toBe(`${caller.baseUrl.replace(/\/api$/, '')}/pictures/logo.png`)
  })

  it('is another for another token', async () => {
    const mine = bodyOf(await caller.call('/account'), exactly.account)
    const headers = { authorization: `Bearer ${OTHER_TOKEN}` }
    const other = bodyOf(await caller.call('/account', { headers }), exactly.account)
    expect(other.id).not.toBe(mine.id)
    expect(other.name).not.toBe(mine.name)
  })
})
