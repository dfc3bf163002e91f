import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure, Result } from '../../../electron/contract/failure.ts'
import type { Cashier } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { NewPinForm } from './pin-form.svelte.ts'
import type { Till } from './till.svelte.ts'

/** The staff settings: the manager's PIN and the cashiers. */
export class StaffForm {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #till: Till
  readonly adding: AsyncRequest
  readonly changing: AsyncRequest
  #changedId = $state<string | null>(null)
  /** the name of a new cashier, as typed */
  name = $state('')

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#till = till
    this.adding = new AsyncRequest(ipc)
    this.changing = new AsyncRequest(ipc)
  }

  /** Returns why the last change of this cashier failed; null if it did not. */
  failureOf({ id }: Cashier): Failure | null {
    return this.#changedId === id ? this.changing.failure : null
  }

  /** Adds a cashier with the typed name, which is cleared on success unless another one was typed meanwhile. */
  async add(): Promise<void> {
    if (this.adding.running) return
    const { name } = this
    const state = await this.adding.run(() => this.#bridge.staff.addCashier({ name, pin: null }))
    if (!state) return
    this.#till.accept(state)
    if (this.name === name) this.name = ''
  }

  /** Resolves with whether it succeeded. */
  rename(cashier: Cashier, name: string): Promise<boolean> {
    return this.#change(cashier, () => this.#bridge.staff.changeCashier({ id: cashier.id, name }))
  }

  async removePin(cashier: Cashier): Promise<void> {
    await this.#change(cashier, () => this.#bridge.staff.changeCashier({ id: cashier.id, pin: null }))
  }

  async remove(cashier: Cashier): Promise<void> {
    await this.#change(cashier, () => this.#bridge.staff.removeCashier({ id: cashier.id }))
  }

  /** Creates a form for a cashier's new PIN. The current one is not asked for. */
  newCashierPinForm({ id }: Cashier, onSaved: () => void): NewPinForm {
    return this.#newPinForm(false, (pin) => this.#bridge.staff.changeCashier({ id, pin }), onSaved)
  }

  /** Creates a form for the manager's new PIN. The current one is asked for first, if there is one. */
  newManagerPinForm(onSaved: () => void): NewPinForm {
    const { staff } = this.#bridge
    return this.#newPinForm(
      this.#hasManagerPin,
      (pin, current) => staff.setManagerPin({ current, pin }),
      onSaved
    )
  }

  /** Removes the manager's PIN. */
  removeManagerPin(current: string): Promise<Result<TillState>> {
    return this.#bridge.staff.setManagerPin({ current, pin: null })
  }

  get #hasManagerPin(): boolean {
    return this.#till.state?.staff.manager !== 'open'
  }

  #newPinForm(
    asksCurrent: boolean,
    save: (pin: string, current: string | null) => Promise<Result<TillState>>,
    onSaved: () => void
  ): NewPinForm {
    return new NewPinForm(this.#ipc, {
      check: asksCurrent ? (pin) => this.#bridge.staff.unlockManager({ pin }) : null,
      save,
      onSaved: (state) => {
        this.#till.accept(state)
        onSaved()
      }
    })
  }

  async #change({ id }: Cashier, call: () => Promise<Result<TillState>>): Promise<boolean> {
    if (this.changing.running) return false
    this.#changedId = id
    const state = await this.changing.run(call)
    if (state) this.#till.accept(state)
    return state !== undefined
  }
}
