import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import type { SlipPreview, SlipPreviewInput } from '../../../../electron/contract/settings.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { SlipSettingsForm } from '../../../../renderer/src/state/slip-settings-form.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { bridgeWith, byHand, settle, tillState } from '../support/bridge.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const make = () => {
  const { asked, call } = byHand<SlipPreviewInput, SlipPreview>()
  const ipc = new IpcClient()
  let now: TillState = tillState()
  const bridge = bridgeWith({
    till: {
      set: (change) => {
        now = { ...now, settings: { ...now.settings, ...change } }
        return Promise.resolve(ok(now))
      }
    },
    printers: { preview: call }
  })
  const till = new Till(bridge, ipc)
  till.accept(now)
  return { asked, form: new SlipSettingsForm(bridge, ipc, till), kept: () => now.settings.slip }
}

const drawn = (image: string): SlipPreview => ({
  image,
  widthMillimetres: 80,
  heightMillimetres: 120,
  missing: []
})

test('is drawn anew after a pause in typing, as it stands then', async () => {
  const { asked, form } = make()
  form.change({ footer: 'Open' })
  form.change({ footer: 'Open daily ' })
  await vi.runAllTimersAsync()
  expect(asked.map(({ input }) => [input.paper, input.slip.footer])).toEqual([['80mm', 'Open daily']])
})

test('shows the drawing that was asked for last, whichever comes first', async () => {
  const { asked, form } = make()
  form.draw()
  form.paper = '58mm'
  asked[1]?.answer(ok(drawn('new')))
  await settle()
  asked[0]?.answer(ok(drawn('old')))
  await settle()
  expect([asked[1]?.input.paper, form.preview?.image]).toEqual(['58mm', 'new'])
})

test('is kept when the manager says so, and not before', async () => {
  const { form, kept } = make()
  form.change({ headline: ' Welcome ', joinUs: true })
  expect([form.unsaved, kept().headline]).toEqual([true, ''])
  await form.save()
  expect([form.unsaved, kept().headline, kept().joinUs]).toEqual([false, 'Welcome', true])
})
