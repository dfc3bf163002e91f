/** What the page's JavaScript holds, as DevTools sees it. */
import type { Page } from '@playwright/test'
import * as v from 'valibot'

const snapshotSchema = v.object({ strings: v.array(v.string()) })

/**
 * Every string in the page's heap, of the page and of the preload beside it, after what nobody holds any more was
 * collected. V8 cuts strings in a snapshot at 1,024 characters.
 */
export async function heapOf(page: Page): Promise<readonly string[]> {
  const devTools = await page.context().newCDPSession(page)
  try {
    const chunks: string[] = []
    devTools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
    // Twice: what the first one freed may have held other things by a finalizer.
    await devTools.send('HeapProfiler.collectGarbage')
    await devTools.send('HeapProfiler.collectGarbage')
    await devTools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
    return v.parse(snapshotSchema, JSON.parse(chunks.join(''))).strings
  } finally {
    await devTools.detach()
  }
}
