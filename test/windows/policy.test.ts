/** A policy in the registry, on a Windows Node in Wine. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { runOnWindows } from './wine.ts'

const outcomes = v.parse(v.record(v.string(), v.nullable(v.string())), await runOnWindows('policy'))

test.each(Object.entries(outcomes))('%s', (_title, error) => {
  expect(error).toBeNull()
})
