/** As much of the DevTools protocol as asking a page or a main process a question takes, and nothing that it would remember. */
import * as v from 'valibot'

const answerSchema = v.variant('kind', [
  v.object({ kind: v.literal('answer'), id: v.number(), result: v.unknown() }),
  v.object({ kind: v.literal('refused'), id: v.number(), error: v.object({ message: v.string() }) }),
  v.object({ kind: v.literal('event') })
])

const messageSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.record(v.string(), v.unknown()),
  v.transform((message) => ({
    ...message,
    kind: 'error' in message ? 'refused' : 'id' in message ? 'answer' : 'event'
  })),
  answerSchema
)

const evaluatedSchema = v.object({
  result: v.object({ value: v.optional(v.unknown()) }),
  exceptionDetails: v.optional(
    v.object({ text: v.string(), exception: v.optional(v.object({ description: v.optional(v.string()) })) })
  )
})

/** A connection to one target. */
export interface DevTools {
  /** Sends a command. Gives its result; rejects where it was refused or the target is gone. */
  ask(method: string, parameters?: object): Promise<unknown>
  /** Evaluates an expression, waits for its promise, and gives its value as JSON copies it. Rejects as it throws. */
  evaluate(expression: string): Promise<unknown>
  close(): void
}

/** Connects to a target by its address (`ws://…`). Rejects where nobody listens. */
export async function connectDevTools(address: string): Promise<DevTools> {
  const socket = new WebSocket(address)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const gone = (): void => {
    for (const { reject } of waiting.values()) reject(new Error(`${address} is gone`))
    waiting.clear()
  }
  socket.addEventListener('message', ({ data }) => {
    const message = v.parse(messageSchema, data)
    if (message.kind === 'event') return
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'refused') asked?.reject(new Error(message.error.message))
    else asked?.resolve(message.result)
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`Nobody listens at ${address}`)))
  })
  socket.addEventListener('close', gone)

  let last = 0
  const ask = (method: string, parameters: object = {}): Promise<unknown> => {
    last += 1
    const asked = Promise.withResolvers<unknown>()
    waiting.set(last, asked)
    socket.send(JSON.stringify({ id: last, method, params: parameters }))
    return asked.promise
  }
  return {
    ask,
    async evaluate(expression) {
      const evaluated = v.parse(
        evaluatedSchema,
        await ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      )
      const { exceptionDetails: thrown } = evaluated
      if (thrown) throw new Error(thrown.exception?.description ?? thrown.text)
      return evaluated.result.value
    },
    close: () => socket.close()
  }
}
