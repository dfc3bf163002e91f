import { expect, test } from 'vitest'
import { offsetBeside, type Edges } from '../../../../renderer/src/components/offset-beside.ts'

const SIZE = { width: 800, height: 480 }
const box = (left: number, top: number, width: number, height: number): Edges => ({
  ...{ left, top },
  right: left + width,
  bottom: top + height
})
/** Its icon stands above it, in the middle. */
const tooltip = box(400, 60, 320, 100)
const icon = box(540, 12, 44, 44)

test('is not moved where nothing is below it', () => {
  expect(offsetBeside(tooltip, [icon, box(600, 300, 180, 64)], SIZE)).toEqual({ x: 0, y: 0 })
})

test('moves beside or below an action, the shorter way', () => {
  expect(offsetBeside(tooltip, [icon, box(690, 100, 100, 64)], SIZE)).toEqual({ x: -34, y: 0 })
  expect(offsetBeside(tooltip, [icon, box(420, 140, 360, 64)], SIZE)).toEqual({ x: 0, y: 148 })
})

test('moves below an action where there is no room beside it', () => {
  expect(offsetBeside(tooltip, [icon, box(100, 100, 600, 64)], SIZE)).toEqual({ x: 0, y: 108 })
})

test('covers no second action instead', () => {
  expect(offsetBeside(tooltip, [icon, box(100, 100, 600, 64), box(400, 200, 100, 64)], SIZE)).toEqual({
    x: 0,
    y: 208
  })
})

test('stays where there is no place for it', () => {
  expect(offsetBeside(tooltip, [icon, box(0, 0, 800, 480)], SIZE)).toEqual({ x: 0, y: 0 })
})
