/**
 * Makes texts of the numbers in a JSON text that a double rounds or makes infinite: an id of 20 digits stays the same id.
 * JSON.parse with a function for each value would do the same, ten times slower.
 */
export function keepLargeNumbers(json: string): string {
  /** a text of JSON, closed or not, or a number that is long or has an exponent */
  const textOrLargeNumber =
    /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.]{15,}(?:e[+-]?\d{1,9})?|-?\d[\d.]{0,14}e[+-]?\d{1,9}/gis
  return json.replace(textOrLargeNumber, (found) =>
    found.startsWith('"') || Math.abs(Number(found)) < 2 ** 53 ? found : `"${found}"`
  )
}
