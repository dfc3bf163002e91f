/**
 * `npm run soak:month`: a till that is open for a month. `--days 15 --served 1 --slips 8 --look-ups 20 --leak` are its
 * switches: days around each change of the clocks, the work of each open hour, and leaks on purpose. Exits with 1 when
 * something grows, or did not happen as often as it must.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../../../resources/scripts/build.ts'
import { flatness, type Flatness } from './flatness.ts'
import { runMonth } from './month.ts'

/** Days whose growth is the warm-up's: caches fill, code is compiled. */
const WARM_UP_DAYS = 5

const cells = ({ name, first, warm, last, growth, limit, isFlat }: Flatness): string =>
  [
    name.padEnd(24),
    ...[first, warm, last, growth, limit].map((number) => number.toFixed(2).padStart(9)),
    isFlat ? '' : '  grows'
  ].join('')

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '15' },
    served: { type: 'string', default: '1' },
    slips: { type: 'string', default: '8' },
    'look-ups': { type: 'string', default: '20' },
    leak: { type: 'boolean', default: false }
  }
})

await build()
const folder = mkdtempSync(join(tmpdir(), 'month-'))
const begun = performance.now()
const { samples, violations, slips, lookUps } = await runMonth(
  folder,
  {
    hours: 24 * Number(values.days),
    sampleHours: 24,
    served: Number(values.served),
    slips: Number(values.slips),
    lookUps: Number(values['look-ups']),
    leak: values.leak
  },
  (sample, day) =>
    console.log(
      `${day}  main ${sample['main: heap, MB'].toFixed(2)} MB, ${String(sample['main: timers'])} timers, ${String(sample['main: listeners'])} listeners  page ${sample['page: heap, MB'].toFixed(2)} MB, ${String(sample['page: nodes'])} nodes`
    )
)
rmSync(folder, { recursive: true, force: true })

const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
const isLong = samples.length > 2 * WARM_UP_DAYS
const table = flatness(samples, isLong ? WARM_UP_DAYS : 1, !isLong)
console.log(
  `\n${String(samples.length)} days in ${minutes} minutes, ${String(slips)} slips, ${String(lookUps)} look-ups`
)
console.log(
  ['', 'first', 'warm', 'last', 'growth', 'limit']
    .map((word, index) => (index === 0 ? word.padEnd(24) : word.padStart(9)))
    .join('')
)
for (const line of table) console.log(cells(line))
for (const violation of violations) console.log(`Violated: ${violation}`)
const isFlat = table.every((line) => line.isFlat)
console.log(isFlat ? 'Nothing grows.' : 'Growth above the limits.')
console.log(violations.length === 0 ? 'The work of each day was done once.' : 'Violations: see above.')
process.exitCode = isFlat && violations.length === 0 ? 0 : 1
