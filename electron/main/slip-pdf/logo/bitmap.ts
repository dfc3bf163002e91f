/** A picture of black and white dots: all that a receipt printer knows. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  /** row by row, one byte a dot: 1 is black */
  readonly dots: Uint8Array
}
