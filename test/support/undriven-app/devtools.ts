/** The part of the DevTools protocol that evaluates an expression in a page or in main and leaves nothing behind. */
import * as v from 'valibot'

const responseSchema = v.variant('kind', [
  v.object({ kind: v.literal('result'), id: v.number(), result: v.unknown() }),
  v.object({ kind: v.literal('refused'), id: v.number(), error: v.object({ message: v.string() }) }),
  v.object({ kind: v.literal('event') })
])

const messageSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.record(v.string(), v.unknown()),
  v.transform((message) => ({
    ...message,
    kind: 'error' in message ? 'refused' : 'id' in message ? 'result' : 'event'
  })),
  responseSchema
)

const evaluatedSchema = v.object({
  result: v.object({ value: v.optional(v.unknown()) }),
  exceptionDetails: v.optional(
    v.object({ text: v.string(), exception: v.optional(v.object({ description: v.optional(v.string()) })) })
  )
})

/** A connection to one target. */
export interface DevTools {
  /** Sends a command and resolves with its result. Rejects when it was refused or the target has ended. */
  send(method: string, parameters?: object): Promise<unknown>
  /** Evaluates an expression and resolves with the JSON copy of its value, or of what its promise resolves with. */
  evaluate(expression: string): Promise<unknown>
  close(): void
}

/** Connects to a target by its address (`ws://…`). Rejects when the connection is refused. */
export async function connectDevTools(address: string): Promise<DevTools> {
  const socket = new WebSocket(address)
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  const rejectPending = (): void => {
    for (const { reject } of pending.values()) reject(new Error(`${address} has ended`))
    pending.clear()
  }
  socket.addEventListener('message', ({ data }) => {
    const message = v.parse(messageSchema, data)
    if (message.kind === 'event') return
    const command = pending.get(message.id)
    pending.delete(message.id)
    if (message.kind === 'refused') command?.reject(new Error(message.error.message))
    else command?.resolve(message.result)
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`No connection to ${address}`)))
  })
  socket.addEventListener('close', rejectPending)

  let last = 0
  const send = (method: string, parameters: object = {}): Promise<unknown> => {
    last += 1
    const command = Promise.withResolvers<unknown>()
    pending.set(last, command)
    socket.send(JSON.stringify({ id: last, method, params: parameters }))
    return command.promise
  }
  return {
    send,
    async evaluate(expression) {
      const evaluated = v.parse(
        evaluatedSchema,
        await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      )
      const { exceptionDetails: thrown } = evaluated
      if (thrown) throw new Error(thrown.exception?.description ?? thrown.text)
      return evaluated.result.value
    },
    close: () => socket.close()
  }
}
