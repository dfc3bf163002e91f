import type { HandingOver, TillState } from '../../../electron/contract/till.ts'

/** How the next slip reaches its customer: as the settings say while the customer display is open, else on paper. */
export const handingOverNow = ({ customerDisplayOpen, settings }: TillState): HandingOver =>
  customerDisplayOpen ? settings.handingOver : 'print'

/** Whether the settings count on a customer display that is not open. */
export const isDisplayMissing = ({ customerDisplayOpen, settings }: TillState): boolean =>
  !customerDisplayOpen && settings.handingOver !== 'print'
