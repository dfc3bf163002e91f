/** The screen's language, as a BCP 47 tag. English with the day before the month and a 24-hour clock. */
export const screenLocale = (): string => 'en-GB'
