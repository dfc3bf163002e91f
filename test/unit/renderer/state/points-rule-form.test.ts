import { expect, test } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import type { PointsRule } from '../../../../electron/contract/points-calculation.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { PointsRuleForm } from '../../../../renderer/src/state/points-rule-form.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { bridgeWith, tillState } from '../support/bridge.ts'

const rule: PointsRule = { pointsPerUnit: '10', rounding: 'nearest', minimum: '5', currency: 'USD' }

const make = (pointsRule: PointsRule | null) => {
  const first = tillState()
  let now: TillState = { ...first, settings: { ...first.settings, pointsRule } }
  const bridge = bridgeWith({
    till: {
      set: (change) => {
        now = { ...now, settings: { ...now.settings, ...change } }
        return Promise.resolve(ok(now))
      }
    }
  })
  const till = new Till(bridge, new IpcClient())
  till.accept(now)
  return { form: new PointsRuleForm(till), kept: () => now.settings.pointsRule }
}

test('is off, and turning it on keeps nothing before its rule is saved', async () => {
  const { form, kept } = make(null)
  expect(form.on).toBe(false)
  await form.turn(true)
  expect(form.on).toBe(true)
  expect(form.unsaved).toBe(true)
  expect(kept()).toBeNull()
})

test('begins with the rule that is kept', () => {
  const { form } = make(rule)
  expect(form.on).toBe(true)
  expect(form.unsaved).toBe(false)
  expect(form.rule).toEqual(rule)
})

test('is off at once', async () => {
  const { form, kept } = make(rule)
  await form.turn(false)
  expect(kept()).toBeNull()
})

test('keeps numbers as they are typed with a comma', async () => {
  const { form, kept } = make(null)
  await form.turn(true)
  form.pointsPerUnit = '2,5'
  form.minimum = ''
  expect(form.example).toEqual({ kind: 'points', points: 31 })
  await form.save()
  expect(kept()).toEqual({ pointsPerUnit: '2.5', minimum: '0', rounding: 'down', currency: 'EUR' })
})

test.each([
  ['0', '5', 'points-per-unit'],
  ['-1', '5', 'points-per-unit'],
  ['1', 'five', 'minimum']
] as const)('%j points and a smallest bill of %j are not kept: %s', async (perUnit, minimum, fault) => {
  const { form, kept } = make(rule)
  form.pointsPerUnit = perUnit
  form.minimum = minimum
  await form.save()
  expect(form.fault).toEqual(fault)
  expect(form.example).toBeNull()
  expect(kept()).toEqual(rule)
})
