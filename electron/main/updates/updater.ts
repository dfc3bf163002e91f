/** What replaces the program; on a real machine electron-updater, wrapped in `shell/updater.ts`. */

/** Replaces the program with a newer one. */
export interface Updater {
  /** false: this installation cannot replace itself */
  readonly able: boolean
  /** The newer version that the feed offers, or null. @throws when the feed cannot be read */
  check(feed: string): Promise<string | null>
  /**
   * Fetches what `check` found and makes sure that it is what the feed describes. From then on it is installed when the
   * till quits.
   * @param onPercent hears how much has come, 0 to 100
   * @throws when it breaks off or is not what it should be
   */
  download(onPercent: (percent: number) => void): Promise<void>
  /** Installs what was fetched, ends this program and starts the new one. @throws when it cannot be put in place */
  install(): void
}
