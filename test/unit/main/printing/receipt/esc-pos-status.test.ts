import { describe, expect, test } from 'vitest'
import {
  EscPosStatus,
  faultOfStatus,
  isEndMarkByte,
  isStatusByte
} from '../../../../../electron/main/printing/receipt/esc-pos-status.ts'

const FINE = { 1: 0x12, 2: 0x12, 4: 0x12 }

describe('the status of a receipt printer', () => {
  test.each([
    [FINE, null],
    [{ ...FINE, 4: 0x1e }, null],
    [{ ...FINE, 4: 0x72 }, 'out-of-paper'],
    [{ ...FINE, 1: 0x1a, 2: 0x32 }, 'out-of-paper'],
    [{ ...FINE, 1: 0x1a, 2: 0x16 }, 'cover-open'],
    // an open cover has no paper under its sensor: report the cover
    [{ 1: 0x1a, 2: 0x36, 4: 0x72 }, 'cover-open'],
    [{ ...FINE, 1: 0x1a, 2: 0x52 }, 'printer-fault'],
    [{ ...FINE, 1: 0x1a }, 'printer-offline']
  ])('%o: %o', (status, fault) => {
    expect(faultOfStatus(status)).toBe(fault)
  })

  test('differs from end marks, flow control and unsolicited status by its fixed bits', () => {
    for (const byte of [0x12, 0x1a, 0x72, 0x16]) {
      expect(isStatusByte(byte)).toBe(true)
      expect(isEndMarkByte(byte)).toBe(false)
    }
    for (const byte of [0x00, 0x0c, 0x60]) {
      expect(isStatusByte(byte)).toBe(false)
      expect(isEndMarkByte(byte)).toBe(true)
    }
    for (const byte of [0x11, 0x13, 0x10, 0xff]) {
      expect(isStatusByte(byte)).toBe(false)
      expect(isEndMarkByte(byte)).toBe(false)
    }
  })
})

test('end marks are counted, and status bytes returned, in whatever pieces they come', () => {
  const status = new EscPosStatus()
  expect(status.receive(Uint8Array.of(0x00, 0x12, 0x13))).toEqual([Uint8Array.of(0x12)])
  expect(status.receive(Uint8Array.of(0x0c))).toEqual([])
  expect(status.endMarks).toBe(2)
})
