/**
 * Receives bill links from the system. Windows and Linux start the till with the link as an argument; where a till is
 * open, that one gets the arguments. macOS sends an event, also for the start.
 */
import { app } from 'electron'

/** Returns whether an argument of the command line is a link for this till, valid or not. */
export const isBillLink = (argument: string): boolean => /^tillpoints:/i.test(argument)

export class BillLinkReceiver {
  /** links that arrived before `start` */
  #early: string[] = []
  #onLink: ((link: string) => void) | null = null

  /** Create before the app is ready: the event of a link that starts the till on macOS comes then. */
  constructor(argv: readonly string[]) {
    app.on('open-url', (event, url) => {
      event.preventDefault()
      this.#receive(url)
    })
    // Chromium moves and adds switches, so the link may be anywhere.
    app.on('second-instance', (_event, argv) =>
      argv.filter(isBillLink).forEach((link) => this.#receive(link))
    )
    argv.filter(isBillLink).forEach((link) => this.#receive(link))
  }

  /** Calls `onLink` with each link, and at once with those that arrived before. */
  start(onLink: (link: string) => void): void {
    this.#onLink = onLink
    for (const link of this.#early) onLink(link)
    this.#early = []
  }

  #receive(link: string): void {
    if (this.#onLink) this.#onLink(link)
    else this.#early.push(link)
  }
}
