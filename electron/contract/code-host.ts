/** Where the code of a slip can be typed in: at the root of the project's own service. */

/** What a slip knows of its code. */
interface SlipCode {
  /** content of the QR code; null: none yet */
  readonly url: string | null
  /** from when the code cannot be collected, ISO 8601; null where the service does not tell */
  readonly expiresAt: string | null
  readonly training: boolean
}

/**
 * Returns the host at which the code can be typed in; null where nothing says that it can. The own service alone tells until
 * when a code can be collected, and has its codes below `/q/`. In training mode nothing is served. A code that
 * the till made has 40 characters: too many to type.
 */
export const codeHost = ({ url, expiresAt, training }: SlipCode): string | null =>
  training || expiresAt === null
    ? null
    : (/^https?:\/\/([^/?#]+)\/q\/[^/?#]{1,39}$/i.exec(url ?? '')?.[1] ?? null)
