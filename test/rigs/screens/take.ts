/**
 * Takes a picture of every screen, state, size and theme into out/screens/. Fails when the page breaks its own
 * security policy or logs an error.
 *
 *     node test/rigs/screens/take.ts [part of a name] [width] [light|dark]
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { CHROMIUM_MISSING, findChromium } from '../chromium.ts'
import { PICTURES, SIZES } from './pictures.ts'
import { servePage } from './serve-page.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const [wanted = '', width, theme] = process.argv.slice(2)
const pictures = PICTURES.filter(({ name }) => name.includes(wanted))
const sizes = SIZES.filter((size) => !width || String(size.width) === width)
const themes = (['light', 'dark'] as const).filter((one) => !theme || one === theme)

const executablePath = findChromium()
if (!executablePath) throw new Error(CHROMIUM_MISSING)

await build({ configFile: here('./vite.config.ts'), logLevel: 'warn' })
const fakeBridge = await bundleFakeBridge()
const out = here('../../../out/screens')
await mkdir(out, { recursive: true })
const { url, stop } = await servePage(here('../../../out/screens-page'))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const faults: string[] = []
let taken = 0

for (const size of sizes) {
  for (const colorScheme of themes) {
    for (const picture of pictures) {
      if (picture.small && size.width > 900) continue
      const label = `${picture.name}-${String(size.width)}-${colorScheme}`
      const page = await browser.newPage({ viewport: size, colorScheme, reducedMotion: 'reduce' })
      page.setDefaultTimeout(5000)
      page.on('console', (message) => {
        // A picture that fails to load is one of the states shown.
        if (message.type() === 'error' && !message.text().includes('404'))
          faults.push(`${label}: ${message.text()}`)
      })
      page.on('pageerror', (error) => faults.push(`${label}: ${error.message}`))
      await page.addInitScript(`globalThis.pictureCase = ${JSON.stringify(picture.case ?? {})};${fakeBridge}`)
      await page.goto(url)
      await page.evaluate('document.fonts.ready')
      try {
        await picture.steps?.(page)
      } catch (error) {
        faults.push(`${label}: ${String(error)}`)
      }
      // The pause before a search, and the skeletons, are part of what is shown.
      await page.waitForTimeout(450)
      await page.screenshot({ path: `${out}/${label}.png` })
      taken++
      await page.close()
    }
  }
}

await browser.close()
await stop()
console.log(`${String(taken)} pictures in ${out}`)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

/** The fake bridge as one plain script, for a page that knows no modules of ours. */
async function bundleFakeBridge(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      lib: { entry: here('./fake-bridge.ts'), formats: ['iife'], name: 'fakeBridge' }
    }
  })
  const chunk = [built].flat().flatMap((result) => ('output' in result ? result.output : []))[0]
  if (chunk?.type !== 'chunk') throw new Error('The fake bridge was not built.')
  return chunk.code
}
