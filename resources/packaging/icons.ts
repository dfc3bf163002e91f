/**
 * `npm run icons`: renders `resources/icons/icon.svg` to `icon.png`, from which electron-builder makes the icons of all
 * systems. The PNG is committed, so that neither a build nor an installer needs a Chromium.
 */
import { chromium } from 'playwright-core'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from '../../test/support/chromium.ts'
import { PROJECT } from '../scripts/tools.ts'

/** Pixels; the largest icon of macOS. */
const SIZE = 1024

const folder = join(PROJECT, 'resources/icons')
const svg = await readFile(join(folder, 'icon.svg'), 'base64')
const executablePath = findChromium()
const browser = await chromium.launch({
  args: ['--no-sandbox'],
  ...(executablePath !== undefined && { executablePath })
})
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } })
  await page.setContent(
    `<body style="margin:0"><img src="data:image/svg+xml;base64,${svg}" width="${SIZE}" height="${SIZE}">`
  )
  await writeFile(join(folder, 'icon.png'), await page.screenshot({ omitBackground: true }))
} finally {
  await browser.close()
}
