/**
 * Takes a picture of every screen, state, size and theme into out/screens/, and of every screen from right to left; of
 * the customer display, too.
 * Fails when the page breaks its own security policy, logs an error, or a step finds nothing.
 *
 *     npm run screens -- [part of a name] [width] [light|dark] [language]
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '../../../electron/contract/language.ts'
import { setup } from './build.ts'
import { DISPLAY_PICTURES, DISPLAY_SIZES } from './pictures-customer-display.ts'
import { PICTURES, SIZES } from './pictures.ts'
import { openStudio, type Look, type Scene } from './studio.ts'

/** Pages open at once: a picture waits more than it works. */
const AT_ONCE = 4

const [wanted = '', width, theme, language] = process.argv.slice(2)
const themes = (['light', 'dark'] as const).filter((one) => !theme || one === theme)
/** Without a wish: English in every size and theme, and Arabic once in each size. */
const looksIn = (sizes: readonly Look['size'][]): readonly Look[] =>
  sizes
    .filter((size) => !width || String(size.width) === width)
    .flatMap((size) =>
      themes.flatMap((one) =>
        LANGUAGES.filter((spoken) =>
          language ? spoken === language : spoken === 'en' || (spoken === 'ar' && one === 'light')
        ).map((spoken) => ({ size, theme: one, language: spoken }))
      )
    )

const labelOf = (name: string, look: Look): string => {
  const spoken = look.language === 'en' ? '' : `-${look.language}`
  return `${name}-${String(look.size.width)}-${look.theme}${spoken}`
}

const out = fileURLToPath(new URL('../../../out/screens', import.meta.url))
await mkdir(out, { recursive: true })
await setup()
const studio = await openStudio()
const failures: string[] = []
let taken = 0

interface Task {
  readonly label: string
  readonly open: () => Promise<Scene>
}

const tills: readonly Task[] = looksIn(SIZES).flatMap((look) =>
  PICTURES.filter(({ small }) => !(small && look.size.width > 900)).map((picture) => ({
    label: labelOf(picture.name, look),
    open: () => studio.open(picture, look)
  }))
)
const displays: readonly Task[] = looksIn(DISPLAY_SIZES).flatMap((look) =>
  DISPLAY_PICTURES.map((picture) => ({
    label: labelOf(`customer-display-${picture.name}`, look),
    open: () => studio.openDisplay(picture, look)
  }))
)
const todo = [...tills, ...displays].filter(({ label }) => label.includes(wanted))
const worker = async (): Promise<void> => {
  for (let next = todo.shift(); next; next = todo.shift()) {
    const { label } = next
    const { page, faults, close } = await next.open()
    await page.screenshot({ path: `${out}/${label}.png` })
    await close()
    failures.push(...faults.map((fault) => `${label}: ${fault}`))
    taken++
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker))
await studio.close()

console.log(`${String(taken)} pictures in ${out}`)
for (const failure of failures) console.error(failure)
process.exitCode = failures.length > 0 ? 1 : 0
