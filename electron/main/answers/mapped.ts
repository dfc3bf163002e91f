/** Changing the value inside an answer. */
import { good, type Answer } from '../../contract/failure.ts'

/** The same failure, or `change` of the value. */
export const mapped = <Value, Other>(
  answer: Answer<Value>,
  change: (value: Value) => Other
): Answer<Other> => (answer.ok ? good(change(answer.value)) : answer)
