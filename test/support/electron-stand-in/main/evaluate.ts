import { makeCodec, type Codec } from '../page/codec.ts'
import type { PageTarget } from './page-target.ts'

const FAILED =
  'Script failed to execute, this normally means an error was thrown. Check the renderer console for the error.'

/**
 * Runs code in the page's own world and brings its value (or that of its promise) back as structured clone keeps it.
 * @throws as Electron's executeJavaScript: the promise's own error, or one sentence for a script that threw
 */
export async function evaluate(
  page: PageTarget,
  codec: Codec,
  code: string,
  userGesture: boolean
): Promise<unknown> {
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: code,
    awaitPromise: true,
    userGesture
  })
  if (exceptionDetails) {
    const thrown = exceptionDetails.exception
    const rejected = exceptionDetails.text.includes('(in promise)')
    if (!rejected || !thrown?.objectId) throw new Error(rejected ? String(thrown?.value) : FAILED)
    throw await fetchValue(page, codec, thrown.objectId)
  }
  if (result.objectId === undefined) {
    return result.unserializableValue === undefined
      ? result.value
      : parseUnserializable(result.unserializableValue)
  }
  return fetchValue(page, codec, result.objectId)
}

async function fetchValue(page: PageTarget, codec: Codec, objectId: string): Promise<unknown> {
  const { result, exceptionDetails } = await page.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: `function () { return (${makeCodec.toString()})().stringify(this) }`,
    returnByValue: true
  })
  if (exceptionDetails) throw new Error('An object could not be cloned.')
  return codec.parse(String(result.value))
}

function parseUnserializable(text: string): unknown {
  return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text)
}
