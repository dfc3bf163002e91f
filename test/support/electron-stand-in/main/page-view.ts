import { runtime } from '../runtime.ts'
import { StrictEmitter } from '../strict.ts'
import { getPreferredLocale } from './app-locale.ts'
import { identity } from './identity.ts'
import { NativeImage } from './native-image.ts'
import { themeFeatures } from './native-theme.ts'
import { PageTarget, type PageOptions } from './page-target.ts'
import { pdfOptions } from './print-to-pdf.ts'
import { recorder } from './recorder.ts'

export interface PageViewOptions extends PageOptions {
  readonly zoomFactor: number
  readonly backgroundThrottling: boolean
}

/** How large a page is on its screen, in device-independent pixels, and that screen. */
export interface Metrics {
  readonly width: number
  readonly height: number
  readonly scaleFactor: number
  readonly screenWidth: number
  readonly screenHeight: number
}

/** The part of `WebContents` that concerns how a page looks: size, zoom, colours, pictures and prints of it. */
export abstract class PageView extends StrictEmitter {
  readonly #page: PageTarget
  #metrics: Metrics | undefined
  #zoomFactor: number
  #backgroundThrottling: boolean
  #userAgent: string | undefined

  constructor(options: PageViewOptions, events: readonly string[]) {
    super('webContents', events, ['id', 'session', 'close'])
    this.#zoomFactor = options.zoomFactor
    this.#backgroundThrottling = options.backgroundThrottling
    this.#page = new PageTarget(options)
  }

  /** For the stand-in's own modules: the page of Chromium. */
  get _page(): PageTarget {
    return this.#page
  }

  /** Sizes, colours and names the page before its first document. */
  protected async _prepareView(): Promise<void> {
    const locale = getPreferredLocale()
    await Promise.all([
      this.#applyMetrics(),
      this._applyTheme(),
      this.#applyUserAgent(),
      this.#page.send('Emulation.setLocaleOverride', { locale }).catch(() => undefined)
    ])
  }

  /** For BrowserWindow: the page got another size or screen. */
  _resize(metrics: Metrics): void {
    this.#metrics = metrics
    void this.#applyMetrics()
  }

  /** For nativeTheme: the preferred colours changed. */
  async _applyTheme(): Promise<void> {
    await this.#page.send('Emulation.setEmulatedMedia', { features: themeFeatures() }).catch(() => undefined)
  }

  async #applyMetrics(): Promise<void> {
    // A visible page has the size of its window.
    if (!this.#metrics || runtime.commandLine.visible) return
    const { width, height, scaleFactor, screenWidth, screenHeight } = this.#metrics
    // Zoom as a browser does it: the same pixels, fewer of the page's.
    const zoomed = (pixels: number): number => Math.max(1, Math.round(pixels / this.#zoomFactor))
    await this.#page
      .send('Emulation.setDeviceMetricsOverride', {
        width: zoomed(width),
        height: zoomed(height),
        deviceScaleFactor: scaleFactor * this.#zoomFactor,
        mobile: false,
        screenWidth,
        screenHeight
      })
      .catch(() => undefined)
  }

  async #applyUserAgent(): Promise<void> {
    const override = { userAgent: this.getUserAgent(), acceptLanguage: getPreferredLocale() }
    await this.#page.send('Emulation.setUserAgentOverride', override).catch(() => undefined)
  }

  setZoomFactor(factor: number): void {
    if (typeof factor !== 'number' || !(factor > 0)) {
      throw new Error("'zoomFactor' must be a double greater than 0.0")
    }
    this.#zoomFactor = factor
    if (runtime.commandLine.visible) this.#zoomVisible()
    void this.#applyMetrics()
  }

  /** A real window keeps its size, so the document is enlarged instead; the next document starts unzoomed. */
  #zoomVisible(): void {
    const expression = `document.documentElement.style.zoom = ${this.#zoomFactor}`
    this.#page.send('Runtime.evaluate', { expression }).catch(() => undefined)
  }

  getZoomFactor(): number {
    return this.#zoomFactor
  }

  get zoomFactor(): number {
    return this.#zoomFactor
  }

  set zoomFactor(factor: number) {
    this.setZoomFactor(factor)
  }

  setZoomLevel(level: number): void {
    this.setZoomFactor(1.2 ** level)
  }

  getZoomLevel(): number {
    return Math.log(this.#zoomFactor) / Math.log(1.2)
  }

  get zoomLevel(): number {
    return this.getZoomLevel()
  }

  set zoomLevel(level: number) {
    this.setZoomLevel(level)
  }

  setVisualZoomLevelLimits(minimum: number, maximum: number): Promise<void> {
    recorder.record('webContents.setVisualZoomLevelLimits', { minimum, maximum })
    return Promise.resolve()
  }

  setBackgroundThrottling(allowed: boolean): void {
    this.#backgroundThrottling = allowed
  }

  getBackgroundThrottling(): boolean {
    return this.#backgroundThrottling
  }

  get backgroundThrottling(): boolean {
    return this.#backgroundThrottling
  }

  set backgroundThrottling(allowed: boolean) {
    this.#backgroundThrottling = allowed
  }

  setUserAgent(agent: string): void {
    this.#userAgent = agent
    void this.#applyUserAgent()
  }

  getUserAgent(): string {
    return this.#userAgent ?? identity.userAgent
  }

  async capturePage(rect?: { x: number; y: number; width: number; height: number }): Promise<NativeImage> {
    const clip = rect && { clip: { ...rect, scale: 1 } }
    const { data } = await this.#page.send('Page.captureScreenshot', { format: 'png', ...clip })
    return NativeImage.fromPng(Buffer.from(data, 'base64'))
  }

  async printToPDF(options: object = {}): Promise<Buffer> {
    const { data } = await this.#page.send('Page.printToPDF', pdfOptions(options))
    return Buffer.from(data, 'base64')
  }

  /** Recorded; nothing reaches a printer. */
  print(options: object = {}, callback?: (success: boolean, failureReason: string) => void): void {
    recorder.record('webContents.print', { options })
    callback?.(true, '')
  }

  getPrintersAsync(): Promise<unknown> {
    return Promise.resolve(recorder.take('webContents.getPrintersAsync', [], () => []))
  }

  focus(): void {
    this.#page.send('Page.bringToFront').catch(() => undefined)
  }
}
