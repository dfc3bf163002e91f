/** The five routes of the till, in the order of the rail. */
export const ROUTES = ['till', 'customers', 'rewards', 'slips', 'settings'] as const
export type Route = (typeof ROUTES)[number]

/** The address of a route, for a link. */
export const routeHref = (route: Route): string => `#${route}`

/** Where the cashier is. The address carries it, so that links are links and the window's Back works. */
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

  /** Follows the address. Gives what ends the following. */
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
