/** The bodies of requests and responses by their names in the OpenAPI document. */
import type * as v from 'valibot'
import { errorResponseSchema } from './api-error.ts'
import {
  amountRequest,
  amountReturnRequest,
  creditRequest,
  emptyRequest,
  pairingRequest,
  pointsRequest,
  reasonRequest,
  redemptionRequest,
  registrationRequest,
  returnRequest
} from './request-bodies.ts'
import {
  challengeResponseSchema,
  creditResponseSchema,
  customerResponseSchema,
  customersResponseSchema,
  pairedResponseSchema,
  redemptionResponseSchema,
  returnResponseSchema,
  rewardsResponseSchema,
  slipResponseSchema,
  statusResponseSchema
} from './schemas.ts'

export const components = {
  Slip: slipResponseSchema,
  Error: errorResponseSchema,
  Redemption: redemptionResponseSchema,
  Credit: creditResponseSchema,
  Return: returnResponseSchema,
  Paired: pairedResponseSchema,
  Challenge: challengeResponseSchema,
  Customer: customerResponseSchema,
  Customers: customersResponseSchema,
  Rewards: rewardsResponseSchema,
  Status: statusResponseSchema,
  PointsRequest: pointsRequest.schema,
  AmountRequest: amountRequest.schema,
  RedemptionRequest: redemptionRequest.schema,
  CreditRequest: creditRequest.schema,
  ReturnRequest: returnRequest.schema,
  AmountReturnRequest: amountReturnRequest.schema,
  RegistrationRequest: registrationRequest.schema,
  ReasonRequest: reasonRequest.schema,
  PairingRequest: pairingRequest.schema,
  EmptyRequest: emptyRequest.schema
} satisfies Readonly<Record<string, v.GenericSchema>>
export type ComponentName = keyof typeof components
