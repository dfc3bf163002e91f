import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Diagnostics } from '../../../electron/contract/diagnostics.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** Saving diagnostics: where they went, once they are there. */
export class DiagnosticsSaving {
  readonly #bridge: Bridge
  readonly #asking: Asking
  #file = $state.raw<string | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.hear)
  }

  get asking(): Asking {
    return this.#asking
  }

  /** The file that was written last; null before, and when the dialog was closed. */
  get file(): string | null {
    return this.#file
  }

  async save(): Promise<void> {
    if (this.#asking.running) return
    this.#file = null
    const saved = await this.#asking.ask(() => this.#bridge.diagnostics.save())
    this.#file = saved?.file ?? null
  }
}

/** What this till tells of itself, as it is read when it comes into sight. */
export class DiagnosticsReading {
  readonly #bridge: Bridge
  readonly asking: Asking
  #diagnostics = $state.raw<Diagnostics | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.asking = new Asking(answers.hear)
  }

  /** null until it was read. */
  get diagnostics(): Diagnostics | null {
    return this.#diagnostics
  }

  async read(): Promise<void> {
    this.#diagnostics = (await this.asking.ask(() => this.#bridge.diagnostics.read())) ?? this.#diagnostics
  }
}
