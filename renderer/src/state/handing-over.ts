import type { TillState } from '../../../electron/contract/till.ts'
import type { DeliveryMethod } from '../../../electron/contract/settings.ts'

/** How the next slip reaches its customer: as the settings say while the customer display is open, else on paper. */
export const handingOverNow = ({ customerDisplayOpen, settings }: TillState): DeliveryMethod =>
  customerDisplayOpen ? settings.deliveryMethod : 'print'

/** Whether the settings count on a customer display that is not open. */
export const isDisplayMissing = ({ customerDisplayOpen, settings }: TillState): boolean =>
  !customerDisplayOpen && settings.deliveryMethod !== 'print'
