/**
 * Parts of the page that are fetched when they are first wanted, so that the first paint waits for none of them. What a
 * cashier will want is fetched while the till is idle: at the first key or tap it is there.
 */
import { speakAll } from '../i18n/speech.svelte.ts'

/** Something that can be fetched, once. */
export interface Fetched {
  /** Never rejects. */
  fetch(): Promise<unknown>
}

/** A part of the page, which is fetched at most once: a component, usually. */
export class WhenWanted<Part> implements Fetched {
  readonly #load: () => Promise<Part>
  #part = $state.raw<Part | null>(null)
  #failed = $state(false)
  #fetching: Promise<void> | null = null

  /** @param load imports the part: `import()` in so many words, since the build cuts the page there */
  constructor(load: () => Promise<Part>) {
    this.#load = load
  }

  /** null until it was fetched. */
  get part(): Part | null {
    return this.#part
  }

  /** Whether it could not be fetched: a file of this installation is missing or damaged. */
  get failed(): boolean {
    return this.#failed
  }

  /** Fetches the part, unless that was done before. Never rejects: `failed` tells, and the window hears of the error. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#load().then(
      (part) => {
        this.#part = part
      },
      (error: unknown) => {
        this.#failed = true
        reportError(error)
      }
    )
    return this.#fetching
  }
}

/** Every component that was declared to be fetched ahead, in the order of the declarations. */
const ahead: Fetched[] = []

/** Declares a component that is fetched when it is first wanted, and no earlier: what is seldom wanted takes memory all day. */
export const onlyWhenWanted = <Component>(
  load: () => Promise<{ default: Component }>,
  says: 'first' | 'all' = 'all'
): WhenWanted<Component> =>
  new WhenWanted(async () => {
    const [{ default: component }] = await Promise.all([load(), says === 'all' && speakAll()])
    return component
  })

/**
 * Declares a component that is fetched when it is first wanted, or earlier, when the till is idle.
 * @param says `first`: a component that takes its words from `messages/first.ts` alone, and waits for no others
 */
export function whenWanted<Component>(
  load: () => Promise<{ default: Component }>,
  says: 'first' | 'all' = 'all'
): WhenWanted<Component> {
  const wanted = onlyWhenWanted(load, says)
  ahead.push(wanted)
  return wanted
}

/** What is needed of a window: when it has nothing else to do. */
export type Idle = Pick<Window, 'requestIdleCallback' | 'cancelIdleCallback'>

/**
 * Fetches `first`, and then one component that was declared to be fetched ahead after the other, each when the window is idle. Gives what ends the
 * fetching.
 */
export function fetchWhenIdle(page: Idle, first: readonly Fetched[] = []): () => void {
  let next = 0
  let planned = 0
  const plan = (): void => {
    planned = page.requestIdleCallback(() => {
      const wanted = next < first.length ? first[next] : ahead[next - first.length]
      next++
      // What was fetched may have declared more.
      if (wanted) void wanted.fetch().then(plan)
    })
  }
  plan()
  return () => {
    next = Infinity
    page.cancelIdleCallback(planned)
  }
}
