import * as v from 'valibot'
import { expect, it } from 'vitest'
import { batchIntentId, programId, referenceIntentId } from '../../../../electron/main/journal/intent-ids.ts'

it('batchIntentId returns the version 5 UUID of RFC 9562', () => {
  // python3: uuid.uuid5(uuid.UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8'), '1/1')
  expect(batchIntentId({ batchId: '6ba7b810-9dad-11d1-80b4-00c04fd430c8', position: 1, attempt: 1 })).toBe(
    '759a45c5-cc26-5261-98e0-cada91444de1'
  )
})

it('batchIntentId differs for each position, attempt and batch', () => {
  const batches = ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d']
  const ids = batches.flatMap((batch) =>
    Array.from({ length: 500 }, (_, index) =>
      [1, 2].map((attempt) => batchIntentId({ batchId: batch, position: index + 1, attempt }))
    )
  )
  expect(new Set(ids.flat()).size).toBe(2000)
  for (const id of ids.flat()) expect(v.is(v.pipe(v.string(), v.uuid()), id)).toBe(true)
})

it('a reference has another id for each program, mode and business', () => {
  const scope = { training: false, businessId: 'a' }
  const program = programId('Bistro')
  const ids = [
    referenceIntentId(scope, program, 'R-1', 1),
    referenceIntentId(scope, programId('Kiosk'), 'R-1', 1),
    referenceIntentId({ ...scope, training: true }, program, 'R-1', 1),
    referenceIntentId({ ...scope, businessId: 'b' }, program, 'R-1', 1)
  ]
  expect(new Set(ids).size).toBe(ids.length)
})
