/** Heap snapshots of the renderer, by DevTools. */
import type { Page } from '@playwright/test'
import * as v from 'valibot'

const snapshotSchema = v.object({ strings: v.array(v.string()) })

/**
 * Returns every string in the heap of the renderer (page and preload) after garbage collection. V8 truncates strings in a
 * snapshot to 1,024 characters.
 */
export async function heapStrings(page: Page): Promise<readonly string[]> {
  const devTools = await page.context().newCDPSession(page)
  try {
    const chunks: string[] = []
    devTools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
    // Twice: finalizers of the first collection may release more.
    await devTools.send('HeapProfiler.collectGarbage')
    await devTools.send('HeapProfiler.collectGarbage')
    await devTools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
    return v.parse(snapshotSchema, JSON.parse(chunks.join(''))).strings
  } finally {
    await devTools.detach()
  }
}
