import { beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import {
  NO_LOCAL_INTERFACE,
  type LocalInterfaceState
} from '../../../../electron/contract/local-interface.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { LocalInterfaceForm } from '../../../../renderer/src/state/local-interface.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith } from '../support/bridge.ts'

const CALLER = {
  id: '6f1c2a52-7c1e-4d1c-9a53-0f5b8f6f8f10',
  name: 'Example POS',
  pairedAt: '2026-11-21T12:00:00.000Z',
  lastUsedAt: null,
  mayIssueWhileLocked: false
}
const EXPIRES_AT = '2026-11-21T12:05:00.000Z'

let current: TillState
let till: Till
let form: LocalInterfaceForm
let withdrawn: number

const change = (localInterface: Partial<LocalInterfaceState>): void => {
  current = { ...current, localInterface: { ...current.localInterface, ...localInterface } }
  till.accept(current)
}

beforeEach(() => {
  current = tillState({ localInterface: { ...NO_LOCAL_INTERFACE, listeningPort: 8419 } })
  withdrawn = 0
  const bridge = bridgeWith({
    till: {
      set: (settings) => {
        current = { ...current, settings: { ...current.settings, ...settings } }
        return Promise.resolve(ok(current))
      }
    },
    localInterface: {
      startPairing: () => {
        change({ pairingUntil: EXPIRES_AT })
        return Promise.resolve(ok({ code: '12345678', expiresAt: EXPIRES_AT }))
      },
      stopPairing: () => {
        withdrawn++
        change({ pairingUntil: null })
        return Promise.resolve(ok(current))
      },
      removeCaller: ({ id }) => {
        change({ callers: current.localInterface.callers.filter((caller) => caller.id !== id) })
        return Promise.resolve(ok(current))
      }
    }
  })
  const ipc = new IpcClient()
  till = new Till(bridge, ipc)
  till.accept(current)
  form = new LocalInterfaceForm(bridge, ipc, till)
})

describe('the port', () => {
  it.each(['', '80', '65536', '84x9', '8419.5'])('%j is not saved', async (text) => {
    form.typePort(text)
    await form.savePort()
    expect(form).toMatchObject({ portInvalid: true, port: text })
    expect(form.saved.port).toBe(8419)
  })

  it('is saved in the digits of any keyboard, and the switch keeps it', async () => {
    expect(form.portUnsaved).toBe(false)
    form.typePort('٩٠٠٠')
    expect(form.portUnsaved).toBe(true)
    await Promise.all([form.savePort(), form.setEnabled(true)])
    expect(form.saved).toEqual({ enabled: true, port: 9000 })
    expect(form).toMatchObject({ port: '9000', portUnsaved: false })
  })

  it('that was typed while another one is saved stays', async () => {
    form.typePort('9000')
    const saved = form.savePort()
    form.typePort('9001')
    await saved
    expect(form.saved.port).toBe(9000)
    expect(form).toMatchObject({ port: '9001', portUnsaved: true })
  })
})

describe('pairing a program', () => {
  it('ends with the program that was added', async () => {
    change({ callers: [{ ...CALLER, id: 'other' }] })
    await form.pairing.start()
    expect(form.pairing).toMatchObject({ code: { code: '12345678' }, paired: null, ended: false })
    change({ pairingUntil: null, callers: [{ ...CALLER, id: 'other' }, CALLER] })
    expect(form.pairing).toMatchObject({ paired: CALLER, pairedAgain: false, ended: false })
    await form.pairing.close()
    expect(form.pairing.code).toBeNull()
    expect(withdrawn).toBe(0)
  })

  it('ends with a program that was paired before, and says that its earlier token has ended', async () => {
    change({ callers: [CALLER] })
    await form.pairing.start()
    // A use of the earlier token is no pairing.
    change({ callers: [{ ...CALLER, lastUsedAt: '2026-11-23T12:01:00.000Z' }] })
    expect(form.pairing).toMatchObject({ paired: null, ended: false })
    const again = { ...CALLER, pairedAt: '2026-11-23T12:02:00.000Z' }
    change({ pairingUntil: null, callers: [again] })
    expect(form.pairing).toMatchObject({ paired: again, pairedAgain: true, ended: false })
  })

  it('says that the code ended, and makes another', async () => {
    await form.pairing.start()
    change({ pairingUntil: null })
    expect(form.pairing).toMatchObject({ paired: null, ended: true })
    await form.pairing.start()
    expect(form.pairing.ended).toBe(false)
  })

  it('withdraws the code when the dialog is closed', async () => {
    await form.pairing.start()
    await form.pairing.close()
    expect(withdrawn).toBe(1)
  })
})

it('removes a program', async () => {
  change({ callers: [CALLER] })
  await form.remove(CALLER)
  expect(form.state.callers).toEqual([])
})
