import { slipMoment, slipPoints } from '../../../electron/contract/slip-format.ts'
import { speech } from '../i18n/speech.svelte.ts'
import { knownTimeZone } from './dates.ts'

/** Points as the slip prints them. */
export const formatSlipPoints = (points: number): string => slipPoints(points, speech().slipLocale)

/** A moment as the slip prints it, in `timeZone` (IANA; the machine's own if unknown). */
export const formatSlipMoment = (moment: Date | string, timeZone: string | undefined): string =>
  slipMoment(
    new Date(moment),
    knownTimeZone(timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    speech().slipLocale
  )
