/** Finds the phone in a link or a contact card, as a scanner reads them. */

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A link of a messenger to a phone, with its country code but often without a plus sign. */
const MESSENGER_LINK =
  /^(?:(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/|t\.me\/\+|signal\.me\/#p\/|(?:api|web)\.whatsapp\.com\/send\/?\?(?:.*&)?phone=)|(?:whatsapp|viber|tg):\/\/\w+\/?\?(?:.*&)?(?:phone|number)=)(?:\+|%2B)?([\d\s().-]{7,})(?=$|[/?&#])/i

/** `tel:` (RFC 3966) and similar URIs: the number, then parameters or a message. */
const PHONE_URI = /^(?:tel|callto|sms|smsto|mms|mmsto|whatsapp|facetime(?:-audio)?):(?:\/\/)?([^;?:]*)(.*)$/is

/** The phones of a contact card: a vCard (RFC 6350), or a MECARD. Pasted into a field, a vCard loses its line breaks. */
const CARD = /^(?:BEGIN:VCARD|MECARD:)/i
const CARD_PHONE = /TEL(;[^:\n]*)?:(?:tel:)?([+\d(][\d\s().-]*)/gi
/** Where a phone stands in a card as it was written: in `HOTEL:5` there is none. */
const CARD_PHONE_FIELD = new RegExp(`(?<=^|[\\n\\r;:.])${CARD_PHONE.source}`, 'gi')

/** A mobile phone counts before any other, and a fax last. */
const cardRank = (parameters: string): number => {
  if (/cell/i.test(parameters)) return 0
  return /fax|pager/i.test(parameters) ? 2 : 1
}

const phoneInCard = (text: string): string | null => {
  const fields = Array.from(text.matchAll(CARD_PHONE_FIELD))
  const found = fields.length > 0 ? fields : Array.from(text.matchAll(CARD_PHONE))
  const [best] = found
    .map(([, parameters = '', phone = '']) => ({ rank: cardRank(parameters), phone: phone.trim() }))
    .sort((one, other) => one.rank - other.rank)
  return best?.phone ?? null
}

/**
 * Returns the phone that a link (`tel:`, `https://wa.me/…`) or a contact card names, as it is written there; null for any
 * other text. A phone context such as `+33` becomes the country code. Of several phones a mobile one counts first, a fax last.
 */
export const phoneInLink = (text: string): string | null => {
  if (CARD.test(text)) return phoneInCard(text)
  const messenger = MESSENGER_LINK.exec(text)?.[1]
  if (messenger !== undefined) return `+${messenger}`
  const [, number = '', parameters = ''] = PHONE_URI.exec(text) ?? []
  const context = /;phone-context=(\+[\d().-]+)/i.exec(parameters)?.[1] ?? ''
  const phone = context + decoded(number)
  return /\p{Nd}/u.test(phone) ? phone : null
}
