import { chromium } from '../runtime.ts'

/** Which process draws which page, by the page's WebContents id. */
const processOf = new Map<number, number>()

/** The process that draws a page, as last learned; 0 before its first document. */
export function rendererProcess(webContentsId: number): number {
  return processOf.get(webContentsId) ?? 0
}

/**
 * Finds the renderer process of a page after a new document. Chromium lists its processes, but not their pages: the
 * page's own is the one that belongs to no other page, the youngest of several.
 */
export async function learnRendererProcess(webContentsId: number): Promise<void> {
  const { processInfo } = await chromium().send('SystemInfo.getProcessInfo')
  const alive = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  const claimed = new Set([...processOf].filter(([owner]) => owner !== webContentsId).map(([, id]) => id))
  const own = processOf.get(webContentsId)
  const free = alive.filter((id) => !claimed.has(id))
  const found = own !== undefined && free.includes(own) ? own : free.toSorted((a, b) => b - a)[0]
  if (found !== undefined) processOf.set(webContentsId, found)
}

export function forgetRendererProcess(webContentsId: number): void {
  processOf.delete(webContentsId)
}
