import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import type { SlipPreviewImage, SlipPreviewInput } from '../../../../electron/contract/settings.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { SlipSettingsForm } from '../../../../renderer/src/state/slip-settings-form.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWithSettings, deferredCalls } from '../support/bridge.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const createForm = () => {
  const { requests, call } = deferredCalls<SlipPreviewInput, SlipPreviewImage>()
  const ipc = new IpcClient()
  const { bridge, state } = bridgeWithSettings(tillState(), { printers: { preview: call } })
  const till = new Till(bridge, ipc)
  till.accept(state())
  return { requests, form: new SlipSettingsForm(bridge, ipc, till), saved: () => state().settings.slip }
}

const preview = (image: string): SlipPreviewImage => ({
  image,
  widthMillimetres: 80,
  heightMillimetres: 120,
  missing: []
})

test('SlipSettingsForm draws the preview with the current values after a pause in typing', async () => {
  const { requests, form } = createForm()
  form.change({ footer: 'Open' })
  form.change({ footer: 'Open daily ' })
  await vi.runAllTimersAsync()
  expect(requests.map(({ input }) => [input.paperSize, input.slip.footer])).toEqual([['80mm', 'Open daily']])
})

test('SlipSettingsForm shows the preview that was requested last, in whichever order previews arrive', async () => {
  const { requests, form } = createForm()
  form.renderPreview()
  form.selectPaper('58mm')
  requests[1]?.resolve(ok(preview('new')))
  await vi.advanceTimersByTimeAsync(0)
  requests[0]?.resolve(ok(preview('old')))
  await vi.advanceTimersByTimeAsync(0)
  expect(requests[1]?.input.paperSize).toBe('58mm')
  expect(form.preview?.image).toBe('new')
})

test('SlipSettingsForm saves the values only on save', async () => {
  const { form, saved } = createForm()
  form.change({ headline: ' Welcome ', joinUs: true })
  expect(form.unsaved).toBe(true)
  expect(saved().headline).toBe('')
  await form.save()
  expect(form.unsaved).toBe(false)
  expect(saved().headline).toBe('Welcome')
  expect(saved().joinUs).toBe(true)
})
