/** The event streams of the programs: server-sent events (HTML Standard, 9.2), one for each change of a program's slips. */
import { ApiError } from './api-error.ts'
import type { ProgramSlip } from './schemas.ts'

/** Longer than a pause of a network that is only this machine; shorter than the time-outs of HTTP clients. */
const HEARTBEAT_MS = 15_000

/** Streams of one program at once. */
const MAX_STREAMS = 2

/** Unread events of one stream, after which it ends: the program reads each slip again when it comes back. */
const MAX_UNREAD = 200

interface EventStream {
  readonly callerId: string
  readonly controller: ReadableStreamDefaultController<Uint8Array>
}

const encoder = new TextEncoder()

export class SlipEvents {
  readonly #streams = new Set<EventStream>()
  #heartbeat: NodeJS.Timeout | undefined

  /** Opens a stream. Throws 429 when the program has `MAX_STREAMS` already. */
  open(callerId: string): ReadableStream<Uint8Array> {
    const own = [...this.#streams].filter((stream) => stream.callerId === callerId)
    if (own.length >= MAX_STREAMS) throw new ApiError('too-many-at-once')
    let stream: EventStream | undefined
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          stream = { callerId, controller }
          this.#streams.add(stream)
          this.#heartbeat ??= setInterval(
            () => this.#send(': heartbeat\n\n', () => true),
            HEARTBEAT_MS
          ).unref()
          // The client knows at once that it is connected.
          controller.enqueue(encoder.encode(': connected\n\n'))
        },
        cancel: () => this.#remove(stream)
      },
      new CountQueuingStrategy({ highWaterMark: MAX_UNREAD })
    )
  }

  /** Sends a changed slip to the streams of its program. */
  send(callerId: string, slip: ProgramSlip): void {
    this.#send(`event: slip\ndata: ${JSON.stringify(slip)}\n\n`, (stream) => stream.callerId === callerId)
  }

  /** Ends the streams of a program, or all. */
  close(callerId?: string): void {
    for (const stream of this.#streams) {
      if (callerId === undefined || stream.callerId === callerId) this.#end(stream)
    }
  }

  #send(event: string, isFor: (stream: EventStream) => boolean): void {
    const bytes = encoder.encode(event)
    for (const stream of this.#streams) {
      if (!isFor(stream)) continue
      if ((stream.controller.desiredSize ?? 0) <= 0) this.#end(stream)
      else stream.controller.enqueue(bytes)
    }
  }

  #end(stream: EventStream): void {
    this.#remove(stream)
    stream.controller.close()
  }

  #remove(stream: EventStream | undefined): void {
    if (stream !== undefined) this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}
