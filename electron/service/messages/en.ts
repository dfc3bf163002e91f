/** English: the default language of `x-lang` (interface document, part 4), and the list of all messages. */
export const en = {
  'credentials-missing': 'The header Authorization: Bearer <token> is missing',
  'credentials-not-bearer': 'The Authorization header must read: Bearer <token>',
  'token-unknown': 'This token is not known',
  'token-expired': 'token expired',
  'customer-exists': 'A customer with this phone already exists',
  'customer-unknown': 'No such customer',
  'reward-unknown': 'No such reward',
  'code-unknown': 'No such QR code',
  'name-missing': 'name is required and must be a text',
  'name-too-long': 'name must be at most {most} characters long',
  'name-malformed': 'name must not hold control characters',
  'phone-missing': 'phone is required and must be a text',
  'phone-malformed': 'phone must be in international format with a leading plus sign',
  'email-malformed': 'email must be an e-mail address',
  'points-not-whole': 'points must be a whole number, 1 or more',
  'points-too-many': 'points must not be above {most}',
  'page-malformed': '{parameter} must be a whole number, 1 or more',
  'type-unknown': 'type must be id, phone or email',
  'search-too-long': 'name must be at most {most} characters long',
  'path-unknown': 'There is nothing at this address',
  'method-unknown': 'This address takes {allowed} only',
  'body-too-large': 'The body must be at most {most} bytes long',
  'body-not-json': 'The body must be JSON',
  'body-not-object': 'The body must be a JSON object',
  'media-type-unknown': 'The body must be sent as application/json',
  'request-malformed': 'The request could not be read',
  internal: 'The service failed; please try again'
} as const

export type MessageKey = keyof typeof en
export type Messages = Readonly<Record<MessageKey, string>>
