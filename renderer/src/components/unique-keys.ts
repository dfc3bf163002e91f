/** One key for each place: what has none, or stands in two places, goes by its place. */
export function uniqueKeys(keys: readonly (string | undefined)[]): readonly (string | number)[] {
  const seen = new Set<string>()
  return keys.map((key, place) => {
    if (key === undefined || seen.has(key)) return place
    seen.add(key)
    return key
  })
}
