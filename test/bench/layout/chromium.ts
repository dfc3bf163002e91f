/** Chromium's print-to-PDF, which Electron has as `webContents.printToPDF`: one page that stays open, its fonts loaded. */
import { chromium } from '@playwright/test'
import { CHROMIUM_MISSING, findChromium } from '../../support/chromium.ts'
import type { OpenPeer } from './peer.ts'
import type { Sheet } from './sheet.ts'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The sheet as HTML, each line at its place. A point less in height keeps it on one page. */
function htmlOf({ width, height, direction, texts, rules, code, fonts }: Sheet): string {
  const faces = Array.from(
    fonts,
    ([file, bytes]) =>
      `@font-face { font-family: '${file}'; src: url(data:font/ttf;base64,${bytes.toString('base64')}) }`
  )
  const lines = texts.map(
    ({ text, size, font, left, baseline }) =>
      `<text x="${left}" y="${baseline}" font-size="${size}" font-family="'${font}'">${escaped(text)}</text>`
  )
  const bars = [...rules, ...code.bars].map(
    (bar) => `M${bar.left} ${bar.top}h${bar.width}v${bar.height}h${-bar.width}z`
  )
  // Texts are given by their left ends.
  const anchor = direction === 'ltr' ? 'start' : 'end'
  return `<!doctype html><style>${faces.join('\n')} @page { size: ${width}pt ${height}pt; margin: 0 }
    body { margin: 0 } svg { display: block; width: ${width}pt; height: ${height - 1}pt }</style>
    <svg viewBox="0 0 ${width} ${height - 1}" direction="${direction}" text-anchor="${anchor}">${lines.join('')}<path d="${bars.join('')}"/></svg>`
}

/** Starts a Chromium. Rejects when there is none. */
export const openChromium: OpenPeer = async (sheet) => {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(CHROMIUM_MISSING)
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync'
    ]
  })
  const page = await browser.newPage()
  await page.setContent(htmlOf(sheet))
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  return {
    name: 'Chromium’s print-to-PDF',
    make: async () => new Uint8Array(await page.pdf({ preferCSSPageSize: true, printBackground: true })),
    close: () => browser.close()
  }
}
