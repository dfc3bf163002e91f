import type { Page } from 'playwright-core'
import type { PictureCase } from './fake-bridge.ts'

/** One picture: how things stand, and what the cashier does before it is taken. */
export interface Picture {
  readonly name: string
  readonly case?: PictureCase
  readonly steps?: (page: Page) => Promise<void>
  /** only on screens that are too small for the paper */
  readonly small?: true
}
