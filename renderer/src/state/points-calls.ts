import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Credit } from '../../../electron/contract/credits.ts'
import { err, type Result } from '../../../electron/contract/failure.ts'
import type { IssuedSlip } from '../../../electron/contract/slips.ts'
import type { IpcClient } from './ipc-client.svelte.ts'
import type { PointsRequest } from './points-form-options.ts'

/** What the points form asks of main. */
export class PointsCalls {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#ipc = ipc
  }

  /** Issues a slip: see `bridge.slips.issue`. */
  issue({
    intentId,
    points,
    copies,
    customer,
    calculation,
    linkedBill
  }: PointsRequest): Promise<Result<IssuedSlip>> {
    const reference = linkedBill?.reference ?? null
    return this.#ipc.invoke(() =>
      this.#bridge.slips.issue({
        intentId,
        points,
        customer: customer && { id: customer.id, name: customer.name },
        ...(copies === null ? {} : { copies }),
        ...(reference === null ? {} : { reference }),
        ...(calculation === null ? {} : { calculation })
      })
    )
  }

  /** Credits the points of a request that has a customer: see `bridge.credits.credit`. */
  async credit(request: PointsRequest, isApproved: boolean): Promise<Result<Credit>> {
    const { intentId, points, customer, calculation, linkedBill } = request
    if (customer === null) return err({ kind: 'internal' })
    return this.#ipc.invoke(() =>
      this.#bridge.credits.credit({
        intentId,
        points,
        customer: { id: customer.id, name: customer.name },
        balanceBefore: customer.balance,
        reference: linkedBill?.reference ?? null,
        ...(calculation === null ? {} : { calculation }),
        isApproved
      })
    )
  }
}
