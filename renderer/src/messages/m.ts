/** Everything the screen says, as typed functions. No other folder holds text that a person reads. */
import * as batches from './batches.ts'
import * as common from './common.ts'
import * as customers from './customers.ts'
import * as firstStart from './first-start.ts'
import * as printing from './printing.ts'
import * as rewards from './rewards.ts'
import * as settings from './settings.ts'
import * as slips from './slips.ts'
import * as till from './till.ts'

export const m = {
  ...common,
  ...till,
  ...customers,
  ...rewards,
  ...slips,
  ...settings,
  ...firstStart,
  ...batches,
  ...printing
}
