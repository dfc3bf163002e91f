import { describe, expect, it } from 'vitest'
import type { CustomerScreen } from '../../../../electron/contract/customer-display.ts'
import { chooseScreen } from '../../../../electron/main/customer-display/index.ts'

const screen = (id: number, tillIsHere = false): CustomerScreen => ({
  id,
  label: `Screen ${String(id)}`,
  number: id,
  width: 1024,
  height: 600,
  primary: id === 1,
  tillIsHere
})

describe('the screen of the customer display', () => {
  it('is the first beside the till’s own, wherever the till is', () => {
    expect(chooseScreen([screen(1, true), screen(2), screen(3)], null)?.id).toBe(2)
    expect(chooseScreen([screen(1), screen(2, true), screen(3)], null)?.id).toBe(1)
  })

  it('is the chosen one', () => {
    expect(chooseScreen([screen(1, true), screen(2), screen(3)], 3)?.id).toBe(3)
  })

  it('is none without a second screen, while the chosen one is unplugged, or where it would cover the till', () => {
    expect(chooseScreen([screen(1, true)], null)).toBeNull()
    expect(chooseScreen([screen(1, true), screen(2)], 3)).toBeNull()
    expect(chooseScreen([screen(1), screen(2, true)], 2)).toBeNull()
  })
})
