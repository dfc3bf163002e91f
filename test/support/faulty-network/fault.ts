/** What a faulty network does to a request, in words that a test can write down. */

/** A whole answer of HTTP. */
export interface WholeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What the network answers by itself, as a gateway does; 200 and JSON unless told otherwise. */
export interface OwnAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export type Fault =
  /** goes through */
  | 'pass'
  /** reaches the service, and the answer is lost: the connection breaks */
  | 'lose-answer'
  /** never reaches the service: the connection breaks */
  | 'lose-request'
  /** never reaches the service and nobody answers */
  | 'silence'
  /** the connection is taken, and reset as soon as something comes: no request is read */
  | 'reset-connection'
  /** reaches the service; the answer breaks off in its headers */
  | 'half-headers'
  /** reaches the service; the answer breaks off in its body, and the connection is reset */
  | 'half-body'
  /** reaches the service; the answer breaks off in its body, and the connection ends as if all were well */
  | 'half-body-closed'
  /** reaches the service; half of the answer comes and then nothing */
  | 'silence-in-body'
  /** reaches the service; its answer comes after so many ms */
  | { readonly delay: number }
  /** reaches the service; its answer comes in ten pieces, so many ms apart */
  | { readonly drip: number }
  /** never reaches the service: the network answers */
  | { readonly answer: OwnAnswer }
  /** reaches the service; its answer is changed on the way */
  | { readonly change: (answer: WholeAnswer) => OwnAnswer }
  /** reaches the service; the answer is so many bytes of JSON, compressed or not */
  | { readonly pour: number; readonly compressed?: boolean }
  /** never reaches the service: these very bytes come back, and the connection ends */
  | { readonly bytes: string | Buffer }
