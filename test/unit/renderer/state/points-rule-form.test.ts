import { expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { PointsRule } from '../../../../electron/contract/points-calculation.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { PointsRuleForm } from '../../../../renderer/src/state/points-rule-form.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import type { TillSettings } from '../../../../electron/contract/settings.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, bridgeWithSettings, deferredCalls, flushPromises } from '../support/bridge.ts'

const rule: PointsRule = { pointsPerUnit: '10', rounding: 'nearest', minimum: '5', currency: 'USD' }

const createForm = (pointsRule: PointsRule | null) => {
  const first = tillState()
  const { bridge, state } = bridgeWithSettings({ ...first, settings: { ...first.settings, pointsRule } })
  const till = new Till(bridge, new IpcClient())
  till.accept(state())
  return { form: new PointsRuleForm(till), saved: () => state().settings.pointsRule }
}

test('PointsRuleForm saves nothing when it is turned on, until the rule is saved', async () => {
  const { form, saved } = createForm(null)
  expect(form.enabled).toBe(false)
  await form.setEnabled(true)
  expect(form.enabled).toBe(true)
  expect(form.unsaved).toBe(true)
  expect(saved()).toBeNull()
})

test('PointsRuleForm starts with the saved rule', () => {
  const { form } = createForm(rule)
  expect(form.enabled).toBe(true)
  expect(form.unsaved).toBe(false)
  expect(form.rule).toEqual(rule)
})

test('PointsRuleForm removes the rule when it is turned off', async () => {
  const { form, saved } = createForm(rule)
  await form.setEnabled(false)
  expect(saved()).toBeNull()
})

test('PointsRuleForm that is turned off while its first rule is saved removes that rule', async () => {
  const { requests, call } = deferredCalls<Partial<TillSettings>, TillState>()
  const first = tillState()
  const till = new Till(bridgeWith({ till: { set: call } }), new IpcClient())
  till.accept({ ...first, settings: { ...first.settings, pointsRule: null } })
  const form = new PointsRuleForm(till)
  await form.setEnabled(true)
  const saving = form.save()
  const turningOff = form.setEnabled(false)
  requests[0]?.resolve(ok({ ...first, settings: { ...first.settings, pointsRule: rule } }))
  await saving
  await flushPromises()
  requests[1]?.resolve(ok({ ...first, settings: { ...first.settings, pointsRule: null } }))
  await turningOff
  expect(requests[1]?.input).toEqual({ pointsRule: null })
  expect(form.enabled).toBe(false)
})

test('PointsRuleForm stays on when the removal of the rule was refused', async () => {
  const first = tillState()
  const ipc = new IpcClient()
  const bridge = bridgeWith({
    till: { set: () => Promise.resolve(err({ kind: 'locked', needs: 'manager' })) }
  })
  const till = new Till(bridge, ipc)
  till.accept({ ...first, settings: { ...first.settings, pointsRule: rule } })
  // The prompt for the PIN is cancelled.
  ipc.onManagerRequired(() => Promise.resolve(false))
  const form = new PointsRuleForm(till)
  await form.setEnabled(false)
  expect(form.enabled).toBe(true)
  expect(form.unsaved).toBe(false)
})

test('PointsRuleForm shows a rule that a policy sets or removes meanwhile', () => {
  const first = tillState()
  const till = new Till(bridgeWith({}), new IpcClient())
  till.accept(first)
  const form = new PointsRuleForm(till)
  till.accept({ ...first, settings: { ...first.settings, pointsRule: rule } })
  expect(form.enabled).toBe(true)
  till.accept(first)
  expect(form.enabled).toBe(false)
})

test('PointsRuleForm accepts a decimal comma', async () => {
  const { form, saved } = createForm(null)
  await form.setEnabled(true)
  form.pointsPerUnit = '2,5'
  form.minimum = ''
  expect(form.example).toMatchObject({ kind: 'points', points: 31, currency: 'EUR' })
  await form.save()
  expect(saved()).toEqual({ pointsPerUnit: '2.5', minimum: '0', rounding: 'down', currency: 'EUR' })
})

test.each([
  ['0', '5', 'points-per-unit'],
  ['-1', '5', 'points-per-unit'],
  ['1', 'five', 'minimum']
] as const)(
  'PointsRuleForm rejects %j points per unit with the minimum %j: %s',
  async (perUnit, minimum, fault) => {
    const { form, saved } = createForm(rule)
    form.pointsPerUnit = perUnit
    form.minimum = minimum
    await form.save()
    expect(form.fault).toEqual(fault)
    expect(form.example).toBeNull()
    expect(saved()).toEqual(rule)
  }
)
