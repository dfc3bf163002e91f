/**
 * Times between the keys of scanners and typists, in ms, as a till sees them. The shapes are those that makers, studies and
 * other open tills describe; each set names its source.
 */

/** A series of times between keys, which is repeated for longer texts. */
export interface KeyTiming {
  readonly name: string
  readonly gaps: readonly number[]
}

/** Scanners that the till recognises. */
export const RECOGNISED_SCANNERS: readonly KeyTiming[] = [
  // A USB keyboard sends a report each 1 to 8 ms, one for a key that goes down and one for a key that goes up.
  { name: 'USB, 1 ms reports', gaps: [2, 2, 1, 2, 3, 2, 2, 1] },
  { name: 'USB, 8 ms reports', gaps: [16, 16, 15, 17, 16, 16, 8, 16] },
  // A busy hub delivers two reports together.
  { name: 'USB hub, two keys at a time', gaps: [0, 9, 0, 10, 0, 9, 0, 11] },
  // MagTek MagneSafe V5, "Inter-Key Delay Property": 12 ms by default, 35 ms for some tablets.
  { name: 'Bluetooth, 12 ms', gaps: [12, 13, 12, 11, 12, 12, 14, 12] },
  { name: 'Bluetooth, 35 ms', gaps: [35, 34, 35, 36, 34, 35, 35, 34] },
  // woocommerce-android, pull request 14162: a Bluetooth scanner sends a key every 5 to 60 ms, about 20 on average.
  { name: 'Bluetooth, 5 to 60 ms', gaps: [60, 12, 5, 18, 22, 9, 14, 57, 11, 20, 7, 16, 13, 8] },
  // A radio that sleeps between scans delivers the first key alone.
  { name: 'radio, late second key', gaps: [70, 4, 5, 4, 6, 5, 4, 5, 4, 5, 6, 4, 5, 4, 5, 4] },
  { name: 'radio, two late keys', gaps: [95, 8, 110, 8, 9, 8, 7, 8, 9, 8, 8, 9, 8, 7, 8, 9] },
  // A repeated packet holds some keys back, which then arrive at once.
  { name: 'radio, repeated packet', gaps: [8, 8, 8, 8, 8, 8, 118, 0, 0, 0, 8, 8, 8, 8, 8, 8] },
  // A remote desktop collects keys and sends them with each network round trip.
  { name: 'remote desktop, ten keys a packet', gaps: [1, 0, 1, 0, 1, 0, 1, 0, 1, 60] },
  { name: 'remote desktop, 120 ms round trip', gaps: [0, 120, 0, 1, 0, 0, 1, 0, 0, 120] },
  // A machine that pages memory stops for some time, anywhere in the scan.
  { name: 'slow machine', gaps: [20, 280, 25, 20, 22, 24, 20, 21, 240, 20, 23, 20] }
]

/** Scanners that are as slow as a person: their text is typed into the field. */
export const SLOW_SCANNERS: readonly KeyTiming[] = [
  // Makers let a delay between characters be set: Honeywell in steps of 5 ms up to 495, Datalogic of 10 ms up to 990.
  { name: 'delay of 60 ms', gaps: [60, 61, 60, 59, 60, 60] },
  { name: 'delay of 80 ms', gaps: [80, 80, 81, 80, 79, 80] },
  { name: 'delay of 120 ms', gaps: [120, 121, 120, 120, 119, 120] },
  // MagTek names 50 ms for a tablet of 2012.
  { name: 'Bluetooth, 50 ms', gaps: [50, 51, 50, 49, 50, 52] },
  { name: 'remote desktop, three keys a packet', gaps: [1, 0, 110, 0, 1, 95, 1, 1, 120] },
  { name: 'remote desktop, one key a packet', gaps: [62, 118, 75, 90, 104, 60, 83] }
]

/**
 * Cashiers. Fast typists need about 120 ms a key, and press 40 to 70 % of the keys before the last one is released: two,
 * seldom three, then follow within 40 ms (Dhakal et al., CHI 2018). On a number pad 12,000 keys an hour are expert speed,
 * 300 ms a key; the fastest bursts are below 100 ms.
 */
export const TYPISTS: readonly KeyTiming[] = [
  { name: 'number pad, expert', gaps: [110, 95, 130, 180, 120, 90, 140, 260] },
  { name: 'number pad, as fast as possible', gaps: [60, 62, 65, 60, 70, 61, 64, 60] },
  { name: 'number pad, two fingers at once', gaps: [8, 90, 12, 110, 0, 75, 16, 130] },
  { name: 'number pad, rollover of three', gaps: [18, 24, 95, 22, 15, 88, 30, 20, 140] },
  { name: 'keyboard, 120 ms', gaps: [120, 80, 150, 35, 160, 110, 28, 190] },
  { name: 'keyboard, slow', gaps: [280, 190, 420, 230, 350, 160] }
]
