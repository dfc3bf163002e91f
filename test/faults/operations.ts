/** The operations of the client by name. */
import type { Result } from '../../electron/contract/failure.ts'
import type { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'

/** Existing data of the service for reads, and new data for writes. */
export interface OperationArguments {
  readonly customerId: string
  readonly phone: string
  readonly email: string
  readonly rewardId: string
  readonly code: string
  /** phone of the customer to register */
  readonly newPhone: string
  /** points of the code to create, unique in the matrix */
  readonly points: number
}

/** A `read` may be repeated. The two writes may not, and differ in their refusals. */
type Kind = 'read' | 'register' | 'issue'

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

/** What the operations of the extension are run with: unique in each run, but for the customer and the reward. */
export interface ExtensionArguments {
  readonly customerId: string
  readonly rewardId: string
  readonly cost: number
  /** of a request that has one */
  readonly key: string
  /** the ids of a redemption and of a credit, to undo them */
  readonly redemption: string
  readonly credit: string
  /** as a scanner reads it */
  readonly customerCode: string
  readonly digits: string
}

/** `keyed` may be repeated with its key; `once`, and a read, is sent once. */
type ExtensionKind = 'keyed' | 'once' | 'read'

interface ExtensionOperation {
  readonly kind: ExtensionKind
  readonly run: (service: LoyaltyClient, given: ExtensionArguments) => Promise<Result<unknown>>
}

export const EXTENSION_OPERATIONS = {
  redeem: {
    kind: 'keyed',
    run: (service, { key, customerId, rewardId, cost }) =>
      service.redeem(key, { customer: customerId, reward: rewardId, cost })
  },
  reverseRedemption: {
    kind: 'keyed',
    run: (service, { key, redemption }) =>
      service.reverseRedemption(key, { redemption, reason: 'Wrong reward' })
  },
  issueCode: {
    kind: 'keyed',
    run: (service, { key }) => service.issueCode(key, { points: 25, reference: 'R-1', cashier: null })
  },
  credit: {
    kind: 'keyed',
    run: (service, { key, customerId }) =>
      service.credit(key, { customer: customerId, points: 25, reference: 'R-1', cashier: null })
  },
  reverseCredit: {
    kind: 'keyed',
    run: (service, { key, credit }) => service.reverseCredit(key, { credit, reason: 'Wrong customer' })
  },
  takeBack: {
    kind: 'keyed',
    run: (service, { key, credit }) =>
      service.takeBack(key, { credit, points: 5, reason: 'Wrong size', cashier: null })
  },
  collections: { kind: 'read', run: (service) => service.collections('2026-11-25T10:00:00.000Z') },
  standing: { kind: 'read', run: (service, { customerId }) => service.standing(customerId) },
  customerOfCode: { kind: 'once', run: (service, { customerCode }) => service.customerOfCode(customerCode) },
  linkDevice: {
    kind: 'once',
    run: (service, { customerId, digits }) => service.linkDevice({ customer: customerId, digits })
  }
} as const satisfies Readonly<Record<string, ExtensionOperation>>

export type ExtensionOperationName = keyof typeof EXTENSION_OPERATIONS

export const EXTENSION_OPERATION_NAMES = Object.keys(
  EXTENSION_OPERATIONS
) as readonly ExtensionOperationName[]
