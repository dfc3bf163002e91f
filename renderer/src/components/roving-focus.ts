/** Moves the focus into a list: to the row that the Tab key would lead to, or to its first. */
export const enterList = (list: HTMLElement | undefined): void => {
  const rows = list?.querySelectorAll<HTMLButtonElement>('li button') ?? []
  const row = [...rows].find(({ tabIndex }) => tabIndex === 0) ?? rows[0]
  row?.focus()
}

/**
 * Where a key leads in a list of `length` rows, from row `here`, where `page` rows are a page; -1 for the arrow that goes
 * up from the first row, null for any other key.
 */
export function rowAfterKey(key: string, here: number, length: number, page: number): number | null {
  const last = length - 1
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, here + 1)
    case 'ArrowUp':
      return here - 1
    case 'Home':
      return 0
    case 'End':
      return last
    case 'PageDown':
      return Math.min(last, here + page)
    case 'PageUp':
      return Math.max(0, here - page)
    default:
      return null
  }
}
