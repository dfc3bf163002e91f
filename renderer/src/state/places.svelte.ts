/** The five places of the till, in the order of the rail. */
export const PLACES = ['till', 'customers', 'rewards', 'slips', 'settings'] as const
export type Place = (typeof PLACES)[number]

/** The address of a place, for a link. */
export const addressOf = (place: Place): string => `#${place}`

/** Where the cashier is. The address carries it, so that links are links and the window's Back works. */
export class Places {
  readonly #window: Window
  #here = $state<Place>('till')

  constructor(page: Window) {
    this.#window = page
    this.#here = placeIn(page.location.hash)
  }

  get here(): Place {
    return this.#here
  }

  go(place: Place): void {
    this.#here = place
    this.#window.location.hash = addressOf(place)
  }

  /** Follows the address. Gives what ends the following. */
  start(): () => void {
    const follow = (): void => {
      this.#here = placeIn(this.#window.location.hash)
    }
    this.#window.addEventListener('hashchange', follow)
    return () => {
      this.#window.removeEventListener('hashchange', follow)
    }
  }
}

const placeIn = (hash: string): Place => PLACES.find((place) => addressOf(place) === hash) ?? 'till'
