/** Keyboard focus in a list of buttons: one Tab stop, arrow keys within. */
import { tick } from 'svelte'

/** Focuses the row of a list that is its Tab stop, or its first row. */
export const enterList = (list: HTMLElement | undefined): void => {
  const rows = list?.querySelectorAll<HTMLButtonElement>('li button') ?? []
  const row = [...rows].find(({ tabIndex }) => tabIndex === 0) ?? rows[0]
  row?.focus()
}

/**
 * Returns the row that a key leads to in a list of `length` rows, from row `current`, with `pageSize` rows a page; -1 for
 * the arrow up from the first row, null for any other key.
 */
function rowAfterKey(key: string, current: number, length: number, pageSize: number): number | null {
  const last = length - 1
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, current + 1)
    case 'ArrowUp':
      return current - 1
    case 'Home':
      return 0
    case 'End':
      return last
    case 'PageDown':
      return Math.min(last, current + pageSize)
    case 'PageUp':
      return Math.max(0, current - pageSize)
    default:
      return null
  }
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))

/** The list whose focus is managed. The values are read when they are needed and may change. */
export interface RovingFocusList {
  /** the element around the rows, which are `li[data-row="index"]` with one button each */
  readonly root: HTMLElement | undefined
  /** the element that scrolls the list */
  readonly scroller: HTMLElement | undefined
  /** the number of rows */
  readonly length: number
  /** whether all rows are in the DOM */
  readonly rendersAll: boolean
  /** whether the data of a row is loaded */
  isLoaded(index: number): boolean
  /** scrolls a row into view that may not be in the DOM yet */
  scrollToRow(index: number): void
  /** the arrow up was pressed in the first row */
  leave(): void
}

/**
 * The roving focus of a list, virtual or with all rows in the DOM. Create it while a component initializes: it has an effect that restores
 * the focus to a row that is rendered anew.
 */
export class RovingFocus {
  readonly #list: RovingFocusList
  #active = $state(0)
  /** The row that keeps the focus until the row it moves to is in the DOM; null without a move. */
  leaving: number | null = $state(null)
  /** the last focused element of the list, and its row; null once the focus left the list */
  #focused: HTMLElement | null = null
  #focusedRow = 0
  #rendered = ''

  constructor(list: RovingFocusList) {
    this.#list = list
    // A row that is rendered anew keeps the focus: its data was loaded, or the list became too long to render all rows.
    const rendering = $derived(
      [
        list.rendersAll,
        list.length,
        ...[this.current, this.leaving ?? this.current].map((index) => !list.isLoaded(index))
      ].join(' ')
    )
    $effect(() => {
      if (rendering === this.#rendered) return
      this.#rendered = rendering
      if (this.#focused === null || this.#focused.isConnected) return
      // Where the user has scrolled since stays in sight.
      if (this.leaving === null) void this.#focusRow(this.current, 'keeps-position')
      // At once: the next frame, which a move waits for, is later than the check in shortcuts/focus.ts.
      else this.#buttonAt(this.#focusedRow)?.focus({ preventScroll: !list.rendersAll })
    })
  }

  /** The row that is the Tab stop. */
  get current(): number {
    return Math.min(this.#active, Math.max(0, this.#list.length - 1))
  }

  /** The rows that must stay in the DOM. */
  get mounted(): number[] {
    return this.leaving === null ? [this.current] : [this.current, this.leaving]
  }

  /** Whether the focus is in the list. */
  get hasFocus(): boolean {
    return this.#list.root?.contains(document.activeElement) ?? false
  }

  /** Makes the first row the Tab stop, and ends a move. */
  reset(): void {
    this.#active = 0
    this.leaving = null
  }

  readonly onkeydown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement)) return
    const row = rowAfterKey(event.key, this.current, this.#list.length, this.#pageSize(event.target))
    if (row === null) return
    event.preventDefault()
    if (row < 0) this.#list.leave()
    else void this.#moveTo(row)
  }

  readonly onfocusin = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return
    this.#focused = target
    this.#focusedRow = Number(target.closest<HTMLElement>('li')?.dataset['row'] ?? this.#focusedRow)
    // During a move the focus may return to the previous row.
    if (this.leaving === null) this.#active = this.#focusedRow
  }

  readonly onfocusout = ({ relatedTarget }: FocusEvent): void => {
    // Without a related target the focused element was removed.
    if (relatedTarget) this.#focused = null
  }

  #buttonAt(index: number): HTMLElement | null | undefined {
    return this.#list.root?.querySelector<HTMLElement>(`li[data-row="${String(index)}"] button`)
  }

  /** Returns the number of rows a page, from the height of one row. */
  #pageSize(button: HTMLElement): number {
    const height = this.#list.scroller?.clientHeight ?? 0
    return Math.max(1, Math.floor(height / Math.max(1, button.offsetHeight)) - 1)
  }

  async #moveTo(index: number): Promise<void> {
    // Of a move that has not ended, the row with the focus is that of its start.
    this.leaving ??= this.current
    this.#active = index
    if (!this.#list.rendersAll) this.#list.scrollToRow(index)
    await this.#focusRow(index, 'scrolls')
    if (this.#active === index) this.leaving = null
  }

  /** Focuses a row as soon as it can take the focus, and scrolls it into view or leaves the list where it is. */
  async #focusRow(index: number, how: 'scrolls' | 'keeps-position'): Promise<void> {
    await tick()
    const { rendersAll } = this.#list
    while (this.#active === index && this.#list.root?.isConnected) {
      const button = this.#buttonAt(index)
      button?.focus({ preventScroll: how === 'keeps-position' || !rendersAll })
      if (button && document.activeElement === button) {
        // The library has scrolled to the row's position before its neighbours were measured.
        await nextFrame()
        if (how === 'scrolls' && !rendersAll && document.activeElement === button) {
          button.scrollIntoView({ block: 'nearest' })
        }
        // A row that was rendered anew in that frame has lost the focus again.
        if (button.isConnected) break
      } else {
        // A row is hidden, and cannot take the focus, until it was measured.
        await nextFrame()
      }
      // The focus was moved elsewhere meanwhile.
      if (document.activeElement !== document.body && !this.hasFocus) break
    }
  }
}
