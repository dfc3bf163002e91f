/** The people at the till: cashiers, the manager's PIN, the lock. */
export type { KeptStaff } from './kept.ts'
export { needOf } from './needs.ts'
export { createStaff, type Staff } from './staff.ts'
