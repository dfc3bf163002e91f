/** The screens of the till, in the order of the navigation. */
export const ROUTES = ['till', 'customers', 'rewards', 'slips', 'settings'] as const
export type Route = (typeof ROUTES)[number]

/** Returns the URL of a screen, for a link. */
export const routeHref = (route: Route): string => `#${route}`

/** The current screen. It is kept in the URL's fragment, so that links and the window's Back work. */
export class Router {
  readonly #window: Window
  #current = $state<Route>('till')

  constructor(page: Window) {
    this.#window = page
    this.#current = routeOf(page.location.hash)
  }

  get current(): Route {
    return this.#current
  }

  navigate(route: Route): void {
    this.#current = route
    this.#window.location.hash = routeHref(route)
  }

  /** Follows the URL. Returns a function that stops. */
  start(): () => void {
    const follow = (): void => {
      this.#current = routeOf(this.#window.location.hash)
    }
    this.#window.addEventListener('hashchange', follow)
    return () => {
      this.#window.removeEventListener('hashchange', follow)
    }
  }
}

const routeOf = (hash: string): Route => ROUTES.find((route) => routeHref(route) === hash) ?? 'till'
