/**
 * `npm run icons`: renders `resources/icons/icon.svg` to `icon.ico`, the icon of Windows, and to `icon.png`, from which
 * electron-builder makes that of macOS. Both are committed, so that neither a build nor an installer needs a Chromium.
 */
import { chromium } from 'playwright-core'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium } from '../../test/support/chromium.ts'
import { PROJECT } from '../scripts/tools.ts'

/** Pixels; the largest icon of macOS. */
const PNG_SIZE = 1024

/** Pixels; those of the title bar, the taskbar and the desktop, at 100 to 400 %. */
const ICO_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256]

/** Returns an ICO file: a header, an entry of 16 bytes per image, and the images as PNG, which Windows reads since Vista. */
function createIco(images: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let position = header.length
  for (const [index, { size, png }] of images.entries()) {
    const entry = 6 + 16 * index
    // 0 stands for 256.
    header.writeUInt8(size % 256, entry)
    header.writeUInt8(size % 256, entry + 1)
    header.writeUInt16LE(1, entry + 4)
    header.writeUInt16LE(32, entry + 6)
    header.writeUInt32LE(png.length, entry + 8)
    header.writeUInt32LE(position, entry + 12)
    position += png.length
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)])
}

const folder = join(PROJECT, 'resources/icons')
const svg = await readFile(join(folder, 'icon.svg'), 'base64')
const executablePath = findChromium()
const browser = await chromium.launch({
  args: ['--no-sandbox'],
  ...(executablePath !== undefined && { executablePath })
})
try {
  const page = await browser.newPage()
  const render = async (size: number): Promise<Buffer> => {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(
      `<body style="margin:0"><img src="data:image/svg+xml;base64,${svg}" width="${size}" height="${size}">`
    )
    return page.screenshot({ omitBackground: true })
  }
  const images: { size: number; png: Buffer }[] = []
  for (const size of ICO_SIZES) images.push({ size, png: await render(size) })
  await writeFile(join(folder, 'icon.ico'), createIco(images))
  await writeFile(join(folder, 'icon.png'), await render(PNG_SIZE))
} finally {
  await browser.close()
}
