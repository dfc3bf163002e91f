/** One sentence, and the next step where there is one. */
export interface Sentence {
  readonly sentence: string
  readonly next?: string
}
