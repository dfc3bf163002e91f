/** How much memory the till keeps for the next time. */
import { app } from 'electron'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Megabytes of each half of a page's room for what lives briefly. */
const PAGE_HALF = 2

/**
 * Keeps what V8 takes small, in main and in the pages: above all the room for what lives briefly. V8 doubles it while
 * much is made at once, in main up to some 130 MB, and gives it back late or never; a till makes little at a time, and
 * what it makes is gone with the next collection. Call before the app is ready: a page takes its limit when its process
 * starts.
 */
export function keepHeapsSmall(): void {
  // Of the flags that limit it, a V8 that runs already takes only this one.
  setFlagsFromString('--semi-space-growth-factor=1')
  // V8's last compiler takes 5 MB of a page; look-ups and scrolling are as quick without it (test/bench/README.md).
  app.commandLine.appendSwitch('js-flags', `--max-semi-space-size=${PAGE_HALF} --no-turbofan`)
}

/** Gives back what main no longer needs; it answers nobody meanwhile. Does nothing where V8 takes no more flags. */
export function collectGarbage(): void {
  // V8 hands it to scripts of a context that was made while this flag stood, and only to them.
  setFlagsFromString('--expose-gc')
  try {
    runInNewContext("globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })")
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}
