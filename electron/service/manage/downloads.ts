/** Files that a page gives to its browser, as they are made. */

type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string>

async function* encode(chunks: Chunks): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for await (const chunk of chunks) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk
}

/** Responds with a file. */
export const respondFile = (
  chunks: Chunks,
  { name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes?: number }
): Response => {
  const iterator = encode(chunks)
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: async () => {
      await iterator.return(undefined)
    }
  })
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(bytes === undefined ? {} : { 'Content-Length': String(bytes) })
    }
  })
}

/** Responds with comma-separated values. */
export const respondCsv = (name: string, chunks: Chunks): Response =>
  respondFile(chunks, { name, type: 'text/csv; charset=utf-8' })
