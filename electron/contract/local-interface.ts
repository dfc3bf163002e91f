/**
 * The local interface: HTTP on this machine, through which the shop's own programs issue points. Its settings, the paired
 * programs and its state. The interface itself is in electron/main/local-interface/.
 */
import * as v from 'valibot'

/** IANA assigns 8418 to 8422 to no service, so no well-known program listens there. */
const DEFAULT_LOCAL_INTERFACE_PORT = 8419

/** Below 1024 a port needs the administrator on Linux and macOS. */
export const LOCAL_INTERFACE_PORTS = { min: 1024, max: 65_535 } as const

export const localInterfaceSettingsSchema = v.strictObject({
  /** whether the till listens on 127.0.0.1 */
  enabled: v.boolean(),
  port: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(LOCAL_INTERFACE_PORTS.min),
    v.maxValue(LOCAL_INTERFACE_PORTS.max)
  )
})
export type LocalInterfaceSettings = v.InferOutput<typeof localInterfaceSettingsSchema>

/** The settings of a new till. */
export const DEFAULT_LOCAL_INTERFACE_SETTINGS: LocalInterfaceSettings = {
  enabled: false,
  port: DEFAULT_LOCAL_INTERFACE_PORT
}

/** The maximum number of paired programs. */
export const MAX_CALLERS = 20

/** The maximum length of a program's name, in characters. */
export const MAX_CALLER_NAME_LENGTH = 40

/**
 * A reference: the number of a bill in the shop's own program. Letters and digits of any script, and `. _ / # -` and spaces
 * after the first one; at most 64.
 */
export const referenceSchema = v.pipe(
  v.string(),
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._/#-]{0,63}$/u,
    'A reference begins with a letter or a digit, and has letters, digits, spaces and . _ / # - only, at most 64 characters'
  )
)

/** A paired program, without its token. */
export interface Caller {
  /** created by the till; stored in the journal with the name */
  readonly id: string
  /** as the program named itself when it was paired */
  readonly name: string
  /** ISO 8601, UTC */
  readonly pairedAt: string
  /** to the minute, ISO 8601, UTC; null: never */
  readonly lastUsedAt: string | null
  readonly mayIssueWhileLocked: boolean
}

/** A one-time code with which a program gets its token. */
export interface PairingCode {
  /** eight digits, without separators */
  readonly code: string
  /** ISO 8601, UTC */
  readonly expiresAt: string
}

/** Why the till does not listen although it should. */
export type LocalInterfaceFault =
  /** another program has the port */
  | 'port-in-use'
  /** the system refused for another reason; the log has it */
  | 'not-started'

export interface LocalInterfaceState {
  /** the port on which the till listens; null: it does not */
  readonly listeningPort: number | null
  /** null unless the interface is enabled and does not listen */
  readonly fault: LocalInterfaceFault | null
  /** when the pairing code expires, ISO 8601, UTC; null: no program can be paired now, because the code was used, expired or was entered wrongly too often */
  readonly pairingUntil: string | null
  /** in the order of their pairing */
  readonly callers: readonly Caller[]
}

/** The state of a new till. */
export const NO_LOCAL_INTERFACE: LocalInterfaceState = {
  listeningPort: null,
  fault: null,
  pairingUntil: null,
  callers: []
}
