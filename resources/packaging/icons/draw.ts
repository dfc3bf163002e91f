/**
 * `npm run icons`: draws `resources/icons/` anew from its two SVG files. What comes out is committed, so that neither
 * a build nor an installer needs a Chromium for it.
 */
import { chromium, type Page } from '@playwright/test'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from '../../../test/support/chromium.ts'
import { ICNS_SIZES, icnsOf } from './icns.ts'
import { icoOf } from './ico.ts'

const FOLDER = join(import.meta.dirname, '../../icons')
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512]
const WINDOWS_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256]
/** Up to here the QR code of the large drawing would be a smudge. */
const SMALL = 32
/** Of 1024, what an icon fills in macOS's own grid; the rest is its margin. */
const MACOS_PART = 824 / 1024

const drawing = async (size: number): Promise<string> => {
  const svg = await readFile(join(FOLDER, size <= SMALL ? 'icon-small.svg' : 'icon.svg'))
  return `data:image/svg+xml;base64,${svg.toString('base64')}`
}

/** A square PNG of `size` pixels; the drawing fills `part` of its width. */
const draw = async (page: Page, size: number, part = 1): Promise<Uint8Array> => {
  await page.setViewportSize({ width: size, height: size })
  const width = size * part
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;height:100vh">` +
      `<img src="${await drawing(size)}" width="${width}" height="${width}">`
  )
  return page.screenshot({ omitBackground: true })
}

const each = async (page: Page, sizes: readonly number[], part = 1): Promise<Map<number, Uint8Array>> => {
  const pngs = new Map<number, Uint8Array>()
  for (const size of sizes) pngs.set(size, await draw(page, size, part))
  return pngs
}

const executablePath = findChromium()
const browser = await chromium.launch({
  args: ['--no-sandbox'],
  ...(executablePath !== undefined && { executablePath })
})
try {
  const page = await browser.newPage()
  const linux = await each(page, LINUX_SIZES)
  await mkdir(join(FOLDER, 'linux'), { recursive: true })
  for (const [size, png] of linux) await writeFile(join(FOLDER, 'linux', `${size}x${size}.png`), png)
  await writeFile(join(FOLDER, 'icon.ico'), icoOf(await each(page, WINDOWS_SIZES)))
  await writeFile(join(FOLDER, 'icon.icns'), icnsOf(await each(page, ICNS_SIZES, MACOS_PART)))
} finally {
  await browser.close()
}
