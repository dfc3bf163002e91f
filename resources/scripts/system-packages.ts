/**
 * A Chromium for the tests and the stand-in: found, or installed where that may be done, or named in one sentence
 * with the command that gets it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { CHROMIUM_MISSING, findChromium } from '../../test/support/chromium.ts'
import { runProgram, runTool, TOOLS } from './tools.ts'

/** Debian has a Chromium of its own; Ubuntu's package only asks for a snap. */
const isDebian = (): boolean =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

/** Ends the process with the sentence when no Chromium is to be had. */
export async function ensureChromium(): Promise<void> {
  if (findChromium()) return
  const root = process.getuid?.() === 0
  if (root && isDebian()) {
    console.log('No Chromium here: installing the one of Debian (apt-get install chromium).')
    await runProgram('apt-get', ['update', '-qq'])
    await runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      DEBIAN_FRONTEND: 'noninteractive'
    })
  } else {
    console.log('No Chromium here: asking Playwright to download its own.')
    await runTool(TOOLS.playwright, ['install', ...(root ? ['--with-deps'] : []), 'chromium'])
  }
  if (findChromium()) return
  console.error(CHROMIUM_MISSING)
  process.exit(1)
}
