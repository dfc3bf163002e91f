import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { PaperSize } from '../../../electron/contract/paper.ts'
import {
  DEFAULT_SLIP_SETTINGS,
  type SlipPreviewImage,
  type SlipSettings
} from '../../../electron/contract/settings.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { TYPING_DEBOUNCE_MS } from './customer-search.svelte.ts'
import type { Till } from './till.svelte.ts'

const FIELDS = ['headline', 'footer', 'tillName', 'customerName', 'logo', 'rewards', 'joinUs'] as const

/** The form of the slip's content, with a preview that is rendered at each change. */
export class SlipSettingsForm {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly rendering: AsyncRequest
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The slip settings of the form. */
  draft = $state.raw(DEFAULT_SLIP_SETTINGS)
  /** The paper size of the preview; the printer's setting is not changed. */
  paper = $state<PaperSize>('80mm')
  /** The latest preview, which stays until the next one is rendered; null before the first. */
  preview = $state.raw<SlipPreviewImage | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#till = till
    this.rendering = new AsyncRequest(ipc)
    const settings = till.state?.settings
    if (settings) {
      this.draft = settings.slip
      this.paper = settings.printer.paperSize
    }
  }

  /** Selects the paper size of the preview, and renders it. */
  selectPaper(paper: PaperSize): void {
    this.paper = paper
    this.renderPreview()
  }

  /** Whether the form differs from the settings. */
  get unsaved(): boolean {
    const saved = this.#till.state?.settings.slip
    const now = this.#trimmed
    return saved !== undefined && FIELDS.some((field) => saved[field] !== now[field])
  }

  /** Changes fields and renders the preview after a pause in typing. */
  change(change: Partial<SlipSettings>): void {
    this.draft = { ...this.draft, ...change }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.renderPreview()
    }, TYPING_DEBOUNCE_MS)
  }

  /** Renders the preview. */
  renderPreview(): void {
    clearTimeout(this.#timer)
    void this.#requestPreview({ paperSize: this.paper, slip: this.#trimmed })
  }

  /** Saves the slip settings. */
  save(): Promise<boolean> {
    return this.#till.set({ slip: this.#trimmed })
  }

  async #requestPreview(input: { paperSize: PaperSize; slip: SlipSettings }): Promise<void> {
    const preview = await this.rendering.run(() => this.#bridge.printers.preview(input))
    if (preview) this.preview = preview
  }

  get #trimmed(): SlipSettings {
    const { headline, footer, tillName, ...rest } = this.draft
    return { headline: headline.trim(), footer: footer.trim(), tillName: tillName.trim(), ...rest }
  }
}
