/** How many of its last digits a masked phone shows, at most: enough to tell two customers apart by. */
const SHOWN = 4

/**
 * A phone that others may see over the counter: `+30 690 123 4567` → `+30 ••• ••• 4567`. The country code stays where
 * it stands apart, and of the digits after it the last four, or half of them where there are fewer than eight.
 */
export function maskPhone(phone: string): string {
  const [, country = '', rest = ''] = /^(\+\p{Nd}+\s)?(.*)$/u.exec(phone.trim()) ?? []
  const digits = rest.match(/\p{Nd}/gu)?.length ?? 0
  const hidden = digits - Math.min(SHOWN, Math.floor(digits / 2))
  let place = 0
  return country + rest.replace(/\p{Nd}/gu, (digit) => (place++ < hidden ? '•' : digit))
}
