/** The language that the screen and the slip speak, as a BCP 47 tag: English, day before month, 24-hour clock. */
export const TILL_LOCALE = 'en-GB'
