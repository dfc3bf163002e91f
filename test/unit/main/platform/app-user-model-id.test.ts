import { afterEach, expect, it, vi } from 'vitest'
import { packaging } from '../../../../resources/packaging/electron-builder.config.ts'

const { app } = vi.hoisted(() => ({ app: { setAppUserModelId: vi.fn() } }))
vi.mock('electron', () => ({ app }))

const { setAppUserModelId } = await import('../../../../electron/main/platform/system.ts')

const { platform } = process
const runOn = (system: NodeJS.Platform): void => {
  Object.defineProperty(process, 'platform', { value: system })
}
afterEach(() => runOn(platform))

it('is the id that the installer gives to the shortcuts, on Windows only', () => {
  runOn('linux')
  setAppUserModelId()
  expect(app.setAppUserModelId).not.toHaveBeenCalled()
  runOn('win32')
  setAppUserModelId()
  expect(app.setAppUserModelId.mock.calls).toEqual([[packaging({ platform: 'win32', feed: null }).appId]])
})
