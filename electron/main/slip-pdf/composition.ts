/** A slip put together: what stands where, in dots from the column's top left corner. */
import type { Bitmap } from './logo/bitmap.ts'
import type { QrBars } from './qr.ts'
import type { TextLine } from './text/text.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Something at its place. `box` is the room it keeps free of everything else. */
export type Placed =
  | {
      readonly kind: 'text'
      readonly line: TextLine
      readonly baseline: number
      readonly box: Box
      readonly white: boolean
    }
  /** a filled rectangle: a rule, or a band behind white text */
  | { readonly kind: 'bar'; readonly box: Box }
  /** its box takes the quiet zone in */
  | { readonly kind: 'qr'; readonly code: QrBars; readonly module: number; readonly box: Box }
  /** a dot of the bitmap is a dot of the slip */
  | { readonly kind: 'picture'; readonly bitmap: Bitmap; readonly box: Box }

/** What was asked for and could not be shown, without keeping the slip from its paper. */
export type LeftOut = 'logo' | 'join-code'

export interface Composition {
  /** from the first to the last thing on it, the margins included */
  readonly height: number
  readonly items: readonly Placed[]
  readonly leftOut: readonly LeftOut[]
}
