import type { Connection } from './connection.ts'

/**
 * Opens an empty page in a window of its own.
 * @param size width and height in device-independent pixels
 * @returns Chromium's id of the page
 */
export async function openTarget(
  connection: Connection,
  size: { readonly width: number; readonly height: number }
): Promise<string> {
  const { width, height } = size
  const { targetId } = await connection.send('Target.createTarget', {
    url: 'about:blank',
    width,
    height,
    newWindow: true
  })
  return targetId
}
