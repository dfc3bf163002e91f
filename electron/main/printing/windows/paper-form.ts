/** The driver's paper form that a slip goes on: on Windows paper has a name, and only the driver knows which. */
import { sheetOf, type PrintJob } from '../job.ts'

/** A form's size in a driver's name for it: `80 x 297 mm`, `80(72)x 3276mm`, `Roll Paper 58x210`. */
const SIZE = /(\d+(?:[.,]\d+)?)\s*(?:mm)?\s*(?:\([^)]*\))?\s*(?:mm)?\s*[x×*]\s*(\d+(?:[.,]\d+)?)/i

/** Millimetres that a form may be wider than the slip's paper: drivers round. */
const TOLERANCE = 1

const sizeOf = (form: string): { form: string; width: number; height: number } | null => {
  const parts = SIZE.exec(form)
  if (parts === null) return null
  const [width, height] = [parts[1], parts[2]].map((part) => Number(part?.replace(',', '.')))
  return width === undefined || height === undefined ? null : { form, width, height }
}

/**
 * The name of the form for this slip: the sheet's own, or of the forms as wide as the roll the shortest that holds
 * the slip. Null when none fits by its name: then the driver's default form is used.
 */
export function paperForm(forms: readonly string[], job: PrintJob): string | null {
  const sheet = sheetOf(job)
  if (sheet !== null) return forms.find((form) => new RegExp(`^${sheet}\\b`, 'i').test(form)) ?? null
  const fitting = forms
    .map(sizeOf)
    .filter((size) => size !== null)
    .filter(({ width }) => Math.abs(width - job.widthMillimetres) <= TOLERANCE)
    .filter(({ height }) => height + TOLERANCE >= job.heightMillimetres)
    .sort((one, other) => one.height - other.height)
  return fitting[0]?.form ?? null
}
