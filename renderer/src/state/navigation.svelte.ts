import type { Attachment } from 'svelte/attachments'
import { m } from '../i18n/messages.ts'

/** The screens of the till, in the order of the navigation. */
export const ROUTES = ['till', 'customers', 'rewards', 'slips', 'settings'] as const
export type Route = (typeof ROUTES)[number]

const LABELS: Readonly<Record<Route, () => string>> = {
  till: () => m.navTill(),
  customers: () => m.navCustomers(),
  rewards: () => m.navRewards(),
  slips: () => m.navSlips(),
  settings: () => m.navSettings()
}

/** Returns the name of a screen, in the current language. */
export const routeLabel = (route: Route): string => LABELS[route]()

/** Returns the URL of a screen, for a link. */
export const routeHref = (route: Route): string => `#${route}`

/** The current screen. It is kept in the URL's fragment, so that links and the window's Back work. */
export class Router {
  readonly #window: Window
  current = $state<Route>('till')

  constructor(page: Window) {
    this.#window = page
    this.current = routeOf(page.location.hash)
  }

  navigate(route: Route): void {
    this.current = route
    this.#window.location.hash = routeHref(route)
  }

  /** Follows the URL. Returns a function that stops. */
  start(): () => void {
    const follow = (): void => {
      this.current = routeOf(this.#window.location.hash)
    }
    this.#window.addEventListener('hashchange', follow)
    return () => {
      this.#window.removeEventListener('hashchange', follow)
    }
  }
}

const routeOf = (hash: string): Route => ROUTES.find((route) => routeHref(route) === hash) ?? 'till'

/**
 * The elements that can be focused by name. `bill-or-points` is the bill amount where points are calculated from it,
 * otherwise the points.
 */
export type FocusTarget = 'search' | 'results' | 'bill-or-points' | 'points' | 'registration' | 'code'

/**
 * Moves the focus to an element by name, also if that element is rendered later. The text in the element is
 * selected, so that typing replaces it.
 */
export class FocusController {
  /** The target that is not rendered yet; null if there is none. */
  pending = $state<FocusTarget | null>(null)

  to(target: FocusTarget): void {
    this.pending = target
  }

  /** Attaches the targets to an element. */
  target(...targets: readonly FocusTarget[]): Attachment<HTMLElement> {
    return this.#attach(targets, (element) => {
      element.focus()
      if (element instanceof HTMLInputElement) element.select()
    })
  }

  /** Attaches a target to a container: `enter` moves the focus inside it. */
  entry(target: FocusTarget, enter: (element: HTMLElement) => void): Attachment<HTMLElement> {
    return this.#attach([target], enter)
  }

  #attach(targets: readonly FocusTarget[], focus: (element: HTMLElement) => void): Attachment<HTMLElement> {
    return (element) => {
      if (this.pending === null || !targets.includes(this.pending)) return
      this.pending = null
      focus(element)
    }
  }
}
