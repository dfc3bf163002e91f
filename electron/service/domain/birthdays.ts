/** Birthdays: a day and a month, such as `02-29`. The year is not asked. */

/** Returns the birthday of a day and a month (numbers from 1); null for a day that no month has. 29 February is one. */
export const birthdayOf = (month: number, day: number): string | null => {
  if (!Number.isInteger(month) || !Number.isInteger(day) || month < 1 || day < 1) return null
  // A leap year.
  const moment = new Date(Date.UTC(2024, month - 1, day))
  return moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day && moment.getUTCFullYear() === 2024
    ? moment.toISOString().slice(5, 10)
    : null
}
