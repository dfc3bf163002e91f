import { describe, expect, test } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Business } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { ConnectionSetup } from '../../../../renderer/src/state/connection-setup.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith } from '../support/bridge.ts'

const business = { id: 'b', name: 'Aroma' } as Business

const createForm = (connection: Partial<Bridge['connection']>, savedBaseUrl: string | null = null) => {
  const bridge = bridgeWith({ connection })
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  const form = new ConnectionSetup(bridge, ipc, till, savedBaseUrl)
  form.token = ' secret '
  return { form, till }
}

describe('checking a connection', () => {
  test('shows the business of the token before anything is saved', async () => {
    const requests: unknown[] = []
    const { form, till } = createForm({
      check: (pair) => {
        requests.push(pair)
        return Promise.resolve(ok(business))
      }
    })
    form.baseUrl = ' https://points.example/api '
    await form.check()
    expect(requests).toEqual([{ baseUrl: 'https://points.example/api', token: 'secret' }])
    expect(form.business?.name).toBe('Aroma')
    expect(till.state).toBeNull()
    // The main process has the token now.
    expect(form.token).toBe('')
    expect(form.baseUrl).toBe(' https://points.example/api ')
  })

  test('keeps the typed values after a failure', async () => {
    const { form } = createForm({ check: () => Promise.resolve(err({ kind: 'unauthorised' })) })
    form.baseUrl = 'https://points.example/api'
    await form.check()
    expect(form.baseUrl).toBe('https://points.example/api')
    expect(form.token).toBe(' secret ')
    expect(form.business).toBeNull()
    expect(form.checking.failure).toEqual({ kind: 'unauthorised' })
  })

  test('rejects an empty field without a request', async () => {
    const { form } = createForm({})
    await form.check()
    expect(form.checking.failure).toMatchObject({ field: 'base-url' })
    form.baseUrl = 'https://points.example/api'
    form.token = ''
    await form.check()
    expect(form.checking.failure).toMatchObject({ field: 'token' })
  })

  test('asks only for the token when the base URL is given', () => {
    const { form } = createForm({}, 'https://points.example/api')
    expect(form.isAddressFixed).toBe(true)
    expect(form.baseUrl).toBe('https://points.example/api')
  })
})

describe('saving a connection', () => {
  test('updates the state of the till', async () => {
    const { form, till } = createForm({ save: () => Promise.resolve(ok(tillState())) })
    expect(await form.save()).toBe(true)
    expect(till.state?.mode).toBe('business')
  })

  test('without encryption requires acceptance', async () => {
    const { form } = createForm({
      save: ({ acceptUnencrypted }) =>
        Promise.resolve(acceptUnencrypted ? ok(tillState()) : err({ kind: 'no-encryption' }))
    })
    expect(await form.save()).toBe(false)
    expect(form.needsAcceptance).toBe(true)
    form.acceptUnencrypted = true
    expect(await form.save()).toBe(true)
  })

  test('going back resets the acceptance', async () => {
    const { form } = createForm({ save: () => Promise.resolve(err({ kind: 'no-encryption' })) })
    await form.save()
    form.acceptUnencrypted = true
    form.back()
    expect(form.needsAcceptance).toBe(false)
    expect(form.acceptUnencrypted).toBe(false)
  })
})
