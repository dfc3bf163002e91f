declare module 'linebreak' {
  /** Iterates over the line break opportunities (UAX 14) of a text. */
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}
