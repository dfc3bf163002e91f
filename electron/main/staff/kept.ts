/** What is remembered of the people at the till between starts. */
import type { KeptPin } from './pin.ts'
import type { WrongPins } from './tries.ts'

/** A cashier as kept. */
export interface KeptCashier {
  readonly id: string
  readonly name: string
  /** null: chosen with a tap */
  readonly pin: KeptPin | null
}

/** All of it. */
export interface KeptStaff {
  /** null: everybody may do the manager's work */
  readonly managerPin: KeptPin | null
  readonly cashiers: readonly KeptCashier[]
  readonly wrongPins: WrongPins
  /** whether the till was locked: closing it and opening it again does not unlock it */
  readonly locked: boolean
}

/** Reads and writes it; what was written is on disk, as far as the disk takes it. */
export interface StaffMemory {
  readonly kept: () => KeptStaff
  readonly remember: (change: Partial<KeptStaff>) => void
}
