/** Raised when a slip's code could not be scanned from the paper that it is laid out for. */
export class CannotScan extends Error {
  override readonly name: string = 'CannotScan'
}
