/** Time zones as this program knows them: a country changes its clocks, and a list of zones can be older. */
import { isTimeZone } from './slip-numbers-and-dates.ts'

/** Returns what a zone (IANA) is ahead of UTC at a moment, such as `+02:00`; an unknown one counts as the system's. */
export const utcOffset = (timeZone: string, moment: Date): string => {
  const options = {
    timeZoneName: 'longOffset',
    timeZone: isTimeZone(timeZone) ? timeZone : undefined
  } as const
  const parts = new Intl.DateTimeFormat('en', options).formatToParts(moment)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name.replace(/^GMT$/, 'GMT+00:00').replace(/^GMT/, '')
}
