/** Reads a request's JSON body and says exactly what is wrong with it. */
import * as v from 'valibot'
import { Refusal } from './errors.ts'
import { isMessageKey, type MessageValues } from './messages/index.ts'

/** Bytes that a body may have: far above any customer or code. */
export const MAXIMUM_BODY_BYTES = 64 * 1024

/** A missing content type is tolerated; a wrong one tells that the sender means something else. */
const jsonMediaType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/**
 * The body of `request`, parsed by `schema`, whose issues are message keys; `values` fills their placeholders.
 * Refuses with 415 another content type, with 413 a body that is too large, and with 400 what is not UTF-8 JSON or
 * not what the schema wants.
 */
export const readJson = async <Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
  values: MessageValues = {}
): Promise<v.InferOutput<Schema>> => {
  const mediaType = request.headers.get('content-type')
  if (mediaType !== null && !jsonMediaType.test(mediaType)) throw new Refusal(415, 'media-type-unknown')
  const result = v.safeParse(schema, parseJson(await readBytes(request)), { abortEarly: true })
  if (result.success) return result.output
  const key = result.issues[0].message
  throw new Refusal(400, isMessageKey(key) ? key : 'body-not-object', values)
}

/**
 * Reads no further than the limit, whatever the headers promise. (hono/body-limit makes a new Request of what it
 * reads, which the Request of @hono/node-server does not allow.)
 */
const readBytes = async (request: Request): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  const body: ReadableStream<Uint8Array> | null = request.body
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAXIMUM_BODY_BYTES) {
      throw new Refusal(413, 'body-too-large', { most: MAXIMUM_BODY_BYTES }, { Connection: 'close' })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal(400, 'body-not-json')
  }
}
