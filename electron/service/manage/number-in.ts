import type { SentForm } from '../html/sent-form.ts'

/** The number of a field within its range, least and most; the nearest one for another number. */
export const numberIn = (form: SentForm, field: string, [least, most]: readonly [number, number]): number => {
  const value = Math.round(Number(form.text(field)))
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least
}
