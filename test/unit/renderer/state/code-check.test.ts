import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { CheckedCode } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { CodeCheck } from '../../../../renderer/src/state/slip-history.svelte.ts'
import { bridgeWith, byHand } from '../support/bridge.ts'

const checked = { used: true } as CheckedCode

describe('checking a code', () => {
  test('shows what the service said', async () => {
    const check = new CodeCheck(
      bridgeWith({ slips: { check: () => Promise.resolve(ok(checked)) } }),
      new IpcClient()
    )
    check.text = ' AR7K '
    await check.check()
    expect(check.checked).toBe(checked)
  })

  test('takes the last result away when the next code fails, and keeps that code', async () => {
    const ipc = [ok(checked), err({ kind: 'not-found' } as const)]
    const check = new CodeCheck(
      bridgeWith({ slips: { check: () => Promise.resolve(ipc.shift() ?? err({ kind: 'internal' })) } }),
      new IpcClient()
    )
    check.text = 'AR7K'
    await check.check()
    check.text = 'NOSUCH'
    await check.check()
    expect([check.checked, check.request.failure?.kind, check.text]).toEqual([null, 'not-found', 'NOSUCH'])
    check.text = ''
    expect(check.request.failure).toBeNull()
  })

  test('keeps the result of a code that overtook another', async () => {
    const { asked, call } = byHand<{ code: string }, CheckedCode>()
    const check = new CodeCheck(bridgeWith({ slips: { check: call } }), new IpcClient())
    check.text = 'SLOW'
    const slow = check.check()
    check.text = 'QUICK'
    const quick = check.check()
    asked[1]?.answer(ok(checked))
    await quick
    asked[0]?.answer(err({ kind: 'not-found' }))
    await slow
    expect(check.checked).toBe(checked)
  })

  test('asks nobody about nothing', async () => {
    const check = new CodeCheck(bridgeWith({}), new IpcClient())
    check.text = '  '
    await check.check()
    expect(check.request.failure).toBeNull()
  })
})
