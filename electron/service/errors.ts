/** Refusals of the service, and the one body that all of them share. */
import { STATUS_CODES } from 'node:http'
import type { ErrorBody } from '../contract/loyalty.ts'
import { messageIn, type Language, type MessageKey, type MessageValues } from './messages/index.ts'

/** Statuses that this service refuses with. */
export type RefusalStatus = 400 | 401 | 404 | 405 | 406 | 408 | 413 | 415 | 431 | 500

/** Thrown by any part of the service to refuse a request; `app.ts` turns it into an answer. */
export class Refusal extends Error {
  readonly status: RefusalStatus
  readonly key: MessageKey
  readonly values: MessageValues
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: RefusalStatus,
    key: MessageKey,
    values: MessageValues = {},
    headers: Readonly<Record<string, string>> = {}
  ) {
    super(key)
    this.name = 'Refusal'
    this.status = status
    this.key = key
    this.values = values
    this.headers = headers
  }
}

/** The Error body of a refusal (interface document, parts 2 and 7): `error` is the status in words, in English. */
export const errorBody = (refusal: Refusal, language: Language): ErrorBody => ({
  message: messageIn(language, refusal.key, refusal.values),
  error: STATUS_CODES[refusal.status] ?? 'Error',
  statusCode: refusal.status
})
