/** The languages of the till: that of its screen, and that of its slips. */
import type { Language } from '../../contract/language.ts'
import type { Settings } from './index.ts'

export class Languages {
  readonly #settings: Pick<Settings, 'values'>
  readonly #system: Language

  /** @param system used until a language is chosen */
  constructor(settings: Pick<Settings, 'values'>, system: Language) {
    this.#settings = settings
    this.#system = system
  }

  /** of the screen, the dialogs, exports, and the requests to the service */
  get screen(): Language {
    return this.#settings.values.language ?? this.#system
  }

  /** of the slips: the screen's unless another one is chosen */
  get slip(): Language {
    return this.#settings.values.slipLanguage ?? this.screen
  }
}
