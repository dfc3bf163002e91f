/** Every operation of the client, as a test can ask for it by name. */
import type { Result } from '../../electron/contract/failure.ts'
import type { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'

/** What exists at the service, and what a write is to make there. */
export interface OperationArguments {
  readonly customerId: string
  readonly phone: string
  readonly email: string
  readonly rewardId: string
  readonly code: string
  /** of a customer who does not exist yet */
  readonly newPhone: string
  /** points of the code to make; no other cell of the matrix asks for as many */
  readonly points: number
}

/** `read` may be repeated; the two writes may not, and their refusals read differently. */
export type Kind = 'read' | 'register' | 'issue'

interface Operation {
  readonly kind: Kind
  readonly run: (service: LoyaltyClient, given: OperationArguments) => Promise<Result<unknown>>
}

export const OPERATIONS = {
  listCustomers: { kind: 'read', run: (service) => service.listCustomers({ page: 1 }) },
  searchCustomers: {
    kind: 'read',
    run: (service, { phone }) => service.searchCustomers({ text: phone, page: 1 })
  },
  customerById: { kind: 'read', run: (service, { customerId }) => service.customerBy('id', customerId) },
  customerByPhone: { kind: 'read', run: (service, { phone }) => service.customerBy('phone', phone) },
  customerByEmail: { kind: 'read', run: (service, { email }) => service.customerBy('email', email) },
  listRewards: { kind: 'read', run: (service) => service.listRewards({ page: 1 }) },
  reward: { kind: 'read', run: (service, { rewardId }) => service.reward(rewardId) },
  account: { kind: 'read', run: (service) => service.account() },
  qr: { kind: 'read', run: (service, { code }) => service.qr(code) },
  addCustomer: {
    kind: 'register',
    run: (service, { newPhone }) => service.addCustomer({ name: 'Ada Lovelace', phone: newPhone })
  },
  createQr: { kind: 'issue', run: (service, { points }) => service.createQr(points) }
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[]
