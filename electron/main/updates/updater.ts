/** The interface to the engine that replaces the app. Implemented with electron-updater in `platform/updater.ts`. */
export interface Updater {
  /** false: this installation cannot update itself */
  readonly able: boolean
  /** Resolves with the newer version that the update server offers, or null. Rejects if the feed cannot be read. */
  check(feed: string): Promise<string | null>
  /**
   * Downloads and verifies the version that `check` found. It is then installed when the app quits.
   * @param onPercent receives the progress, 0 to 100
   * @throws if the download breaks off or does not match the feed
   */
  download(onPercent: (percent: number) => void): Promise<void>
  /** Installs the downloaded version, quits the app and starts the new one. Throws if it cannot be installed. */
  install(): void
}
