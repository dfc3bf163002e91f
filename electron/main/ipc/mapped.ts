/** Changing the value inside an answer. */
import { ok, type Result } from '../../contract/failure.ts'

/** The same failure, or `change` of the value. */
export const mapped = <Value, Other>(
  answer: Result<Value>,
  change: (value: Value) => Other
): Result<Other> => (answer.ok ? ok(change(answer.value)) : answer)
