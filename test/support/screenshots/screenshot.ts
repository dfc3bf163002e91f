import type { Page } from 'playwright-core'
import type { FakeState } from './fake-bridge.ts'

/** One screenshot: the state of the fake bridge, and the steps before it is taken. */
export interface Screenshot {
  readonly name: string
  readonly case?: FakeState
  readonly steps?: (page: Page) => Promise<void>
  /** only on screens without room for the slip preview */
  readonly small?: true
}
