export const welcome = (): string => 'Set up this till'
export const welcomeHint = (): string => 'You can change your mind later in Settings.'
export const practiceTitle = (): string => 'Practice'
export const practiceText = (): string =>
  'A made-up shop with customers and rewards. Find people, print slips, make mistakes: nothing has any value.'
export const connectTitle = (): string => 'Connect your business'
export const connectText = (): string =>
  'You need the address of your points service, and the token it gave you.'
