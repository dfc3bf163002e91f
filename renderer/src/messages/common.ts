import { formatNumber } from '../format/numbers.ts'

/** "1 point", "250 points". */
export const points = ({ points }: { points: number }): string =>
  `${formatNumber(points)} ${pointsWord({ points })}`
/** The word alone, where the number stands apart in larger type. */
export const pointsWord = ({ points }: { points: number }): string => (points === 1 ? 'point' : 'points')

export const product = (): string => 'Tillpoints'
export const placeTill = (): string => 'Till'
export const placeCustomers = (): string => 'Customers'
export const placeRewards = (): string => 'Rewards'
export const placeSlips = (): string => 'Slips'
export const placeSettings = (): string => 'Settings'
export const places = (): string => 'Places'

export const slipsNeedAttention = ({ count }: { count: number }): string =>
  count === 1 ? '1 slip needs attention' : `${formatNumber(count)} slips need attention`

export const plan = ({ plan }: { plan: string }): string => `${plan} plan`
export const practiceMark = (): string => 'Practice – no value'
export const practiceBusiness = (): string => 'Practice shop'
export const profileNotRead = (): string => 'Profile not read yet'

export const name = (): string => 'Name'
export const phone = (): string => 'Phone'
export const email = (): string => 'E-mail'
export const code = (): string => 'Code'
export const balance = (): string => 'Balance'
export const lifetimePoints = (): string => 'Lifetime points'
export const notKnown = (): string => 'Not known'
export const noName = (): string => 'No name'

export const showMore = (): string => 'Show more'
export const tryAgain = (): string => 'Try again'
export const cancel = (): string => 'Cancel'
export const close = (): string => 'Close'
export const back = (): string => 'Back'
export const dismiss = (): string => 'Dismiss'
export const loading = (): string => 'Loading'
export const qrOf = ({ code }: { code: string }): string => `QR code of ${code}`
export const starting = (): string => 'Starting'
