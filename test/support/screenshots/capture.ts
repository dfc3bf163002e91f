/**
 * Takes a screenshot of every screen, state, size and theme into out/screens/, in English and in Arabic, and of the
 * customer display; and of the pages of a shop's own service, in each language. Fails when a page violates its content security policy, logs an error, or a step fails.
 *
 *     npm run screens -- [part of a name] [width] [light|dark] [language]
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '../../../electron/contract/language.ts'
import { setup } from './build.ts'
import { DISPLAY_SCREENSHOTS, DISPLAY_SIZES } from './screenshots-customer-display.ts'
import { MANAGE_SCREENSHOTS } from './screenshots-manage.ts'
import { SCREENSHOTS, SIZES } from './screenshots.ts'
import { createScreenshotRunner, type Variant, type OpenScreen } from './screenshot-runner.ts'
import { SERVICE_SCREENSHOTS } from './screenshots-service.ts'
import { createServiceRunner, SERVICE_SIZES } from './service-runner.ts'

/** The number of pages open at once: a screenshot mostly waits. */
const CONCURRENCY = 4

const [wanted = '', width, theme, language] = process.argv.slice(2)
const themes = (['light', 'dark'] as const).filter((one) => !theme || one === theme)
/** Every combination of a size, theme and language that is wanted. */
const combinations = (sizes: readonly Variant['size'][]): readonly Variant[] =>
  sizes
    .filter((size) => !width || String(size.width) === width)
    .flatMap((size) =>
      themes.flatMap((one) =>
        LANGUAGES.filter((spoken) => !language || spoken === language).map((spoken) => ({
          size,
          theme: one,
          language: spoken
        }))
      )
    )

/** Of the till, by default: English in every size and theme, and Arabic in each size in the light theme. */
const looksIn = (sizes: readonly Variant['size'][]): readonly Variant[] =>
  combinations(sizes).filter(
    ({ language: spoken, theme: one }) =>
      language !== undefined || spoken === 'en' || (spoken === 'ar' && one === 'light')
  )

const labelOf = (name: string, variant: Variant): string => {
  const spoken = variant.language === 'en' ? '' : `-${variant.language}`
  const { width: across, height } = variant.size
  return `${name}-${String(across)}x${String(height)}-${variant.theme}${spoken}`
}

const out = fileURLToPath(new URL('../../../out/screens', import.meta.url))
await mkdir(out, { recursive: true })
await setup()
const runner = await createScreenshotRunner()
const serviceRunner = await createServiceRunner()
const failures: string[] = []
let taken = 0

interface Task {
  readonly label: string
  readonly open: () => Promise<OpenScreen>
  /** whether the picture has what the window would scroll to */
  readonly isWhole?: true
}

const tills: readonly Task[] = looksIn(SIZES).flatMap((variant) =>
  SCREENSHOTS.filter(({ small }) => !(small && variant.size.width > 900)).map((screenshot) => ({
    label: labelOf(screenshot.name, variant),
    open: () => runner.open(screenshot, variant)
  }))
)
const displays: readonly Task[] = looksIn(DISPLAY_SIZES).flatMap((variant) =>
  DISPLAY_SCREENSHOTS.map((screenshot) => ({
    label: labelOf(`customer-display-${screenshot.name}`, variant),
    open: () => runner.openDisplay(screenshot, variant)
  }))
)
const pages: readonly Task[] = combinations(SERVICE_SIZES).flatMap((variant) =>
  [...SERVICE_SCREENSHOTS, ...MANAGE_SCREENSHOTS].map((screenshot) => ({
    label: labelOf(`service-${screenshot.name}`, variant),
    open: () => serviceRunner.open(screenshot, variant),
    isWhole: true
  }))
)
const todo = [...tills, ...displays, ...pages].filter(({ label }) => label.includes(wanted))
const worker = async (): Promise<void> => {
  for (let next = todo.shift(); next; next = todo.shift()) {
    const { label } = next
    const { page, faults, close } = await next.open()
    await page.screenshot({ path: `${out}/${label}.png`, fullPage: next.isWhole === true })
    await close()
    failures.push(...faults.map((fault) => `${label}: ${fault}`))
    taken++
  }
}
await Promise.all(Array.from({ length: CONCURRENCY }, worker))
await Promise.all([runner.close(), serviceRunner.close()])

console.log(`${String(taken)} screenshots in ${out}`)
for (const failure of failures) console.error(failure)
process.exitCode = failures.length > 0 ? 1 : 0
