export const connection = (): string => 'Connection'
export const business = (): string => 'Business'
export const serviceAddress = (): string => 'Service address'
export const serviceAddressHint = (): string =>
  'As the points service gave it, for example https://points.example/api'
export const token = (): string => 'Token'
export const tokenHint = (): string => 'Kept encrypted on this till, and never shown again'
export const checkConnection = (): string => 'Check connection'
export const checking = (): string => 'Checking'
export const logoOf = ({ name }: { name: string }): string => `Logo of ${name}`
export const isThisYours = (): string => 'Is this your business?'
export const saveAndOpen = (): string => 'Save and open the till'
export const keepUnencrypted = (): string => 'Keep the token without encryption'
export const reconnect = (): string => 'Reconnect'
export const reconnectHint = (): string => 'Type the new token. The address stays as it is.'
export const disconnect = (): string => 'Disconnect'
export const disconnectTitle = ({ name }: { name: string }): string => `Leave ${name}?`
export const disconnectHint = (): string =>
  'The till forgets the token. To connect again somebody has to type it. The slips stay.'
export const forgetToken = (): string => 'Forget the token'
export const keepConnection = (): string => 'Keep it'
export const readProfileAgain = (): string => 'Read the profile again'
export const connected = (): string => 'Connected'
export const notAccepted = (): string => 'Not accepted any more'

export const practice = (): string => 'Practice'
export const practiceOnHint = (): string =>
  'This till is practising with a made-up shop. Nothing it prints has any value.'
export const practiceOffHint = (): string =>
  'Try everything with a made-up shop. The connection to your business is kept.'
export const leavePractice = (): string => 'Leave practice'
export const startPractising = (): string => 'Start practising'

export const phonesAndLanguage = (): string => 'Phones and language'
export const country = (): string => 'Country for phones'
export const countryHint = (): string => 'Added to phones that are typed without one'
export const automatic = (): string => 'Automatic'
export const automaticCountry = ({ country }: { country: string }): string => `Automatic (${country})`
export const answersLanguage = (): string => 'Language of the service'
export const answersLanguageHint = (): string => 'Asked for in every answer of the points service'
export const slipsFolder = (): string => 'Slips folder'
export const thisTill = (): string => 'This till'
export const version = (): string => 'Version'
export const advanced = (): string => 'Advanced'
export const qrImageParameter = (): string => 'Name of the QR image parameter'
export const qrImageParameterHint = (): string =>
  'Leave it empty: the till draws the code itself. Only for a service that insists on making a picture.'
export const save = (): string => 'Save'
export const saved = (): string => 'Saved'
