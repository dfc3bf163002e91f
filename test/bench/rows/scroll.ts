/** Frames while a list of 100,000 customers is scrolled and searched, against its rows without a list in the same window. */
import type { Page } from '@playwright/test'
import { CashierPage } from '../../e2e/page-objects/cashier.ts'
import type { Bench } from '../bench.ts'
import { atMost, atMostTimes } from '../line.ts'
import { move, moved, moveBareRows, type Motion, type Moved } from '../window/frames.ts'
import { withService, withTill } from '../window/open.ts'

/** How long each stretch of scrolling lasts (ms), and stretches of the list, of typing and of the plain list, in turn. */
const EXTENT = {
  smoke: { customers: 1_000, stretch: 600, turns: 1 },
  full: { customers: 100_000, stretch: 4_000, turns: 3 }
} as const

/** A flick, in pixels a frame: some 40 rows a second, faster than anybody reads. */
const FLICK = 45
/** A thumb that is pulled down, in pixels a frame: all rows in sight are others in each frame. */
const PULL = 4_000
/** When pulling from end to end is given up, ms. */
const TOO_LONG = 240_000

/** Most rows that may be in the page, whatever the length of the list. */
const MOST_ROWS = 150
/** Frames last one, two or three sixtieths of a second: a machine that is a little too slow for one shows every second. */
const NEXT_STEP = atMostTimes(2, 'p95')

/** What is looked for while the list scrolls, and how fast it is typed, ms a key. */
const TYPED = 'maria papadopoulou'
const BETWEEN_KEYS = 120

const scrolled = async (page: Page, motion: Motion): Promise<Moved> => {
  await move(page, motion)
  return moved(page)
}

/** Types into the search while the list below it loads and moves, and empties it again. */
async function typed(page: Page, most: number): Promise<Moved> {
  const search = page.getByRole('searchbox', { name: 'Search customers' })
  await search.focus()
  await move(page, { step: FLICK, most })
  const typing = search.pressSequentially(TYPED, { delay: BETWEEN_KEYS })
  const seen = await moved(page)
  await typing
  await search.fill('')
  return seen
}

/** The bench of long lists. */
export const scroll: Bench = {
  name: 'scroll',
  description: 'frames of a list of 100,000 customers, scrolled end to end and searched, against bare rows',
  measure({ extent, folder, say }) {
    const { customers, stretch, turns } = EXTENT[extent]
    return withService(folder, customers, (url) =>
      withTill({ folder, url }, async ({ page }) => {
        await new CashierPage(page).goTo('Customers')
        await page.locator('ul[aria-label="Customers"] li').first().waitFor()
        const flicks: Moved[] = []
        const typing: Moved[] = []
        const bareFlicks: number[] = []
        for (let turn = 0; turn < turns; turn++) {
          flicks.push(await scrolled(page, { step: FLICK, most: stretch }))
          bareFlicks.push(...(await moveBareRows(page, { step: FLICK, most: stretch })))
          typing.push(await typed(page, stretch))
        }
        say('from end to end')
        const barePulled = await moveBareRows(page, { step: PULL, most: stretch })
        const pulled = await scrolled(page, { step: PULL, most: TOO_LONG })
        if (pulled.end !== customers) throw new Error(`The list ends after ${String(pulled.end)} customers`)

        const frames = (name: string, seen: readonly Moved[], bare: readonly number[]) => ({
          name,
          unit: 'ms' as const,
          samples: { ours: seen.flatMap((one) => one.frames), baseline: bare },
          against: '20 bare rows'
        })
        const rows = [...flicks, ...typing, pulled].map((one) => one.rows)
        return [
          { ...frames('scroll: a frame', flicks, bareFlicks), target: NEXT_STEP },
          { ...frames('scroll: a frame while typing', typing, bareFlicks), target: NEXT_STEP },
          // Reported only: at this speed no row can be read.
          { ...frames('scroll: a frame from end to end', [pulled], barePulled), target: null },
          {
            ...{ name: 'scroll: most rows in the page', unit: 'rows' },
            ...{ samples: { ours: [Math.max(...rows)] }, target: atMost(MOST_ROWS) }
          }
        ]
      })
    )
  }
}
