import * as v from 'valibot'
import { expect, it } from 'vitest'
import { batchIntentId } from '../../../../electron/main/slips/batch-items.ts'

it('is the version 5 UUID of RFC 9562, so that the same place has the same id for ever', () => {
  // python3: uuid.uuid5(uuid.UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8'), '1/1')
  expect(batchIntentId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 1, 1)).toBe(
    '759a45c5-cc26-5261-98e0-cada91444de1'
  )
})

it('differs for each place, attempt and batch', () => {
  const batches = ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d']
  const ids = batches.flatMap((batch) =>
    Array.from({ length: 500 }, (_, index) =>
      [1, 2].map((attempt) => batchIntentId(batch, index + 1, attempt))
    )
  )
  expect(new Set(ids.flat()).size).toBe(2000)
  for (const id of ids.flat()) expect(v.is(v.pipe(v.string(), v.uuid()), id)).toBe(true)
})
