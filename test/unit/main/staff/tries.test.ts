import { beforeEach, describe, expect, it } from 'vitest'
import { createTries, type Tries, type WrongPins } from '../../../../electron/main/staff/tries.ts'

let wrongPins: WrongPins
let time: number

const start = (): Tries =>
  createTries({
    wrongPins: () => wrongPins,
    remember: (next) => {
      wrongPins = next
    },
    clock: () => time
  })

/** Types a wrong PIN, as soon as that may be done. */
const wrong = (tries: Tries, whose = 'manager'): number => {
  time += tries.wait(whose) * 1000
  tries.begin(whose)
  return tries.wait(whose)
}

beforeEach(() => {
  wrongPins = {}
  time = 5000
})

describe('the wait after a wrong PIN', () => {
  it('grows, and stays at a quarter of an hour', () => {
    const tries = start()
    expect(Array.from({ length: 8 }, () => wrong(tries))).toEqual([0, 0, 30, 60, 300, 900, 900, 900])
  })

  it('is over when so much time has passed, and not a second before', () => {
    const tries = start()
    for (let n = 0; n < 3; n++) wrong(tries)
    time += 29_001
    expect(tries.wait('manager')).toBe(1)
    time += 999
    expect(tries.wait('manager')).toBe(0)
  })

  it('begins anew at a restart, however long the till was closed', () => {
    const tries = start()
    for (let n = 0; n < 4; n++) wrong(tries)
    time = 3
    expect(start().wait('manager')).toBe(60)
  })

  it('holds the tries of one against nobody else', () => {
    const tries = start()
    for (let n = 0; n < 4; n++) wrong(tries, 'anna')
    tries.right('manager')
    expect([tries.wait('manager'), tries.wait('anna')]).toEqual([0, 60])
  })

  it('is forgotten with a right PIN', () => {
    const tries = start()
    for (let n = 0; n < 4; n++) wrong(tries)
    tries.right('manager')
    expect([wrong(tries), wrongPins]).toEqual([0, { manager: 1 }])
  })
})
