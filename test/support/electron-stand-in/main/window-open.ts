import { refuse } from '../strict.ts'

/** What a page asked for with window.open or a link to another window. */
export interface WindowOpenDetails {
  readonly url: string
  readonly frameName: string
  readonly features: string
  readonly disposition: string
  readonly referrer: { readonly url: string; readonly policy: string }
}

export type WindowOpenHandler = (details: WindowOpenDetails) => { action: string } | null | undefined

/** Asks the app whether a page may open a window. Only denying is implemented: allowing throws, naming itself. */
export function windowOpenAnswer(handler: WindowOpenHandler | null, details: WindowOpenDetails): void {
  if (!handler) return refuse('opening a window from a page without setWindowOpenHandler')
  const response = handler(details)
  if (typeof response !== 'object') {
    console.error(
      `The window open handler response must be an object, but was instead of type '${typeof response}'.`
    )
  } else if (response === null) {
    console.error('The window open handler response must be an object, but was instead null.')
  } else if (response.action === 'allow') {
    refuse("a window open handler that returns { action: 'allow' }")
  } else if (response.action !== 'deny') {
    console.error(
      "The window open handler response must be an object with an 'action' property of 'allow' or 'deny'."
    )
  }
}
