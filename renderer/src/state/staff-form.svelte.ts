import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure, Result } from '../../../electron/contract/failure.ts'
import type { Cashier } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { NewPinForm } from './pin-form.svelte.ts'
import type { Till } from './till.svelte.ts'

/** Setting up the people at the till: the manager's PIN, and the list of cashiers. */
export class StaffForm {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #till: Till
  readonly #adding: AsyncRequest
  readonly #changing: AsyncRequest
  #changed = $state<string | null>(null)
  /** the name of a new cashier, as typed */
  name = $state('')

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#till = till
    this.#adding = new AsyncRequest(ipc)
    this.#changing = new AsyncRequest(ipc)
  }

  get adding(): AsyncRequest {
    return this.#adding
  }

  get changing(): AsyncRequest {
    return this.#changing
  }

  /** Why the last change of this cashier came to nothing. */
  failureOf({ id }: Cashier): Failure | null {
    return this.#changed === id ? this.#changing.failure : null
  }

  /** Adds whoever stands in the field. The name stays there until that went well. */
  async add(): Promise<void> {
    if (this.#adding.running) return
    const { name } = this
    const state = await this.#adding.run(() => this.#bridge.staff.addCashier({ name, pin: null }))
    if (!state) return
    this.#till.accept(state)
    this.name = ''
  }

  /** Gives whether it went well. */
  rename(cashier: Cashier, name: string): Promise<boolean> {
    return this.#change(cashier, () => this.#bridge.staff.changeCashier({ id: cashier.id, name }))
  }

  async removePin(cashier: Cashier): Promise<void> {
    await this.#change(cashier, () => this.#bridge.staff.changeCashier({ id: cashier.id, pin: null }))
  }

  async remove(cashier: Cashier): Promise<void> {
    await this.#change(cashier, () => this.#bridge.staff.removeCashier({ id: cashier.id }))
  }

  /** A form for a cashier's PIN; no one is asked for the one before. */
  cashierPin({ id }: Cashier, done: () => void): NewPinForm {
    return this.#newPin(false, (pin) => this.#bridge.staff.changeCashier({ id, pin }), done)
  }

  /** A form for the manager's PIN; the one that holds is asked for first, if there is one. */
  managerPin(done: () => void): NewPinForm {
    const { staff } = this.#bridge
    return this.#newPin(this.#hasManagerPin, (pin, current) => staff.setManagerPin({ current, pin }), done)
  }

  /** Takes the manager's PIN away, for whoever knows it. */
  removeManagerPin(current: string): Promise<Result<TillState>> {
    return this.#bridge.staff.setManagerPin({ current, pin: null })
  }

  get #hasManagerPin(): boolean {
    return this.#till.state?.staff.manager !== 'open'
  }

  #newPin(
    asksCurrent: boolean,
    keep: (pin: string, current: string | null) => Promise<Result<TillState>>,
    done: () => void
  ): NewPinForm {
    return new NewPinForm(this.#ipc, {
      check: asksCurrent ? (pin) => this.#bridge.staff.unlockManager({ pin }) : null,
      keep,
      done: (state) => {
        this.#till.accept(state)
        done()
      }
    })
  }

  async #change({ id }: Cashier, call: () => Promise<Result<TillState>>): Promise<boolean> {
    if (this.#changing.running) return false
    this.#changed = id
    const state = await this.#changing.run(call)
    if (state) this.#till.accept(state)
    return state !== undefined
  }
}
