import { runningChromium } from '../runtime.ts'
import { makeDisplay, useDisplays } from './screen.ts'

/**
 * Reads the machine's own displays from Chromium, unless TILLPOINTS_STAND_IN_DISPLAYS describes others.
 * Only a page has access to them, so the first window's page is opened for it, before the app starts.
 */
export async function useRealDisplays(): Promise<void> {
  const chromium = runningChromium()
  const { connection } = chromium
  const targetId = await chromium.reservePage({ width: 800, height: 600 })
  if (process.env['TILLPOINTS_STAND_IN_DISPLAYS']) return
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
  const { screenInfos } = await connection.send('Emulation.getScreenInfos', {}, sessionId)
  await connection.send('Target.detachFromTarget', { sessionId })
  const primaryFirst = screenInfos.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
  useDisplays(
    primaryFirst.map((info, index) => {
      const bounds = { x: info.left, y: info.top, width: info.width, height: info.height }
      const workArea = {
        x: info.availLeft,
        y: info.availTop,
        width: info.availWidth,
        height: info.availHeight
      }
      return makeDisplay(index + 1, info.label, bounds, info.devicePixelRatio, workArea)
    })
  )
}
