/** What the till answers to each call of the bridge, put together from its services. */
export { customersAnswers } from './customers.ts'
export { connectionAnswers } from './connection.ts'
export { createCheckCode } from './codes.ts'
export { createForPage } from './for-page.ts'
export { createStanding } from './standing.ts'
export { rewardsAnswers } from './rewards.ts'
export { slipsAnswers } from './slips.ts'
export { tillAnswers } from './till.ts'
