/** Reads a failure back from the journal. `satisfies` below keeps it complete: a new kind must be added here. */
import * as v from 'valibot'
import type { Failure, FailureKind } from '../../../contract/failure.ts'
import { PRINT_FAULTS } from '../../../contract/printing.ts'

const plain = <Kind extends FailureKind>(kind: Kind) => v.object({ kind: v.literal(kind) })

const kinds = {
  offline: plain('offline'),
  timeout: plain('timeout'),
  tls: plain('tls'),
  unauthorised: plain('unauthorised'),
  forbidden: plain('forbidden'),
  'not-found': plain('not-found'),
  'already-exists': plain('already-exists'),
  'points-too-many': v.object({ kind: v.literal('points-too-many'), maximum: v.number() }),
  rejected: v.object({ kind: v.literal('rejected'), status: v.number(), message: v.string() }),
  busy: v.object({ kind: v.literal('busy'), retryAfterSeconds: v.nullable(v.number()) }),
  'service-down': v.object({ kind: v.literal('service-down'), status: v.number() }),
  'bad-response': v.object({ kind: v.literal('bad-response'), path: v.string() }),
  'unknown-outcome': v.object({
    kind: v.literal('unknown-outcome'),
    cause: v.picklist(['timeout', 'connection-lost', 'service-down', 'bad-response', 'till-stopped'])
  }),
  'not-connected': plain('not-connected'),
  'invalid-input': v.object({
    kind: v.literal('invalid-input'),
    field: v.picklist([
      'name',
      'pin',
      'phone',
      'points',
      'amount',
      'base-address',
      'token',
      'code',
      'country',
      'setting'
    ]),
    fault: v.picklist([
      'missing',
      'too-long',
      'not-a-phone',
      'not-a-whole-number',
      'below-one',
      'not-an-address',
      'not-https',
      'malformed',
      'taken'
    ])
  }),
  'not-saved': v.object({
    kind: v.literal('not-saved'),
    what: v.picklist(['settings', 'journal', 'slip', 'export'])
  }),
  'not-printed': v.object({
    kind: v.literal('not-printed'),
    fault: v.picklist(PRINT_FAULTS),
    mayStillPrint: v.boolean()
  }),
  'no-encryption': plain('no-encryption'),
  locked: v.object({ kind: v.literal('locked'), needs: v.picklist(['cashier', 'manager']) }),
  'wrong-pin': v.object({ kind: v.literal('wrong-pin'), waitSeconds: v.number() }),
  'too-many-tries': v.object({ kind: v.literal('too-many-tries'), waitSeconds: v.number() }),
  'other-business': plain('other-business'),
  superseded: plain('superseded'),
  internal: plain('internal')
} as const satisfies {
  readonly [Kind in FailureKind]: v.GenericSchema<unknown, Extract<Failure, { readonly kind: Kind }>>
}

/** A failure as the journal keeps it: JSON. One of another version's kinds reads as `internal`: the row is not lost. */
export const failureSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.variant('kind', Object.values(kinds))),
  { kind: 'internal' }
)
