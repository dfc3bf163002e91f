/** Puts a field back as it was. */
type PutBack = () => void

const nothing: PutBack = () => undefined

const tell = (field: HTMLElement, event: 'input' | 'change'): void => {
  field.dispatchEvent(new Event(event, { bubbles: true }))
}

function rememberText(field: HTMLInputElement | HTMLTextAreaElement): PutBack {
  const { value, selectionStart, selectionEnd, selectionDirection } = field
  return () => {
    if (field.value !== value) {
      field.value = value
      tell(field, 'input')
    }
    // Some input types have no caret that can be told.
    if (selectionStart !== null) {
      field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined)
    }
  }
}

function rememberChoice(select: HTMLSelectElement): PutBack {
  const { value } = select
  return () => {
    if (select.value === value) return
    select.value = value
    tell(select, 'input')
    tell(select, 'change')
  }
}

/** Remembers what stands in the element that has the focus, and where its caret is. A letter also turns a list of choices. */
function rememberField(element: Element | null): PutBack {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return rememberText(element)
  return element instanceof HTMLSelectElement ? rememberChoice(element) : nothing
}

/** The fields that a scan may type into, as they were before it, and which of them had the focus. */
export class Before {
  readonly #focused: Element | null
  readonly #putBacks: PutBack[] = []

  /** Remembers the element that has the focus. */
  constructor(focused: Element | null) {
    this.#focused = focused
    this.remember(focused)
  }

  /** Remembers one more: the first key may have brought the focus there, before it was typed. */
  remember(element: Element | null): void {
    this.#putBacks.push(rememberField(element))
  }

  /** Puts everything back, the focus too. */
  putBack(): void {
    // The oldest memory of a field is the true one: it goes last.
    for (const putBack of [...this.#putBacks].reverse()) putBack()
    const { activeElement } = document
    if (this.#focused instanceof HTMLElement && this.#focused !== activeElement) this.#focused.focus()
  }
}
